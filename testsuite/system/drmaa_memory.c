/* Goes through a session of DRMAA again and again, each time with another of its allocations
 * refused, whichever thread makes it: drmaa_memory FIRST STEP refuses the FIRST, the FIRST + STEP
 * and so on, until a session ends with none refused. A call may say that memory ran out, once; then
 * it must work, and the session go on as if nothing had been. Linked with the library's objects, so
 * that the linker's --wrap finds their calls. Prints how many allocations a session makes. */
#include <dirent.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libs/drmaa/drmaa.h"
#include "libs/uti/parse.h"
#include "libs/uti/time.h"

enum { TASKS = 3 };

/* ---- the allocator ---- */

static _Atomic(long) until_refusal; /* how many calls more succeed before the one that fails */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);

static bool is_refused(void)
{
    return atomic_fetch_sub(&until_refusal, 1) == 0;
}

void *__wrap_malloc(size_t bytes)
{
    return is_refused() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return is_refused() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
    return is_refused() ? NULL : __real_realloc(old, bytes);
}

/* ---- the session ---- */

static long round_number; /* which allocation is refused */
static char diag[DRMAA_ERROR_STRING_BUFFER];

SGE_NORETURN SGE_PRINTF(1, 2) static void give_up(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "allocation %ld refused: ", round_number);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

/* is NUMBER what a call may say whose memory was refused? */
static bool is_shortage(int number)
{
    return number == DRMAA_ERRNO_NO_MEMORY || number == DRMAA_ERRNO_TRY_LATER ||
           number == DRMAA_ERRNO_DRM_COMMUNICATION_FAILURE;
}

#define TRY(call) TRY_FOR(DRMAA_ERRNO_SUCCESS, call)
/* CALL must say WANTED, at the second try if not at the first */
#define TRY_FOR(wanted, call)                                                                      \
    do {                                                                                           \
        int number = (call);                                                                       \
        if (is_shortage(number))                                                                   \
            number = (call);                                                                       \
        if (number != (wanted))                                                                    \
            give_up("%s: %s (%s)", #call, drmaa_strerror(number), diag);                           \
    } while (false)
#define DIAG diag, sizeof diag

static drmaa_job_template_t *make_template(void)
{
    const char *args[] = { "a", "b", NULL };
    drmaa_job_template_t *jt;
    TRY(drmaa_allocate_job_template(&jt, DIAG));
    TRY(drmaa_set_attribute(jt, DRMAA_REMOTE_COMMAND, "/bin/true", DIAG));
    TRY(drmaa_set_attribute(jt, DRMAA_JS_STATE, DRMAA_SUBMISSION_STATE_HOLD, DIAG));
    TRY(drmaa_set_attribute(jt, DRMAA_OUTPUT_PATH, ":/dev/null", DIAG));
    TRY(drmaa_set_attribute(jt, DRMAA_NATIVE_SPECIFICATION, "-j y -p -1", DIAG));
    TRY(drmaa_set_vector_attribute(jt, DRMAA_V_ARGV, args, DIAG));
    return jt;
}

/* the ids of a bulk job of TASKS tasks */
static void run_bulk(const drmaa_job_template_t *jt, char ids[TASKS][DRMAA_JOBNAME_BUFFER])
{
    drmaa_job_ids_t *list;
    TRY(drmaa_run_bulk_jobs(&list, jt, 1, TASKS, 1, DIAG));
    for (int i = 0; i < TASKS; i++)
        TRY(drmaa_get_next_job_id(list, ids[i], DRMAA_JOBNAME_BUFFER));
    drmaa_release_job_ids(list);
}

/* takes the end of ID, which never ran; out: whose it is */
static void take_end(const char *id, char *ended)
{
    char text[DRMAA_ATTR_BUFFER];
    int stat, is_aborted = 0;
    drmaa_attr_values_t *usage;
    TRY(drmaa_wait(id, ended, DRMAA_JOBNAME_BUFFER, &stat, DRMAA_TIMEOUT_WAIT_FOREVER, &usage,
                   DIAG));
    TRY(drmaa_wifaborted(&is_aborted, stat, DIAG));
    if (!is_aborted)
        give_up("%s ran", ended);
    TRY(drmaa_get_next_attr_value(usage, text, sizeof text));
    drmaa_release_attr_values(usage);
}

/* all that a session does, and nothing of it twice */
static void play_session(void)
{
    char job[DRMAA_JOBNAME_BUFFER], ended[DRMAA_JOBNAME_BUFFER];
    char ids[TASKS][DRMAA_JOBNAME_BUFFER];
    int state = 0;
    TRY(drmaa_init(NULL, DIAG));
    drmaa_job_template_t *jt = make_template();
    TRY(drmaa_run_job(job, sizeof job, jt, DIAG));
    run_bulk(jt, ids);
    TRY(drmaa_job_ps(ids[1], &state, DIAG));
    if (state != DRMAA_PS_USER_ON_HOLD)
        give_up("%s is in state %#x", ids[1], (unsigned)state);
    TRY(drmaa_control(job, DRMAA_CONTROL_TERMINATE, DIAG));
    take_end(job, ended);
    TRY(drmaa_control(DRMAA_JOB_IDS_SESSION_ALL, DRMAA_CONTROL_TERMINATE, DIAG));
    TRY(drmaa_synchronize((const char *[]){ ids[0], ids[2], NULL }, DRMAA_TIMEOUT_WAIT_FOREVER, 0,
                          DIAG));
    for (int i = 0; i < TASKS; i++)
        take_end(DRMAA_JOB_IDS_SESSION_ANY, ended);
    TRY_FOR(DRMAA_ERRNO_INVALID_JOB, drmaa_wait(DRMAA_JOB_IDS_SESSION_ANY, NULL, 0, NULL,
                                                DRMAA_TIMEOUT_NO_WAIT, NULL, DIAG));
    TRY(drmaa_delete_job_template(jt, DIAG));
    TRY(drmaa_exit(DIAG));
}

static int count_entries(const char *path)
{
    int n = 0;
    DIR *dir = opendir(path);
    while (dir != NULL && readdir(dir) != NULL)
        n++;
    if (dir != NULL)
        closedir(dir);
    return n;
}

/* a thread that was joined leaves the list a moment later */
static int count_threads(int wanted)
{
    uint64_t until_us = uti_mono_us() + 10 * 1000 * 1000;
    int n;
    while ((n = count_entries("/proc/self/task")) != wanted && uti_mono_us() < until_us)
        uti_sleep_ms(1);
    return n;
}

int main(int argc, char **argv)
{
    uint32_t first, step;
    if (argc != 3 || !parse_u32(argv[1], &first) || !parse_u32(argv[2], &step))
        return 2;
    int fds = count_entries("/proc/self/fd"), threads = count_entries("/proc/self/task");
    long left = -1;
    for (round_number = first; left < 0; round_number += step) {
        until_refusal = round_number;
        play_session();
        left = until_refusal;
        int more_fds = count_entries("/proc/self/fd") - fds;
        int more_threads = count_threads(threads) - threads;
        if (more_fds != 0 || more_threads != 0)
            give_up("%d descriptors and %d threads are left", more_fds, more_threads);
    }
    printf("%ld\n", round_number - (long)step - left);
    return 0;
}
