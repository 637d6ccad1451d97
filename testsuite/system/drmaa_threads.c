/* drmaa_threads ACT ARGUMENT... - a program with many threads in one DRMAA session; without
 * arguments it lists the acts. It exits with 0 when all that DRMAA promises was so, and says what
 * was not. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/basis.h"
#include "drmaa_program.h"

/* 99 and 100 would run a job again, or park it */
enum { STATUSES = 90, JOBS_MOST = 100000, TASKS_MOST = 100000, ROUNDS_MOST = 1000 };

/* ---- reap ---- */

/* what all threads know; LOCK guards the counts */
struct reaping {
    bool is_any;
    uint32_t jobs, threads;
    pthread_barrier_t submitted;
    pthread_mutex_t lock;
    uint32_t n_threads, n_submitted, n_reaped;
    char (*ids)[DRMAA_SIGNAL_BUFFER]; /* by index; job i exits with i % STATUSES */
    uint32_t *reaped;                 /* how often */
};

/* a line for each tenth of the way, on which the test acts; under the lock */
static void say_progress(const struct reaping *r, const char *what, uint32_t n)
{
    if (n % (r->jobs / 10) == 0)
        printf("%s %u\n", what, n);
    fflush(stdout);
}

static void submit_one(struct reaping *r, uint32_t i)
{
    char text[DRMAA_SIGNAL_BUFFER];
    (void)snprintf(text, sizeof text, "exit %u", i % STATUSES);
    drmaa_job_template_t *jt = make_shell_template(text, DRMAA_SUBMISSION_STATE_ACTIVE);
    CHECK(drmaa_run_job, r->ids[i], sizeof r->ids[i], jt);
    CHECK(drmaa_delete_job_template, jt);
    pthread_mutex_lock(&r->lock);
    say_progress(r, "submitted", ++r->n_submitted);
    pthread_mutex_unlock(&r->lock);
}

static uint32_t index_of(const struct reaping *r, const char *id)
{
    for (uint32_t i = 0; i < r->jobs; i++)
        if (strcmp(r->ids[i], id) == 0)
            return i;
    complain("%s is nobody's job", id);
}

/* the value of NAME in USAGE, which is read to its end */
static double figure_of(const char *id, const char *text, const char *name)
{
    const char *at = strstr(text, name);
    if (at == NULL)
        complain("%s: the usage has no %s:%s", id, name, text);
    return strtod(at + strlen(name), NULL);
}

static void check_usage(const char *id, drmaa_attr_values_t *usage, uint32_t status)
{
    char all[64 * DRMAA_SIGNAL_BUFFER] = " ", one[DRMAA_ATTR_BUFFER];
    while (drmaa_get_next_attr_value(usage, one, sizeof one) == DRMAA_ERRNO_SUCCESS)
        (void)snprintf(all + strlen(all), sizeof all - strlen(all), "%s ", one);
    drmaa_release_attr_values(usage);
    double submitted = figure_of(id, all, " submission_time=");
    double started = figure_of(id, all, " start_time="), ended = figure_of(id, all, " end_time=");
    if (figure_of(id, all, " exit_status=") != status || figure_of(id, all, " signal=") != 0)
        complain("%s: exit status %u, and the usage says%s", id, status, all);
    if (submitted <= 0 || started < submitted || ended < started)
        complain("%s: times out of order:%s", id, all);
    (void)figure_of(id, all, " ru_wallclock=");
    (void)figure_of(id, all, " acct_cpu=");
}

/* STAT and USAGE say that the job exited with STATUS */
static void check_end(const char *id, int stat, drmaa_attr_values_t *usage, uint32_t status)
{
    int exited = 0, code = -1, signaled = 1, aborted = 1;
    CHECK(drmaa_wifexited, &exited, stat);
    CHECK(drmaa_wifsignaled, &signaled, stat);
    CHECK(drmaa_wifaborted, &aborted, stat);
    if (!exited || signaled || aborted)
        complain("%s: exited %d, signaled %d, aborted %d", id, exited, signaled, aborted);
    CHECK(drmaa_wexitstatus, &code, stat);
    if (code != (int)status)
        complain("%s: exit status %d instead of %u", id, code, status);
    check_usage(id, usage, status);
}

/* false: nobody will end any more */
static bool reap_one(struct reaping *r, const char *id)
{
    char ended[DRMAA_JOBNAME_BUFFER], diag[DRMAA_ERROR_STRING_BUFFER] = "";
    drmaa_attr_values_t *usage;
    int stat, number = drmaa_wait(id, ended, sizeof ended, &stat, DRMAA_TIMEOUT_WAIT_FOREVER,
                                  &usage, diag, sizeof diag);
    if (r->is_any && number == DRMAA_ERRNO_INVALID_JOB)
        return false;
    check_number("drmaa_wait", number, DRMAA_ERRNO_SUCCESS, diag);
    uint32_t i = index_of(r, ended);
    check_end(ended, stat, usage, i % STATUSES);
    pthread_mutex_lock(&r->lock);
    r->reaped[i]++;
    say_progress(r, "reaped", ++r->n_reaped);
    pthread_mutex_unlock(&r->lock);
    return true;
}

static void *submit_and_reap(void *arg)
{
    struct reaping *r = arg;
    pthread_mutex_lock(&r->lock);
    uint32_t mine = r->n_threads++;
    pthread_mutex_unlock(&r->lock);
    for (uint32_t i = mine; i < r->jobs; i += r->threads)
        submit_one(r, i);
    pthread_barrier_wait(&r->submitted);
    for (uint32_t i = mine; !r->is_any && i < r->jobs; i += r->threads)
        (void)reap_one(r, r->ids[i]);
    while (r->is_any && reap_one(r, DRMAA_JOB_IDS_SESSION_ANY))
        continue;
    return NULL;
}

static void check_reaped(const struct reaping *r)
{
    for (uint32_t i = 0; i < r->jobs; i++)
        if (r->reaped[i] != 1)
            complain("%s was reaped %u times", r->ids[i], r->reaped[i]);
}

static void act_reap(char *const *argv)
{
    struct reaping r = { .is_any = strcmp(argv[0], "any") == 0,
                         .threads = read_count(argv[1], THREADS_MOST),
                         .jobs = read_count(argv[2], JOBS_MOST) };
    r.ids = calloc(r.jobs, sizeof *r.ids);
    r.reaped = calloc(r.jobs, sizeof *r.reaped);
    pthread_mutex_init(&r.lock, NULL);
    pthread_barrier_init(&r.submitted, NULL, r.threads);
    run_threads(r.threads, submit_and_reap, &r);
    check_reaped(&r);
    REFUSED(DRMAA_ERRNO_INVALID_JOB, drmaa_wait, DRMAA_JOB_IDS_SESSION_ANY, NULL, 0, NULL,
            DRMAA_TIMEOUT_NO_WAIT, NULL);
    free(r.ids);
    free(r.reaped);
}

/* ---- rest ---- */

struct rest {
    pthread_barrier_t ready;
    pthread_mutex_t lock;
    uint32_t taken;
};

static void *take_rest(void *arg)
{
    struct rest *r = arg;
    char diag[DRMAA_ERROR_STRING_BUFFER] = "";
    int number;
    pthread_barrier_wait(&r->ready);
    while ((number = drmaa_wait(DRMAA_JOB_IDS_SESSION_ANY, NULL, 0, NULL,
                                DRMAA_TIMEOUT_WAIT_FOREVER, NULL, diag, sizeof diag)) ==
           DRMAA_ERRNO_SUCCESS) {
        pthread_mutex_lock(&r->lock);
        r->taken++;
        pthread_mutex_unlock(&r->lock);
    }
    check_number("drmaa_wait", number, DRMAA_ERRNO_INVALID_JOB, diag);
    return NULL;
}

static void *end_rest(void *arg)
{
    struct rest *r = arg;
    pthread_barrier_wait(&r->ready);
    CHECK(drmaa_control, DRMAA_JOB_IDS_SESSION_ALL, DRMAA_CONTROL_TERMINATE);
    return NULL;
}

static void act_rest(char *const *argv)
{
    uint32_t threads = read_count(argv[0], THREADS_MOST), tasks = read_count(argv[1], TASKS_MOST);
    struct rest r = { .taken = 0 };
    pthread_t ender;
    drmaa_job_ids_t *ids;
    pthread_mutex_init(&r.lock, NULL);
    pthread_barrier_init(&r.ready, NULL, threads + 1);
    drmaa_job_template_t *jt = make_template("/bin/true", DRMAA_SUBMISSION_STATE_HOLD);
    CHECK(drmaa_run_bulk_jobs, &ids, jt, 1, (int)tasks, 1);
    if (pthread_create(&ender, NULL, end_rest, &r) != 0)
        complain("no thread");
    run_threads(threads, take_rest, &r);
    pthread_join(ender, NULL);
    if (r.taken != tasks)
        complain("%u ends were taken instead of %u", r.taken, tasks);
    drmaa_release_job_ids(ids);
    CHECK(drmaa_delete_job_template, jt);
}

/* ---- the table ---- */

static const struct {
    const char *name, *arguments;
    int n;
    void (*act)(char *const *argv);
} acts[] = {
    { "reap", "any|id THREADS JOBS: submits as many, and takes each end once", 3, act_reap },
    { "rest", "THREADS TASKS: all wait for any of as many held tasks, which are terminated", 2,
      act_rest },
};

static int list_acts(void)
{
    fprintf(stderr, "usage: drmaa_threads ACT ARGUMENT...\n");
    for (size_t i = 0; i < ARRAY_LEN(acts); i++)
        fprintf(stderr, "  %s %s\n", acts[i].name, acts[i].arguments);
    return 2;
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < ARRAY_LEN(acts); i++) {
        if (strcmp(argv[1], acts[i].name) != 0 || argc - 2 != acts[i].n)
            continue;
        CHECK(drmaa_init, NULL);
        acts[i].act(argv + 2);
        end_session();
        return 0;
    }
    return list_acts();
}
