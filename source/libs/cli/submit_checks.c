/* What is checked of a job on the host where it is submitted, before the request. It may run on
 * another host or later, so a file that is missing is a warning only.
 * Source: submit(1) -o, -i, -wd. */
#include "libs/cli/submit_checks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "libs/cli/msg_cli.h"
#include "libs/cli/submitter.h"
#include "libs/sgeobj/path_expand.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/name_service.h"

struct looking {
    const struct JB_Type *job;
    const struct submitter *by;
    struct answer *ans;
};

/* ---- files and directories ---- */

static bool is_missing(const char *path)
{
    struct stat st;
    return stat(path, &st) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

/* PATH as the job will see it, but for its variables; new: free() it */
static char *make_absolute(const struct looking *l, const char *path)
{
    const char *dir = l->job->JB_cwd != NULL ? l->job->JB_cwd : l->by->home;
    struct dstr full = DSTR_INIT;
    path = path_tilde(path, l->by->home, NULL, &full);
    if (full.len == 0 && *path != '/')
        dstr_addf(&full, "%s/", dir);
    dstr_add(&full, path);
    return dstr_take(&full);
}

static void look_for(const struct looking *l, const char *option, const char *path, bool is_dir)
{
    char *full = make_absolute(l, path), *slash = strrchr(full, '/');
    if (is_dir && slash != NULL)
        *(slash == full ? slash + 1 : slash) = '\0';
    if (strchr(full, '$') == NULL && is_missing(full))
        ans_add(l->ans, STATUS_OK, ANSWER_QUALITY_WARNING,
                is_dir ? MSG_SUBMIT_DIRECTORY_SS : MSG_SUBMIT_FILE_SS, option, full);
    free(full);
}

static void look_for_all(const struct looking *l, const char *option,
                         const struct PN_Type_list *paths, bool is_dir)
{
    for (uint32_t i = 0; i < paths->n; i++) {
        const struct PN_Type *pn = &paths->v[i];
        if (pn->PN_path != NULL &&
            (pn->PN_host == NULL || strcasecmp(pn->PN_host, l->by->host) == 0))
            look_for(l, option, pn->PN_path, is_dir);
    }
}

void submit_check_paths(const struct JB_Type *job, const struct submitter *by, struct answer *ans)
{
    struct looking l = { job, by, ans };
    if (job->JB_cwd != NULL && is_missing(job->JB_cwd)) {
        ans_add(ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_SUBMIT_DIRECTORY_SS, "-wd",
                job->JB_cwd);
        return; /* what else is relative to it is missing as well */
    }
    look_for_all(&l, "-o", &job->JB_stdout_path_list, true);
    if (!job->JB_merge_stderr)
        look_for_all(&l, "-e", &job->JB_stderr_path_list, true);
    look_for_all(&l, "-i", &job->JB_stdin_path_list, false);
    look_for_all(&l, "-S", &job->JB_shell_list, false);
}

/* ---- hosts ---- */

static int check_hosts(const struct PN_Type_list *paths, struct answer *ans)
{
    for (uint32_t i = 0; i < paths->n; i++) {
        const char *host = paths->v[i].PN_host;
        if (host != NULL && !name_service_has_host(host))
            return ans_fail(ans, STATUS_ESEMANTIC, MSG_SUBMIT_HOST_S, host);
    }
    return 0;
}

int submit_check_hosts(const struct JB_Type *job, struct answer *ans)
{
    if (check_hosts(&job->JB_stdin_path_list, ans) < 0 ||
        check_hosts(&job->JB_stdout_path_list, ans) < 0 ||
        check_hosts(&job->JB_stderr_path_list, ans) < 0)
        return -1;
    return check_hosts(&job->JB_shell_list, ans);
}
