/* Where the output of a task is, as the execd finds it, from what an event client receives; and
 * what the accounting record of a task says of its end. */
#include "libs/view/task_output.h"

#include <stdlib.h>
#include <string.h>

#include "libs/sgeobj/job_state.h"
#include "libs/sgeobj/path_expand.h"
#include "libs/uti/dstr.h"

static struct path_vars vars_of(const struct board_job *job, uint32_t ordinal,
                                const struct task_output_at *at)
{
    const struct JB_Type *rec = &job->rec;
    return (struct path_vars){ .home = at->home,
                               .user = rec->JB_owner,
                               .host = at->host,
                               .job_name = rec->JB_job_name,
                               .job_number = rec->JB_job_number,
                               .task_id = job_is_array(rec) ? job_task_id(rec, ordinal) : 0 };
}

void task_output_name(const struct board_job *job, uint32_t ordinal, struct dstr *out)
{
    struct task_output_at nowhere = { NULL, NULL };
    struct path_vars vars = vars_of(job, ordinal, &nowhere);
    path_default_name(&vars, "o", out);
}

static bool has_hosts(const struct PN_Type_list *paths)
{
    for (uint32_t i = 0; i < paths->n; i++)
        if (paths->v[i].PN_host != NULL)
            return true;
    return false;
}

static bool needs_home(const char *path)
{
    return path[0] == '~' || strstr(path, "HOME") != NULL;
}

/* where PATH has what is not known, no path is better than a wrong one */
static bool is_known(const struct board_job *job, const char *path, const struct task_output_at *at)
{
    bool needs_host = has_hosts(&job->rec.JB_stdout_path_list) || strstr(path, "HOSTNAME") != NULL;
    return (at->home != NULL || !needs_home(path)) && (at->host != NULL || !needs_host);
}

bool task_output_path(const struct board_job *job, uint32_t ordinal,
                      const struct task_output_at *at, struct dstr *out)
{
    struct path_vars vars = vars_of(job, ordinal, at);
    struct dstr name = DSTR_INIT, path = DSTR_INIT;
    const struct PN_Type *asked =
        path_for_host(&job->rec.JB_stdout_path_list, at->host != NULL ? at->host : "");
    path_default_name(&vars, "o", &name);
    const char *wanted = asked != NULL ? asked->PN_path : "";
    const char *dir = job->rec.JB_cwd != NULL ? job->rec.JB_cwd : at->home;
    if (asked != NULL)
        path_expand(wanted, &vars, dir, &path);
    else if (dir != NULL)
        dstr_addf(&path, "%s/%s", dir, name.s);
    bool is_good = is_known(job, wanted, at) && dstr_get(&path)[0] == '/';
    if (is_good)
        dstr_add(out, path.s);
    dstr_free(&name);
    dstr_free(&path);
    return is_good;
}

/* ---- the accounting record ---- */

/* the value of KEY in the last record, which ends with its line; NULL: it has none */
static const char *last_value(const char *record, const char *key)
{
    const char *value = NULL;
    size_t len = strlen(key);
    for (const char *line = record; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, len) == 0 && line[len] == ' ')
            value = line + len + strspn(line + len, " ");
    }
    return value;
}

static unsigned long number_of(const char *record, const char *key)
{
    const char *value = last_value(record, key);
    return value != NULL ? strtoul(value, NULL, 10) : 0;
}

/* "37  : a reason"; that a signal ended it has been said */
static void add_failed(const char *record, struct dstr *out)
{
    enum { AFTER_JOB = 100 };
    const char *value = last_value(record, "failed");
    unsigned long failed = number_of(record, "failed");
    if (failed == 0 || failed == AFTER_JOB)
        return;
    size_t len = strcspn(value, "\n"), before = strcspn(value, ":\n");
    dstr_addf(out, ", failed %lu", failed);
    if (before < len)
        dstr_addn(out, value + before, len - before);
    while (out->len > 0 && out->s[out->len - 1] == ' ')
        out->s[--out->len] = '\0';
}

void task_end_told(const char *record, struct dstr *out)
{
    enum { SIGNALLED = 128, SIGNALS = 65 };
    unsigned long status = number_of(record, "exit_status");
    if (status > SIGNALLED && status < SIGNALLED + SIGNALS)
        dstr_addf(out, ", killed by signal %lu", status - SIGNALLED);
    else if (status != 0)
        dstr_addf(out, ", exit status %lu", status);
    add_failed(record, out);
}

const char *task_end_host(const char *record, size_t *len)
{
    const char *host = last_value(record, "hostname");
    *len = host != NULL ? strcspn(host, " \n") : 0;
    return host;
}
