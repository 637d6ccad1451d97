/* drmaa_misuse - calls every function of DRMAA wrongly, in every way that C lets through: without a
 * session, with NULL, with handles that are foreign, of another kind, freed and freed twice, with
 * texts of a megabyte, with names, values and formats that do not exist. Each answers with the
 * standard's number and says why; the program and its session go on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drmaa_program.h"

#define INVALID DRMAA_ERRNO_INVALID_ARGUMENT
#define OUTSIDE DRMAA_ERRNO_NO_ACTIVE_SESSION
#define VALUE   DRMAA_ERRNO_INVALID_ATTRIBUTE_VALUE
#define FORMAT  DRMAA_ERRNO_INVALID_ATTRIBUTE_FORMAT
#define NO_JOB  DRMAA_ERRNO_INVALID_JOB
enum { LONG_BYTES = 1 << 20 };

/* a call that must fail as WANTED, and say why */
#define WRONG(wanted, function, ...)                                                               \
    do {                                                                                           \
        char diag[DRMAA_ERROR_STRING_BUFFER] = "";                                                 \
        check_number(#function, function(__VA_ARGS__, diag, sizeof diag), wanted, diag);           \
        if (diag[0] == '\0')                                                                       \
            complain("line %d: %s does not say what is wrong", __LINE__, #function);               \
    } while (0)
/* the same of one that has no diagnosis */
#define SILENT(wanted, function, ...) check_number(#function, function(__VA_ARGS__), wanted, "")

static char long_text[LONG_BYTES];

static void without_a_session(void)
{
    drmaa_job_template_t *jt;
    drmaa_job_ids_t *ids;
    drmaa_attr_names_t *names;
    const char *all[] = { DRMAA_JOB_IDS_SESSION_ALL, NULL };
    char out[DRMAA_JOBNAME_BUFFER];
    int n;
    SILENT(OUTSIDE, drmaa_exit, out, sizeof out);
    WRONG(OUTSIDE, drmaa_allocate_job_template, &jt);
    WRONG(OUTSIDE, drmaa_get_attribute_names, &names);
    WRONG(OUTSIDE, drmaa_get_vector_attribute_names, &names);
    WRONG(OUTSIDE, drmaa_run_job, out, sizeof out, NULL);
    WRONG(OUTSIDE, drmaa_run_bulk_jobs, &ids, NULL, 1, 2, 1);
    WRONG(OUTSIDE, drmaa_control, "1", DRMAA_CONTROL_HOLD);
    WRONG(OUTSIDE, drmaa_job_ps, "1", &n);
    WRONG(OUTSIDE, drmaa_synchronize, all, 0, 0);
    WRONG(OUTSIDE, drmaa_wait, "1", out, sizeof out, &n, 0, NULL);
    WRONG(DRMAA_ERRNO_INVALID_CONTACT_STRING, drmaa_init, "no such thing");
    WRONG(DRMAA_ERRNO_INVALID_CONTACT_STRING, drmaa_init, long_text);
}

static void the_session(void)
{
    unsigned major;
    WRONG(DRMAA_ERRNO_ALREADY_ACTIVE_SESSION, drmaa_init, NULL);
    WRONG(INVALID, drmaa_version, NULL, NULL);
    WRONG(INVALID, drmaa_version, &major, NULL);
    WRONG(INVALID, drmaa_get_contact, NULL, 10);
    WRONG(INVALID, drmaa_get_DRM_system, NULL, 10);
    WRONG(INVALID, drmaa_get_DRMAA_implementation, NULL, 10);
    if (drmaa_strerror(-1) == NULL || drmaa_strerror(1 << 30) == NULL)
        complain("drmaa_strerror has no text for a number that is none");
}

static void a_template(drmaa_job_template_t *jt, int wanted)
{
    const char *values[] = { "x", NULL };
    drmaa_attr_values_t *list;
    drmaa_job_ids_t *ids;
    char out[DRMAA_JOBNAME_BUFFER];
    WRONG(wanted, drmaa_set_attribute, jt, DRMAA_WD, "/tmp");
    WRONG(wanted, drmaa_get_attribute, jt, DRMAA_WD, out, sizeof out);
    WRONG(wanted, drmaa_set_vector_attribute, jt, DRMAA_V_ARGV, values);
    WRONG(wanted, drmaa_get_vector_attribute, jt, DRMAA_V_ARGV, &list);
    WRONG(wanted, drmaa_run_job, out, sizeof out, jt);
    WRONG(wanted, drmaa_run_bulk_jobs, &ids, jt, 1, 2, 1);
    WRONG(wanted, drmaa_delete_job_template, jt);
}

static void attributes(drmaa_job_template_t *jt)
{
    const char *values[] = { "x", NULL }, *bad_environment[] = { "no equals sign", NULL };
    char out[DRMAA_ATTR_BUFFER];
    drmaa_attr_values_t *list;
    WRONG(INVALID, drmaa_allocate_job_template, NULL);
    WRONG(INVALID, drmaa_set_attribute, jt, NULL, "x");
    WRONG(INVALID, drmaa_set_attribute, jt, DRMAA_WD, NULL);
    WRONG(INVALID, drmaa_set_attribute, jt, "nonsense", "x");
    WRONG(INVALID, drmaa_set_attribute, jt, long_text, "x");
    WRONG(INVALID, drmaa_set_attribute, jt, DRMAA_V_ARGV, "x");
    WRONG(VALUE, drmaa_set_attribute, jt, DRMAA_JS_STATE, "sleeping");
    WRONG(VALUE, drmaa_set_attribute, jt, DRMAA_JOIN_FILES, "maybe");
    WRONG(FORMAT, drmaa_set_attribute, jt, DRMAA_START_TIME, "tomorrow");
    WRONG(INVALID, drmaa_get_attribute, jt, NULL, out, sizeof out);
    WRONG(INVALID, drmaa_get_attribute, jt, DRMAA_REMOTE_COMMAND, NULL, 10);
    WRONG(INVALID, drmaa_set_vector_attribute, jt, NULL, values);
    WRONG(INVALID, drmaa_set_vector_attribute, jt, DRMAA_V_ARGV, NULL);
    WRONG(INVALID, drmaa_set_vector_attribute, jt, DRMAA_WD, values);
    WRONG(FORMAT, drmaa_set_vector_attribute, jt, DRMAA_V_ENV, bad_environment);
    WRONG(INVALID, drmaa_get_vector_attribute, jt, DRMAA_V_ARGV, NULL);
    WRONG(INVALID, drmaa_get_vector_attribute, jt, "nonsense", &list);
    WRONG(INVALID, drmaa_get_attribute_names, NULL);
    WRONG(INVALID, drmaa_get_vector_attribute_names, NULL);
}

static void lists(drmaa_job_template_t *jt)
{
    drmaa_attr_names_t *names;
    char out[DRMAA_ATTR_BUFFER];
    int n;
    CHECK(drmaa_get_attribute_names, &names);
    void *wrong[] = { NULL, &names, jt, (void *)(uintptr_t)1, (void *)UINTPTR_MAX };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        SILENT(INVALID, drmaa_get_next_attr_name, wrong[i], out, sizeof out);
        SILENT(INVALID, drmaa_get_next_attr_value, wrong[i], out, sizeof out);
        SILENT(INVALID, drmaa_get_next_job_id, wrong[i], out, sizeof out);
        SILENT(INVALID, drmaa_get_num_attr_names, wrong[i], &n);
        SILENT(INVALID, drmaa_get_num_attr_values, wrong[i], &n);
        SILENT(INVALID, drmaa_get_num_job_ids, wrong[i], &n);
        drmaa_release_attr_names(wrong[i]);
        drmaa_release_attr_values(wrong[i]);
        drmaa_release_job_ids(wrong[i]);
    }
    SILENT(INVALID, drmaa_get_next_attr_name, names, NULL, 10);
    SILENT(INVALID, drmaa_get_num_attr_names, names, NULL);
    drmaa_release_attr_names(names);
    drmaa_release_attr_names(names);
    SILENT(INVALID, drmaa_get_num_attr_names, names, &n);
}

static void jobs(drmaa_job_template_t *jt)
{
    static const char *const none[] = { "", "x", "1.2.3", "-1", "0", "99999999999999999999" };
    char out[DRMAA_JOBNAME_BUFFER];
    const char *ids[] = { "4711", NULL };
    drmaa_job_ids_t *bulk;
    int n;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        const char *one[] = { none[i], NULL };
        WRONG(NO_JOB, drmaa_control, none[i], DRMAA_CONTROL_HOLD);
        WRONG(NO_JOB, drmaa_job_ps, none[i], &n);
        WRONG(NO_JOB, drmaa_synchronize, one, 0, 0);
        WRONG(NO_JOB, drmaa_wait, none[i], out, sizeof out, &n, 0, NULL);
    }
    WRONG(NO_JOB, drmaa_control, long_text, DRMAA_CONTROL_HOLD);
    WRONG(INVALID, drmaa_control, NULL, DRMAA_CONTROL_HOLD);
    WRONG(INVALID, drmaa_control, "1", 42);
    WRONG(INVALID, drmaa_job_ps, NULL, &n);
    WRONG(INVALID, drmaa_job_ps, "1", NULL);
    WRONG(INVALID, drmaa_synchronize, NULL, 0, 0);
    WRONG(INVALID, drmaa_synchronize, ids, -2, 0);
    WRONG(INVALID, drmaa_wait, NULL, out, sizeof out, &n, 0, NULL);
    WRONG(INVALID, drmaa_wait, "1", out, sizeof out, &n, -2, NULL);
    WRONG(INVALID, drmaa_run_job, NULL, 10, jt);
    WRONG(INVALID, drmaa_run_bulk_jobs, NULL, jt, 1, 2, 1);
    WRONG(INVALID, drmaa_run_bulk_jobs, &bulk, jt, 0, 2, 1);
    WRONG(INVALID, drmaa_run_bulk_jobs, &bulk, jt, 3, 2, 1);
    WRONG(INVALID, drmaa_run_bulk_jobs, &bulk, jt, 1, 2, -1);
    WRONG(INVALID, drmaa_run_bulk_jobs, &bulk, jt, 1, 3, 0);
    WRONG(INVALID, drmaa_run_bulk_jobs, &bulk, jt, 1, 1, 0);
    WRONG(INVALID, drmaa_run_bulk_jobs, &bulk, jt, 3, 1, 0);
}

static void numbers_of_ends(void)
{
    char out[DRMAA_SIGNAL_BUFFER];
    WRONG(INVALID, drmaa_wifexited, NULL, 0);
    WRONG(INVALID, drmaa_wexitstatus, NULL, 0);
    WRONG(INVALID, drmaa_wifsignaled, NULL, 0);
    WRONG(INVALID, drmaa_wtermsig, NULL, 10, 0);
    WRONG(INVALID, drmaa_wcoredump, NULL, 0);
    WRONG(INVALID, drmaa_wifaborted, NULL, 0);
    WRONG(INVALID, drmaa_wtermsig, out, sizeof out, 1 << 30);
}

int main(void)
{
    memset(long_text, 'x', sizeof long_text - 1);
    without_a_session();
    CHECK(drmaa_init, NULL);
    the_session();
    drmaa_job_template_t *jt = make_template("/bin/true", DRMAA_SUBMISSION_STATE_ACTIVE);
    a_template(NULL, INVALID);
    a_template((drmaa_job_template_t *)(void *)&jt, INVALID);
    attributes(jt);
    lists(jt);
    jobs(jt);
    numbers_of_ends();
    CHECK(drmaa_delete_job_template, jt);
    a_template(jt, INVALID);
    end_session();
    return 0;
}
