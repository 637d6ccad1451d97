/* drmaa_rate run THREADS JOBS: submits JOBS held jobs by drmaa_run_job, from as many threads of one
 * session, and terminates them.
 * drmaa_rate wait TASKS: a bulk job whose tasks are waited for one by one.
 * Prints the seconds that submitting, or all of it, took. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libs/drmaa/drmaa.h"
#include "libs/uti/parse.h"

enum { THREADS_MOST = 64, COUNT_MOST = 1000000 };

static void check_number(int number, const char *diag)
{
    if (number == DRMAA_ERRNO_SUCCESS)
        return;
    fprintf(stderr, "drmaa_rate: %s: %s\n", drmaa_strerror(number), diag);
    exit(1);
}

#define CHECK(function, ...)                                                                       \
    do {                                                                                           \
        char diag[DRMAA_ERROR_STRING_BUFFER] = "";                                                 \
        check_number(function(__VA_ARGS__, diag, sizeof diag), diag);                              \
    } while (0)

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static drmaa_job_template_t *make_template(const char *state)
{
    drmaa_job_template_t *jt;
    CHECK(drmaa_allocate_job_template, &jt);
    CHECK(drmaa_set_attribute, jt, DRMAA_REMOTE_COMMAND, "/bin/true");
    CHECK(drmaa_set_attribute, jt, DRMAA_OUTPUT_PATH, ":/dev/null");
    CHECK(drmaa_set_attribute, jt, DRMAA_JOIN_FILES, "y");
    CHECK(drmaa_set_attribute, jt, DRMAA_JS_STATE, state);
    return jt;
}

struct share {
    drmaa_job_template_t *jt;
    int jobs;
};

static void *run_share(void *arg)
{
    const struct share *s = arg;
    char id[DRMAA_JOBNAME_BUFFER];
    for (int i = 0; i < s->jobs; i++)
        CHECK(drmaa_run_job, id, sizeof id, s->jt);
    return NULL;
}

static double run_jobs(int threads, int jobs)
{
    pthread_t v[THREADS_MOST];
    struct share s = { make_template(DRMAA_SUBMISSION_STATE_HOLD), jobs / threads };
    double start = now_s();
    for (int i = 0; i < threads; i++)
        if (pthread_create(&v[i], NULL, run_share, &s) != 0)
            exit(1);
    for (int i = 0; i < threads; i++)
        pthread_join(v[i], NULL);
    double took = now_s() - start;
    CHECK(drmaa_control, DRMAA_JOB_IDS_SESSION_ALL, DRMAA_CONTROL_TERMINATE);
    CHECK(drmaa_synchronize, (const char *[]){ DRMAA_JOB_IDS_SESSION_ALL, NULL },
          DRMAA_TIMEOUT_WAIT_FOREVER, 1);
    return took;
}

static double wait_for_tasks(int tasks)
{
    char id[DRMAA_JOBNAME_BUFFER], ended[DRMAA_JOBNAME_BUFFER];
    drmaa_job_ids_t *ids;
    int stat;
    double start = now_s();
    CHECK(drmaa_run_bulk_jobs, &ids, make_template(DRMAA_SUBMISSION_STATE_ACTIVE), 1, tasks, 1);
    while (drmaa_get_next_job_id(ids, id, sizeof id) == DRMAA_ERRNO_SUCCESS)
        CHECK(drmaa_wait, id, ended, sizeof ended, &stat, DRMAA_TIMEOUT_WAIT_FOREVER, NULL);
    return now_s() - start;
}

static int read_count(const char *text, uint32_t most)
{
    uint32_t n;
    if (parse_u32(text, &n) && n > 0 && n <= most)
        return (int)n;
    fprintf(stderr, "drmaa_rate: \"%s\" is not a number from 1 to %u\n", text, most);
    exit(2);
}

static double measure(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "run") == 0)
        return run_jobs(read_count(argv[2], THREADS_MOST), read_count(argv[3], COUNT_MOST));
    if (argc == 3 && strcmp(argv[1], "wait") == 0)
        return wait_for_tasks(read_count(argv[2], COUNT_MOST));
    fprintf(stderr, "usage: drmaa_rate run THREADS JOBS | wait TASKS\n");
    exit(2);
}

static void end_session(void)
{
    char diag[DRMAA_ERROR_STRING_BUFFER] = "";
    check_number(drmaa_exit(diag, sizeof diag), diag);
}

int main(int argc, char **argv)
{
    CHECK(drmaa_init, NULL);
    printf("%.6f\n", measure(argc, argv));
    end_session();
    return 0;
}
