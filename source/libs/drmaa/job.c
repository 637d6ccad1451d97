/* From a template to a job: the options of request files, category and native specification in
 * rising rank (libs/cli), and above them the other attributes. Source: drmaa_attributes(3) */
#include "libs/drmaa/job.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/cli/job_command.h"
#include "libs/cli/option.h"
#include "libs/cli/parse_options.h"
#include "libs/cli/submitter.h"
#include "libs/drmaa/attributes.h"
#include "libs/drmaa/drmaa.h"
#include "libs/drmaa/msg_drmaa.h"
#include "libs/drmaa/template.h"
#include "libs/gdi/cell.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/job_state.h"
#include "libs/sgeobj/path_expand.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

#define ALLOW_ERROR_STATE "SGE_DRMAA_ALLOW_JOB_ERROR_STATE"

/* ---- paths ---- */

static size_t match_at(const char *at, const char *what)
{
    size_t len = strlen(what);
    return strncmp(at, what, len) == 0 ? len : 0;
}

void job_path(const char *path, const char *home, struct dstr *out)
{
    size_t n;
    if ((n = match_at(path, DRMAA_PLACEHOLDER_HD)) > 0) {
        dstr_add(out, home);
        path += n;
        if (*path != '/' && *path != '\0')
            dstr_addc(out, '/');
    } else if ((n = match_at(path, DRMAA_PLACEHOLDER_WD)) > 0) {
        path += n;
        path += strspn(path, "/"); /* a relative path is relative to the working directory */
        if (*path == '\0')
            dstr_addc(out, '.');
    }
    while (*path != '\0') {
        n = match_at(path, DRMAA_PLACEHOLDER_INCR);
        if (n > 0)
            dstr_add(out, "$TASK_ID");
        else
            dstr_addc(out, *path);
        path += n > 0 ? n : 1;
    }
}

static struct PN_Type *new_path(struct JB_Type *job, enum JB_Type_fields field)
{
    cull_clear_field(&cull_JB_Type, job, field);
    return field == JB_stdin_path_list    ? cull_append(job, JB_stdin_path_list)
           : field == JB_stdout_path_list ? cull_append(job, JB_stdout_path_list)
                                          : cull_append(job, JB_stderr_path_list);
}

/* The host of [host]:path says where a file that is staged comes from or goes to, and without one
 * it is the submit host. A file that is not staged is the one at the host where the job runs. */
static void set_path(struct PN_Type *pn, const char *value, bool is_staged, const char *submit_host)
{
    const char *colon = strchr(value, ':');
    struct dstr path = DSTR_INIT, host = DSTR_INIT;
    job_path(path_tilde(colon + 1, NULL, submitter_home_of, &path), "$HOME", &path);
    dstr_addn(&host, value, (size_t)(colon - value));
    cull_set(pn, PN_path, dstr_get(&path));
    if (host.len > 0)
        cull_set(pn, PN_file_host, dstr_get(&host));
    else if (is_staged)
        cull_set(pn, PN_file_host, submit_host);
    cull_set(pn, PN_file_staging, is_staged);
    dstr_free(&path);
    dstr_free(&host);
}

/* A relative directory is relative to the home directory. */
static void full_directory(const char *wd, const char *home, struct dstr *out)
{
    wd = path_tilde(wd, home, submitter_home_of, out);
    if (out->len == 0 && *wd != '/' && match_at(wd, DRMAA_PLACEHOLDER_HD) == 0)
        dstr_addf(out, "%s/", home);
    job_path(wd, home, out);
}

/* ---- categories ----
 *
 * In qtask files: a line is a name and the options that it stands for; `#` begins a comment line.
 * Source: qtask(5) */

#define QTASK_CELL "qtask"
#define QTASK_USER ".qtask"
#define BLANKS     " \t"
enum { QTASK_BYTES_MOST = 1024 * 1024 };

static bool is_entry_of(const char *line, size_t len, const char *name, size_t *skip)
{
    size_t plus = len > 0 && line[0] == '+', name_len = strlen(name);
    bool is_it = len > plus + name_len && memcmp(line + plus, name, name_len) == 0 &&
                 strchr(BLANKS, line[plus + name_len]) != NULL;
    *skip = plus + name_len;
    return is_it;
}

char *category_parse(const char *text, const char *name, bool *is_fixed)
{
    char *found = NULL;
    for (const char *line = text; *line != '\0';) {
        size_t len = strcspn(line, "\n"), skip;
        if (*line != '#' && is_entry_of(line, len, name, &skip)) {
            free(found);
            found = uti_strndup(line + skip, len - skip);
            *is_fixed = *line == '+';
        }
        line += len + (line[len] == '\n');
    }
    return found;
}

/* 0 with *OUT the options of NAME in PATH, or NULL; -1 with ans. PATH is taken. */
static int find_in_file(char *path, const char *name, char **out, bool *is_fixed,
                        struct answer *ans)
{
    struct dstr text = DSTR_INIT;
    int rc = 0;
    if (access(path, F_OK) == 0)
        rc = file_read(path, QTASK_BYTES_MOST, &text, ans);
    if (rc == 0)
        *out = category_parse(dstr_get(&text), name, is_fixed);
    dstr_free(&text);
    free(path);
    return rc;
}

int category_find(const struct cell *cell, const char *home, const char *name,
                  struct job_category *out, struct answer *ans)
{
    char *of_cell = NULL, *of_user = NULL;
    bool is_fixed = false, ignored;
    if (name == NULL)
        return 0;
    int rc = find_in_file(cell_path(cell, QTASK_CELL), name, &of_cell, &is_fixed, ans);
    if (rc == 0 && !is_fixed)
        rc = find_in_file(path_join(home, QTASK_USER), name, &of_user, &ignored, ans);
    if (rc != 0) {
        free(of_cell);
        return rc;
    }
    out->options = of_user != NULL ? of_user : of_cell;
    free(of_user != NULL ? of_cell : NULL);
    return 0;
}

/* ---- the attributes that rank above all options ---- */

static void set_variables(struct JB_Type *job, const struct template_value *env)
{
    for (uint32_t i = 0; i < env->n; i++) {
        const char *equals = strchr(env->v[i], '=');
        job_env_set(job, env->v[i], (size_t)(equals - env->v[i]), equals + 1);
    }
}

static void set_addresses(struct JB_Type *job, const struct template_value *email)
{
    cull_clear_field(&cull_JB_Type, job, JB_mail_list);
    for (uint32_t i = 0; i < email->n; i++) {
        const char *at = strchr(email->v[i], '@');
        struct MR_Type *mr = cull_append(job, JB_mail_list);
        struct dstr user = DSTR_INIT;
        dstr_addn(&user, email->v[i],
                  at != NULL ? (size_t)(at - email->v[i]) : strlen(email->v[i]));
        cull_set(mr, MR_user, dstr_get(&user));
        if (at != NULL)
            cull_set(mr, MR_host, at + 1);
        dstr_free(&user);
    }
}

/* SCALAR is WORD; false also if it is not set */
static bool is_word(const struct template *t, enum attribute_id scalar, const char *word)
{
    return template_has(t, scalar) && strcmp(template_get(t, scalar), word) == 0;
}

/* is LETTER in drmaa_transfer_files? A standard error that joins standard output has no file. */
static bool is_transferred(const struct template *t, char letter)
{
    const char *letters = template_get(t, ATTRIBUTE_TRANSFER_FILES);
    bool has_file = letter != 'e' || !is_word(t, ATTRIBUTE_JOIN_FILES, "y");
    return letters != NULL && has_file && strchr(letters, letter) != NULL;
}

static void set_paths(struct JB_Type *job, const struct template *t, const struct submitter *by)
{
    static const struct {
        enum attribute_id id;
        enum JB_Type_fields field;
        char letter;
    } rows[] = { { ATTRIBUTE_INPUT_PATH, JB_stdin_path_list, 'i' },
                 { ATTRIBUTE_OUTPUT_PATH, JB_stdout_path_list, 'o' },
                 { ATTRIBUTE_ERROR_PATH, JB_stderr_path_list, 'e' } };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (template_has(t, rows[i].id))
            set_path(new_path(job, rows[i].field), template_get(t, rows[i].id),
                     is_transferred(t, rows[i].letter), by->host);
    if (template_has(t, ATTRIBUTE_WD)) {
        struct dstr wd = DSTR_INIT;
        full_directory(template_get(t, ATTRIBUTE_WD), by->home, &wd);
        cull_set(job, JB_cwd, dstr_get(&wd));
        dstr_free(&wd);
    }
}

static int set_start_time(struct JB_Type *job, const struct template *t, uint64_t now_s,
                          struct answer *ans)
{
    const char *text = template_get(t, ATTRIBUTE_START_TIME);
    uint64_t at_s;
    if (text == NULL)
        return DRMAA_ERRNO_SUCCESS;
    if (start_time_parse(text, now_s, &at_s) != START_TIME_GOOD) {
        ans_fail(ans, STATUS_ESEMANTIC, MSG_DRMAA_VALUE_SS, text, DRMAA_START_TIME);
        return DRMAA_ERRNO_INVALID_ATTRIBUTE_VALUE;
    }
    cull_set(job, JB_execution_time, at_s);
    return DRMAA_ERRNO_SUCCESS;
}

static int set_attributes(struct job_command *c, const struct template *t, struct answer *ans)
{
    struct JB_Type *job = &c->job;
    set_paths(job, t, c->by);
    set_variables(job, &t->values[ATTRIBUTE_ENV]);
    if (template_has(t, ATTRIBUTE_EMAIL))
        set_addresses(job, &t->values[ATTRIBUTE_EMAIL]);
    if (is_word(t, ATTRIBUTE_BLOCK_EMAIL, "1"))
        cull_set(job, JB_mail_options, 0u);
    if (template_has(t, ATTRIBUTE_JOB_NAME))
        cull_set(job, JB_job_name, template_get(t, ATTRIBUTE_JOB_NAME));
    if (template_has(t, ATTRIBUTE_JOIN_FILES))
        cull_set(job, JB_merge_stderr, is_word(t, ATTRIBUTE_JOIN_FILES, "y"));
    if (template_has(t, ATTRIBUTE_JS_STATE))
        c->is_held = is_word(t, ATTRIBUTE_JS_STATE, DRMAA_SUBMISSION_STATE_HOLD);
    return set_start_time(job, t, c->by->now_s, ans);
}

static void set_tasks(struct JB_Type *job, const struct job_tasks *tasks)
{
    if (tasks->step == 0)
        return;
    cull_set(job, JB_ja_first, tasks->first);
    cull_set(job, JB_ja_last, tasks->last);
    cull_set(job, JB_ja_step, tasks->step);
    cull_set(job, JB_type, job->JB_type | JOB_TYPE_ARRAY);
}

/* ---- the options below them ---- */

/* where a command that is no binary is read from, at the submit host */
static char *script_place(const struct template *t, const struct submitter *by)
{
    const char *command = template_get(t, ATTRIBUTE_REMOTE_COMMAND);
    const char *wd = template_get(t, ATTRIBUTE_WD);
    struct dstr place = DSTR_INIT;
    if (*command != '/') {
        full_directory(wd != NULL ? wd : DRMAA_PLACEHOLDER_HD, by->home, &place);
        dstr_addc(&place, '/');
    }
    dstr_add(&place, command);
    return dstr_take(&place);
}

static int describe_job(struct job_command *c, const struct template *t, const struct cell *cell,
                        struct answer *ans)
{
    struct submit_files files;
    struct job_category category = { NULL };
    const struct template_value *argv = &t->values[ATTRIBUTE_ARGV];
    char *script = script_place(t, c->by);
    struct submit_description d = { .command = template_get(t, ATTRIBUTE_REMOTE_COMMAND),
                                    .script = script,
                                    .args = argv->v,
                                    .n_args = argv->n,
                                    .native = template_get(t, ATTRIBUTE_NATIVE) };
    submit_files_find(&files, cell_path(cell, "sge_request"), c->by);
    int rc =
        category_find(cell, c->by->home, template_get(t, ATTRIBUTE_JOB_CATEGORY), &category, ans);
    d.category = category.options;
    if (rc == 0)
        rc = job_command_describe(c, &d, &files, ans);
    submit_files_free(&files);
    free(category.options);
    free(script);
    return rc;
}

/* what no option has changed yet */
static uint32_t first_type(const struct submitter *by)
{
    uint32_t type = JOB_TYPE_BINARY | JOB_TYPE_NO_SHELL;
    bool may_park = submitter_getenv(by, ALLOW_ERROR_STATE, strlen(ALLOW_ERROR_STATE)) != NULL;
    return may_park ? type : type | JOB_TYPE_NO_ERROR;
}

int job_of_template(const struct template *t, const struct job_tasks *tasks,
                    const struct cell *cell, const struct submitter *by, struct JB_Type *out,
                    struct answer *ans)
{
    struct job_command c;
    if (!template_has(t, ATTRIBUTE_REMOTE_COMMAND)) {
        ans_fail(ans, STATUS_ESEMANTIC, MSG_DRMAA_NO_COMMAND);
        return DRMAA_ERRNO_CONFLICTING_ATTRIBUTE_VALUES;
    }
    job_command_init(&c, QSUB, by);
    cull_set(&c.job, JB_type, first_type(by));
    cull_set(&c.job, JB_verify_suitable_queues, (uint32_t)VERIFY_ERROR);
    int number = DRMAA_ERRNO_DENIED_BY_DRM;
    if (describe_job(&c, t, cell, ans) == 0)
        number = set_attributes(&c, t, ans);
    if (number == DRMAA_ERRNO_SUCCESS) {
        set_tasks(&c.job, tasks);
        job_command_complete(&c);
        cull_copy(&cull_JB_Type, out, &c.job);
    }
    job_command_free(&c);
    return number;
}
