/* What a shepherd writes about its task: the files "trace", "error" and "usage". The first two
 * cannot fail the task: what cannot be written is lost. Neither grows without end: the job's owner
 * decides how often it is suspended and resumed, and each time is a line of the trace. The line
 * "failed" of "usage" is ours and marks the file as whole. Source: captured files. */
#include "daemons/shepherd/records.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/time.h"

/* ---- trace and error ---- */

enum { LINES_MOST = 1000 }; /* held, and written before the end */

static void append_to(const char *path, const struct dstr *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0)
        return;
    (void)file_write_all(fd, dstr_get(text), text->len);
    close(fd);
}

static void add_line(struct dstr *out, uint64_t at_s, uid_t uid, pid_t pid, const char *text)
{
    uti_time_us_date(at_s, out);
    dstr_addf(out, " [%u:%d]: %s\n", (unsigned)uid, (int)pid, text);
}

/* the first lines say how it began and the last how it ended: one in the middle goes */
static void drop_line(struct trace *t)
{
    struct trace_line *middle = &t->v[LINES_MOST / 2];
    free(middle->text);
    memmove(middle, middle + 1, (LINES_MOST / 2 - 1) * sizeof *middle);
    t->n--;
}

void trace_add(struct trace *t, const char *format, ...)
{
    struct dstr text = DSTR_INIT;
    va_list args;
    va_start(args, format);
    dstr_addv(&text, format, args);
    va_end(args);
    if (t->n == LINES_MOST)
        drop_line(t);
    t->v = uti_vec_grow(t->v, &t->cap, t->n + 1, sizeof *t->v);
    t->v[t->n++] = (struct trace_line){ uti_now_s(), dstr_take(&text) };
    if (t->is_on && t->written < LINES_MOST)
        trace_flush(t);
}

void trace_flush(struct trace *t)
{
    struct dstr lines = DSTR_INIT;
    for (uint32_t i = 0; i < t->n; i++) {
        add_line(&lines, t->v[i].at_s, geteuid(), getpid(), t->v[i].text);
        free(t->v[i].text);
    }
    if (t->n > 0)
        append_to(TASK_FILE_TRACE, &lines);
    t->written += t->n;
    t->n = 0;
    dstr_free(&lines);
}

void trace_free(struct trace *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        free(t->v[i].text);
    free(t->v);
    *t = (struct trace){ 0 };
}

void task_error(uid_t uid, pid_t pid, const char *text)
{
    struct dstr line = DSTR_INIT;
    add_line(&line, uti_now_s(), uid, pid, text);
    append_to(TASK_FILE_ERROR, &line);
    dstr_free(&line);
}

/* ---- usage ---- */

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

void usage_text(const struct job_usage *u, unsigned failed, struct dstr *out)
{
    const struct rusage *r = &u->sum;
    const uint64_t gb_kb = 1024 * 1024;
    bool has_run = u->start_s != 0 && u->end_us > u->start_us;
    uint64_t wallclock_us = has_run ? u->end_us - u->start_us : 0;
    dstr_addf(out, "exit_status=%d\nsignal=%d\nstart_time=%llu\nend_time=%llu\n",
              usage_exit_status(u->wait_status),
              WIFSIGNALED(u->wait_status) ? WTERMSIG(u->wait_status) : 0,
              (unsigned long long)u->start_s, (unsigned long long)u->end_s);
    add_seconds(out, "ru_wallclock", (wallclock_us + 500) / 1000, 3);
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
        add_seconds(out, "mem", /* millionths of gigabytes times seconds */
                    u->mem_kb_ms / gb_kb * 1000 + u->mem_kb_ms % gb_kb * 1000 / gb_kb, 6);
    dstr_addf(out,
              "ru_msgsnd=0\nru_msgrcv=0\nru_nsignals=0\nru_nvcsw=%ld\nru_nivcsw=%ld\nfailed=%u\n",
              r->ru_nvcsw, r->ru_nivcsw, failed);
}
