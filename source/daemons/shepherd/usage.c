/* The file "usage". Pure. Source: captured files; the line "failed" is ours and marks the file as
 * whole. */
#include "daemons/shepherd/usage.h"

#include <sys/wait.h>

#include "libs/uti/dstr.h"

static void add_time(struct timeval *sum, const struct timeval *one)
{
    sum->tv_sec += one->tv_sec;
    sum->tv_usec += one->tv_usec;
    if (sum->tv_usec >= 1000000) {
        sum->tv_sec++;
        sum->tv_usec -= 1000000;
    }
}

void usage_add(struct job_usage *u, const struct rusage *one)
{
    struct rusage *s = &u->sum;
    add_time(&s->ru_utime, &one->ru_utime);
    add_time(&s->ru_stime, &one->ru_stime);
    if (s->ru_maxrss < one->ru_maxrss)
        s->ru_maxrss = one->ru_maxrss;
    s->ru_minflt += one->ru_minflt;
    s->ru_majflt += one->ru_majflt;
    s->ru_inblock += one->ru_inblock;
    s->ru_oublock += one->ru_oublock;
    s->ru_nvcsw += one->ru_nvcsw;
    s->ru_nivcsw += one->ru_nivcsw;
}

void usage_look(struct job_usage *u, uint64_t vmem_bytes, uint64_t rss_bytes, uint64_t now_us)
{
    uint64_t since_us = u->looked_us != 0 ? u->looked_us : u->start_us;
    if (vmem_bytes > u->vmem_most_bytes)
        u->vmem_most_bytes = vmem_bytes;
    if (now_us > since_us)
        u->mem_kb_ms += rss_bytes / 1024 * ((now_us - since_us) / 1000);
    u->looked_us = now_us;
}

int usage_exit_status(int wait_status)
{
    return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

/* KEY=seconds, with DIGITS behind the point, which are the last of V. No double: what the C library
 * prints one with takes 8 KiB of stack, and that is two pages which nothing else here needs. */
static void add_seconds(struct dstr *out, const char *key, uint64_t v, int digits)
{
    uint64_t unit = digits == 3 ? 1000 : 1000000;
    dstr_addf(out, "%s=%llu.%0*llu\n", key, (unsigned long long)(v / unit), digits,
              (unsigned long long)(v % unit));
}

/* millionths of gigabytes times seconds */
static uint64_t micro_gb_s(uint64_t kb_ms)
{
    const uint64_t gb_kb = 1024 * 1024;
    return kb_ms / gb_kb * 1000 + kb_ms % gb_kb * 1000 / gb_kb;
}

/* 0 of a job that never ran */
static uint64_t wallclock_us(const struct job_usage *u)
{
    return u->start_s != 0 && u->end_us > u->start_us ? u->end_us - u->start_us : 0;
}

void usage_text(const struct job_usage *u, unsigned failed, struct dstr *out)
{
    const struct rusage *r = &u->sum;
    dstr_addf(out, "exit_status=%d\nsignal=%d\nstart_time=%llu\nend_time=%llu\n",
              usage_exit_status(u->wait_status),
              WIFSIGNALED(u->wait_status) ? WTERMSIG(u->wait_status) : 0,
              (unsigned long long)u->start_s, (unsigned long long)u->end_s);
    add_seconds(out, "ru_wallclock", (wallclock_us(u) + 500) / 1000, 3);
    dstr_addf(out, "ru_utime=%lld.%06ld\nru_stime=%lld.%06ld\nru_maxrss=%ld\n",
              (long long)r->ru_utime.tv_sec, (long)r->ru_utime.tv_usec,
              (long long)r->ru_stime.tv_sec, (long)r->ru_stime.tv_usec, r->ru_maxrss);
    dstr_add(out, "ru_ixrss=0\nru_idrss=0\nru_isrss=0\n"); /* Linux keeps none of these */
    dstr_addf(out, "ru_minflt=%ld\nru_majflt=%ld\nru_nswap=0\nru_inblock=%ld\nru_oublock=%ld\n",
              r->ru_minflt, r->ru_majflt, r->ru_inblock, r->ru_oublock);
    if (u->cpu_us != 0)
        add_seconds(out, "cpu", u->cpu_us, 6);
    if (u->vmem_most_bytes != 0)
        dstr_addf(out, "maxvmem=%llu\n", (unsigned long long)u->vmem_most_bytes);
    if (u->mem_kb_ms != 0)
        add_seconds(out, "mem", micro_gb_s(u->mem_kb_ms), 6);
    dstr_addf(out,
              "ru_msgsnd=0\nru_msgrcv=0\nru_nsignals=0\nru_nvcsw=%ld\nru_nivcsw=%ld\nfailed=%u\n",
              r->ru_nvcsw, r->ru_nivcsw, failed);
}
