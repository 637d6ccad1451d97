/* drmaa_edges - calls functions of DRMAA rightly, at the edges of what they allow: in a session
 * without jobs, of jobs whose ends have been taken, with lists that end with
 * DRMAA_JOB_IDS_SESSION_ALL, with buffers of every small size that end where memory ends, after the
 * session, and while it ends and begins. Each does what drmaa_wait(3) and its neighbours say. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/basis.h"
#include "drmaa_program.h"

#define NO_JOB  DRMAA_ERRNO_INVALID_JOB
#define OUTSIDE DRMAA_ERRNO_NO_ACTIVE_SESSION
#define FOREVER DRMAA_TIMEOUT_WAIT_FOREVER
#define NO_WAIT DRMAA_TIMEOUT_NO_WAIT

static const char *all[] = { DRMAA_JOB_IDS_SESSION_ALL, NULL };
static const char any[] = DRMAA_JOB_IDS_SESSION_ANY;
static const int actions[] = { DRMAA_CONTROL_SUSPEND, DRMAA_CONTROL_RESUME, DRMAA_CONTROL_HOLD,
                               DRMAA_CONTROL_RELEASE, DRMAA_CONTROL_TERMINATE };

/* where readable memory ends: BYTES in front of a page that nothing may touch */
static void *last_bytes(size_t bytes)
{
    static char *pages;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (pages == NULL) {
        pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_NONE) != 0)
            complain("no page that nothing may touch");
    }
    return pages + page - bytes;
}

/* ---- lists of ids ---- */

/* ID alone, and nothing behind it */
static const char **list_without_end(const char *id)
{
    const char **list = last_bytes(sizeof *list);
    *list = id;
    return list;
}

/* what a session answers in which there is nothing to wait for */
static void check_nothing_left(void)
{
    for (int dispose = 0; dispose < 2; dispose++) {
        CHECK(drmaa_synchronize, all, NO_WAIT, dispose);
        CHECK(drmaa_synchronize, all, FOREVER, dispose);
        CHECK(drmaa_synchronize, list_without_end(all[0]), FOREVER, dispose);
        CHECK(drmaa_synchronize, all + 1, FOREVER, dispose);
    }
    REFUSED(NO_JOB, drmaa_wait, any, NULL, 0, NULL, NO_WAIT, NULL);
    REFUSED(NO_JOB, drmaa_wait, any, NULL, 0, NULL, FOREVER, NULL);
    for (size_t i = 0; i < ARRAY_LEN(actions); i++)
        CHECK(drmaa_control, all[0], actions[i]);
}

/* ID is not in the session: it counts as ended, and cannot be taken */
static void check_not_there(const char *id)
{
    const char *one[] = { id, NULL }, *both[] = { id, all[0], NULL };
    CHECK(drmaa_synchronize, one, FOREVER, 0);
    CHECK(drmaa_synchronize, one, FOREVER, 1);
    CHECK(drmaa_synchronize, both, FOREVER, 0);
    REFUSED(NO_JOB, drmaa_wait, id, NULL, 0, NULL, FOREVER, NULL);
}

static void an_empty_session(void)
{
    check_nothing_left();
    check_not_there("4711");
    check_not_there("4711.3");
}

enum { TASKS = 3 };

static void reaped_jobs(void)
{
    char job[DRMAA_JOBNAME_BUFFER], ids[TASKS][DRMAA_JOBNAME_BUFFER], array[DRMAA_JOBNAME_BUFFER];
    drmaa_job_template_t *jt = make_template("/bin/true", DRMAA_SUBMISSION_STATE_ACTIVE);
    drmaa_job_ids_t *list;
    CHECK(drmaa_run_job, job, sizeof job, jt);
    CHECK(drmaa_run_bulk_jobs, &list, jt, 1, TASKS, 1);
    for (int i = 0; i < TASKS; i++)
        check_number("drmaa_get_next_job_id", drmaa_get_next_job_id(list, ids[i], sizeof ids[i]), 0,
                     "");
    drmaa_release_job_ids(list);
    (void)snprintf(array, sizeof array, "%.*s", (int)strcspn(ids[0], "."), ids[0]);

    const char *one[] = { job, NULL }, *some[] = { ids[1], job, ids[2], ids[1], NULL };
    CHECK(drmaa_synchronize, one, FOREVER, 0);
    CHECK(drmaa_synchronize, one, FOREVER, 1);
    check_not_there(job);
    CHECK(drmaa_wait, ids[0], NULL, 0, NULL, FOREVER, NULL);
    check_not_there(ids[0]);
    CHECK(drmaa_synchronize, some, FOREVER, 1); /* one of them twice, and one that is not there */
    check_not_there(ids[1]);
    check_not_there(array);
    check_nothing_left();

    CHECK(drmaa_run_bulk_jobs, &list, jt, 1, TASKS, 1);
    drmaa_release_job_ids(list);
    CHECK(drmaa_synchronize, list_without_end(all[0]), FOREVER, 0);
    for (int i = 0; i < TASKS; i++)
        CHECK(drmaa_wait, any, NULL, 0, NULL, NO_WAIT, NULL);
    check_nothing_left();
    CHECK(drmaa_delete_job_template, jt);
}

/* of an array that has ended, the state by its number is that of its first task */
static void the_state_of_an_array_that_has_ended(void)
{
    static const struct {
        const char *text;
        int state;
    } rows[] = { { "exit 0", DRMAA_PS_DONE },
                 { "exit 1", DRMAA_PS_FAILED },
                 { "exit $((SGE_TASK_ID - 1))", DRMAA_PS_DONE } };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        drmaa_job_template_t *jt = make_shell_template(rows[i].text, DRMAA_SUBMISSION_STATE_ACTIVE);
        char id[DRMAA_JOBNAME_BUFFER];
        drmaa_job_ids_t *list;
        int state = 0;
        CHECK(drmaa_run_bulk_jobs, &list, jt, 1, TASKS, 1);
        check_number("drmaa_get_next_job_id", drmaa_get_next_job_id(list, id, sizeof id), 0, "");
        drmaa_release_job_ids(list);
        CHECK(drmaa_synchronize, all, FOREVER, 0);
        id[strcspn(id, ".")] = '\0';
        CHECK(drmaa_job_ps, id, &state);
        if (state != rows[i].state)
            complain("%s: state %#x", rows[i].text, (unsigned)state);
        CHECK(drmaa_synchronize, all, FOREVER, 1);
        CHECK(drmaa_delete_job_template, jt);
    }
}

/* ---- buffers ---- */

typedef int (*text_fn)(char *out, size_t bytes);

static char said[DRMAA_ERROR_STRING_BUFFER];
static drmaa_job_template_t *shared;
static int ended_by_signal;

static int get_contact(char *out, size_t bytes)
{
    return drmaa_get_contact(out, bytes, said, sizeof said);
}

static int get_system(char *out, size_t bytes)
{
    return drmaa_get_DRM_system(out, bytes, said, sizeof said);
}

static int get_implementation(char *out, size_t bytes)
{
    return drmaa_get_DRMAA_implementation(out, bytes, said, sizeof said);
}

static int get_attribute(char *out, size_t bytes)
{
    return drmaa_get_attribute(shared, DRMAA_REMOTE_COMMAND, out, bytes, said, sizeof said);
}

static int get_signal(char *out, size_t bytes)
{
    return drmaa_wtermsig(out, bytes, ended_by_signal, said, sizeof said);
}

static int get_first_name(char *out, size_t bytes)
{
    drmaa_attr_names_t *names;
    CHECK(drmaa_get_attribute_names, &names);
    int number = drmaa_get_next_attr_name(names, out, bytes);
    drmaa_release_attr_names(names);
    return number;
}

static int get_first_value(char *out, size_t bytes)
{
    drmaa_attr_values_t *values;
    CHECK(drmaa_get_vector_attribute, shared, DRMAA_V_ARGV, &values);
    int number = drmaa_get_next_attr_value(values, out, bytes);
    drmaa_release_attr_values(values);
    return number;
}

/* what is wrong is said in a buffer, too */
static int get_diagnosis(char *out, size_t bytes)
{
    int number = drmaa_set_attribute(shared, "nonsense", "x", out, bytes);
    return number == DRMAA_ERRNO_INVALID_ARGUMENT ? DRMAA_ERRNO_SUCCESS : number;
}

static int get_diagnosis_of_init(char *out, size_t bytes)
{
    int number = drmaa_init(NULL, out, bytes);
    return number == DRMAA_ERRNO_ALREADY_ACTIVE_SESSION ? DRMAA_ERRNO_SUCCESS : number;
}

/* FN fills a buffer of any size with as much as has room, and no byte behind it */
static void check_sizes(const char *name, text_fn fn)
{
    char whole[DRMAA_ERROR_STRING_BUFFER] = "";
    check_number(name, fn(whole, sizeof whole), DRMAA_ERRNO_SUCCESS, "");
    for (size_t bytes = 0; bytes <= strlen(whole) + 1; bytes++) {
        char *out = last_bytes(bytes);
        check_number(name, fn(out, bytes), DRMAA_ERRNO_SUCCESS, "");
        size_t len = bytes > 0 ? bytes - 1 : 0;
        if (bytes > 0 && (strncmp(out, whole, len) != 0 || out[len] != '\0'))
            complain("%s: %zu bytes have another text", name, bytes);
    }
    check_number(name, fn(whole, SIZE_MAX), DRMAA_ERRNO_SUCCESS, "");
}

static void the_ids_of_jobs(void)
{
    char *out = last_bytes(1);
    drmaa_job_template_t *jt = make_template("/bin/true", DRMAA_SUBMISSION_STATE_ACTIVE);
    drmaa_job_ids_t *list;
    for (size_t bytes = 0; bytes < 2; bytes++) {
        out = last_bytes(bytes);
        CHECK(drmaa_run_job, out, bytes, jt);
        CHECK(drmaa_wait, any, out, bytes, NULL, FOREVER, NULL);
        CHECK(drmaa_run_bulk_jobs, &list, jt, 1, 1, 1);
        check_number("drmaa_get_next_job_id", drmaa_get_next_job_id(list, out, bytes), 0, "");
        drmaa_release_job_ids(list);
        CHECK(drmaa_wait, any, out, bytes, NULL, FOREVER, NULL);
    }
    CHECK(drmaa_delete_job_template, jt);
}

static void small_buffers(void)
{
    static const struct {
        const char *name;
        text_fn fn;
    } rows[] = { { "drmaa_get_contact", get_contact },
                 { "drmaa_get_DRM_system", get_system },
                 { "drmaa_get_DRMAA_implementation", get_implementation },
                 { "drmaa_get_attribute", get_attribute },
                 { "drmaa_wtermsig", get_signal },
                 { "drmaa_get_next_attr_name", get_first_name },
                 { "drmaa_get_next_attr_value", get_first_value },
                 { "the diagnosis of drmaa_set_attribute", get_diagnosis },
                 { "the diagnosis of drmaa_init", get_diagnosis_of_init } };
    char id[DRMAA_JOBNAME_BUFFER];
    shared = make_shell_template("kill -9 $$", DRMAA_SUBMISSION_STATE_ACTIVE);
    CHECK(drmaa_run_job, id, sizeof id, shared);
    CHECK(drmaa_wait, id, NULL, 0, &ended_by_signal, FOREVER, NULL);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        check_sizes(rows[i].name, rows[i].fn);
    the_ids_of_jobs();
}

/* ---- after the session, and while it ends ---- */

/* each function that needs a session; WANTED: OUTSIDE, or -1 for whatever they say */
static void call_all(int wanted)
{
    char out[DRMAA_JOBNAME_BUFFER];
    drmaa_job_template_t *jt;
    drmaa_attr_names_t *names;
    drmaa_attr_values_t *values;
    drmaa_job_ids_t *ids;
    int n, stat;
    int numbers[] = {
        drmaa_get_attribute(shared, DRMAA_WD, out, sizeof out, NULL, 0),
        drmaa_set_attribute(shared, DRMAA_JOB_NAME, "x", NULL, 0),
        drmaa_run_job(out, 0, NULL, NULL, 0),
        drmaa_run_bulk_jobs(&ids, NULL, 1, 2, 1, NULL, 0),
        drmaa_control(all[0], DRMAA_CONTROL_HOLD, NULL, 0),
        drmaa_control("1", DRMAA_CONTROL_HOLD, NULL, 0),
        drmaa_job_ps("1", &n, NULL, 0),
        drmaa_synchronize(all, FOREVER, 1, NULL, 0),
        drmaa_wait(any, out, sizeof out, &stat, FOREVER, NULL, NULL, 0),
    };
    for (size_t i = 0; wanted >= 0 && i < ARRAY_LEN(numbers); i++)
        check_number("a function without a session", numbers[i], wanted, "");
    if (drmaa_allocate_job_template(&jt, NULL, 0) == DRMAA_ERRNO_SUCCESS)
        (void)drmaa_delete_job_template(jt, NULL, 0);
    if (drmaa_get_attribute_names(&names, NULL, 0) == DRMAA_ERRNO_SUCCESS)
        drmaa_release_attr_names(names);
    if (drmaa_get_vector_attribute(shared, DRMAA_V_ARGV, &values, NULL, 0) == DRMAA_ERRNO_SUCCESS)
        drmaa_release_attr_values(values);
}

/* what a program got in a session it may use after it */
static void after_the_session(void)
{
    char out[DRMAA_JOBNAME_BUFFER];
    drmaa_job_ids_t *ids;
    int n = 0;
    drmaa_job_template_t *jt = make_template("/bin/true", DRMAA_SUBMISSION_STATE_HOLD);
    CHECK(drmaa_run_bulk_jobs, &ids, jt, 1, 2, 1);
    CHECK(drmaa_control, all[0], DRMAA_CONTROL_TERMINATE);
    CHECK(drmaa_synchronize, all, FOREVER, 1);
    end_session();
    call_all(OUTSIDE);
    check_number("drmaa_exit", drmaa_exit(NULL, 0), OUTSIDE, "");
    check_number("drmaa_get_num_job_ids", drmaa_get_num_job_ids(ids, &n), 0, "");
    for (; n > 0; n--)
        check_number("drmaa_get_next_job_id", drmaa_get_next_job_id(ids, out, sizeof out), 0, "");
    drmaa_release_job_ids(ids);
    check_number("drmaa_wtermsig", get_signal(out, sizeof out), 0, "");
    CHECK(drmaa_init, NULL);
    CHECK(drmaa_delete_job_template, jt); /* the handle is the program's, not the session's */
}

static atomic_bool is_over;

static void *call_on(void *arg)
{
    (void)arg;
    while (!is_over)
        call_all(-1);
    return NULL;
}

static void *end_and_begin(void *arg)
{
    enum { ROUNDS = 20 };
    (void)arg;
    for (int i = 0; i < ROUNDS; i++) {
        end_session();
        CHECK(drmaa_init, NULL);
    }
    is_over = true;
    return NULL;
}

static void *in_turn(void *arg)
{
    static atomic_int next;
    return next++ == 0 ? end_and_begin(arg) : call_on(arg);
}

static void while_sessions_end_and_begin(void)
{
    enum { THREADS = 8 };
    run_threads(THREADS, in_turn, NULL);
}

int main(void)
{
    CHECK(drmaa_init, NULL);
    an_empty_session();
    reaped_jobs();
    the_state_of_an_array_that_has_ended();
    small_buffers();
    after_the_session();
    while_sessions_end_and_begin();
    CHECK(drmaa_delete_job_template, shared);
    end_session();
    return 0;
}
