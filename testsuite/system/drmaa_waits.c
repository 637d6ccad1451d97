/* drmaa_waits tasks THREADS TASKS - a bulk job whose tasks are waited for one by one, by threads in
 * turn; prints how often these slept.
 * drmaa_waits second - says "ready", and when a line has come waits a second for a job that does
 * not end, between "begin" and "end". */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "common/basis.h"
#include "drmaa_program.h"

enum { TASKS_MOST = 100000 };

struct waits {
    pthread_mutex_t lock; /* guards what follows */
    drmaa_job_ids_t *ids;
    uint32_t tasks;
    long sleeps;
};

static long sleeps_of_thread(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_THREAD, &usage) != 0)
        complain("no usage of a thread");
    return usage.ru_nvcsw;
}

static bool next_task(struct waits *w, char *id, size_t len)
{
    pthread_mutex_lock(&w->lock);
    bool is_some = drmaa_get_next_job_id(w->ids, id, len) == DRMAA_ERRNO_SUCCESS;
    w->tasks += is_some;
    pthread_mutex_unlock(&w->lock);
    return is_some;
}

static void *wait_in_turn(void *arg)
{
    struct waits *w = arg;
    char id[DRMAA_JOBNAME_BUFFER];
    long before = sleeps_of_thread();
    while (next_task(w, id, sizeof id))
        CHECK(drmaa_wait, id, NULL, 0, NULL, DRMAA_TIMEOUT_WAIT_FOREVER, NULL);
    long slept = sleeps_of_thread() - before;
    pthread_mutex_lock(&w->lock);
    w->sleeps += slept;
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static void wait_for_tasks(uint32_t threads, uint32_t tasks)
{
    struct waits w = { .lock = PTHREAD_MUTEX_INITIALIZER };
    drmaa_job_template_t *jt = make_template("/bin/true", DRMAA_SUBMISSION_STATE_ACTIVE);
    CHECK(drmaa_run_bulk_jobs, &w.ids, jt, 1, (int)tasks, 1);
    run_threads(threads, wait_in_turn, &w);
    if (w.tasks != tasks)
        complain("%u ids of %u tasks", w.tasks, tasks);
    printf("%ld\n", w.sleeps);
    drmaa_release_job_ids(w.ids);
    CHECK(drmaa_delete_job_template, jt);
}

static void say(const char *word)
{
    printf("%s\n", word);
    fflush(stdout);
}

static void wait_a_second(void)
{
    drmaa_job_template_t *jt = make_template("/bin/true", DRMAA_SUBMISSION_STATE_HOLD);
    char id[DRMAA_JOBNAME_BUFFER], line[DRMAA_JOBNAME_BUFFER];
    CHECK(drmaa_run_job, id, sizeof id, jt);
    say("ready");
    if (fgets(line, sizeof line, stdin) == NULL)
        complain("nobody says go on");
    say("begin");
    REFUSED(DRMAA_ERRNO_EXIT_TIMEOUT, drmaa_wait, id, NULL, 0, NULL, 1, NULL);
    say("end");
    CHECK(drmaa_control, id, DRMAA_CONTROL_TERMINATE);
    CHECK(drmaa_wait, id, NULL, 0, NULL, DRMAA_TIMEOUT_WAIT_FOREVER, NULL);
    CHECK(drmaa_delete_job_template, jt);
}

int main(int argc, char **argv)
{
    CHECK(drmaa_init, NULL);
    if (argc == 4 && strcmp(argv[1], "tasks") == 0)
        wait_for_tasks(read_count(argv[2], THREADS_MOST), read_count(argv[3], TASKS_MOST));
    else if (argc == 2 && strcmp(argv[1], "second") == 0)
        wait_a_second();
    else
        complain("usage: drmaa_waits tasks THREADS TASKS | second");
    end_session();
    return 0;
}
