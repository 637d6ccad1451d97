/* drmaa_crowd THREADS ROUNDS - as many threads use one DRMAA session at the same time, each as
 * often: they submit, ask, control, synchronize and wait, and read lists. Each sees how its own
 * jobs ended. */
#include <stdio.h>
#include <string.h>

#include "common/basis.h"
#include "drmaa_program.h"

enum { ROUNDS_MOST = 1000, TASKS = 3, STATUS = 7 };

/* templates and lists of one's own, without the qmaster */
static void read_lists(drmaa_job_template_t *jt)
{
    drmaa_attr_names_t *names;
    drmaa_attr_values_t *args;
    char text[DRMAA_ATTR_BUFFER];
    int n = 0;
    CHECK(drmaa_get_attribute_names, &names);
    while (drmaa_get_next_attr_name(names, text, sizeof text) == DRMAA_ERRNO_SUCCESS)
        n++;
    drmaa_release_attr_names(names);
    CHECK(drmaa_get_vector_attribute, jt, DRMAA_V_ARGV, &args);
    while (drmaa_get_next_attr_value(args, text, sizeof text) == DRMAA_ERRNO_SUCCESS)
        n++;
    drmaa_release_attr_values(args);
    if (n <= 2 || strcmp(text, "exit 7") != 0)
        complain("%d names and arguments, the last is %s", n, text);
}

static void check_state(const char *id, int wanted)
{
    int state;
    CHECK(drmaa_job_ps, id, &state);
    if (state != wanted)
        complain("%s: state %#x instead of %#x", id, (unsigned)state, (unsigned)wanted);
}

/* take the end of ID, which exited with STATUS */
static void reap(const char *id)
{
    char ended[DRMAA_JOBNAME_BUFFER];
    int stat, code;
    CHECK(drmaa_wait, id, ended, sizeof ended, &stat, DRMAA_TIMEOUT_WAIT_FOREVER, NULL);
    CHECK(drmaa_wexitstatus, &code, stat);
    if (strcmp(id, ended) != 0 || code != STATUS)
        complain("%s: %s ended with %d", id, ended, code);
    REFUSED(DRMAA_ERRNO_INVALID_JOB, drmaa_wait, id, NULL, 0, NULL, DRMAA_TIMEOUT_NO_WAIT, NULL);
}

static void run_held_job(void)
{
    drmaa_job_template_t *jt = make_shell_template("exit 7", DRMAA_SUBMISSION_STATE_HOLD);
    char id[DRMAA_JOBNAME_BUFFER];
    const char *ids[] = { id, NULL };
    read_lists(jt);
    CHECK(drmaa_run_job, id, sizeof id, jt);
    CHECK(drmaa_delete_job_template, jt);
    check_state(id, DRMAA_PS_USER_ON_HOLD);
    REFUSED(DRMAA_ERRNO_EXIT_TIMEOUT, drmaa_wait, id, NULL, 0, NULL, DRMAA_TIMEOUT_NO_WAIT, NULL);
    REFUSED(DRMAA_ERRNO_HOLD_INCONSISTENT_STATE, drmaa_control, id, DRMAA_CONTROL_HOLD);
    CHECK(drmaa_control, id, DRMAA_CONTROL_RELEASE);
    CHECK(drmaa_synchronize, ids, DRMAA_TIMEOUT_WAIT_FOREVER, 0);
    check_state(id, DRMAA_PS_FAILED); /* its exit status is not 0 */
    reap(id);
    REFUSED(DRMAA_ERRNO_INVALID_JOB, drmaa_control, id, DRMAA_CONTROL_TERMINATE);
}

static void run_array(void)
{
    drmaa_job_template_t *jt = make_shell_template("exit 7", DRMAA_SUBMISSION_STATE_ACTIVE);
    drmaa_job_ids_t *ids;
    char id[DRMAA_JOBNAME_BUFFER];
    int n = 0;
    CHECK(drmaa_run_bulk_jobs, &ids, jt, 1, TASKS, 1);
    for (; drmaa_get_next_job_id(ids, id, sizeof id) == DRMAA_ERRNO_SUCCESS; n++)
        reap(id);
    if (n != TASKS)
        complain("%d ids of %d tasks", n, TASKS);
    drmaa_release_job_ids(ids);
    CHECK(drmaa_delete_job_template, jt);
}

static void *use_session(void *arg)
{
    const uint32_t *rounds = arg;
    for (uint32_t i = 0; i < *rounds; i++) {
        run_held_job();
        run_array();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        complain("usage: drmaa_crowd THREADS ROUNDS");
    uint32_t threads = read_count(argv[1], THREADS_MOST), rounds = read_count(argv[2], ROUNDS_MOST);
    CHECK(drmaa_init, NULL);
    run_threads(threads, use_session, &rounds);
    REFUSED(DRMAA_ERRNO_INVALID_JOB, drmaa_wait, DRMAA_JOB_IDS_SESSION_ANY, NULL, 0, NULL,
            DRMAA_TIMEOUT_NO_WAIT, NULL);
    end_session();
    return 0;
}
