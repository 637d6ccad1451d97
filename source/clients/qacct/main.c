/* qacct: what ended jobs have used, from the accounting file. Asks no daemon where that file is,
 * and the qmaster where it is not. */
#include <stdlib.h>
#include <string.h>

#include "clients/common/command.h"
#include "clients/common/msg_clients.h"
#include "clients/common/source.h"
#include "clients/qacct/qacct.h"
#include "libs/gdi/cell.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

static void put_warnings(const struct answer *ans)
{
    for (uint32_t i = 0; i < ans->n; i++) {
        if (ans->v[i].quality == ANSWER_QUALITY_WARNING)
            fprintf(stderr, "warning: %s\n", ans->v[i].text);
    }
}

static void tell_no_file(const struct qacct_options *o, const char *path, int error)
{
    fprintf(stderr, "%s: %s\n", path, strerror(error));
    if (o->query.n_jobs > 0 && o->is_word_file)
        fprintf(stderr, MSG_JOBS_OR_FILE_SS "\n", o->query.jobs[0].text, o->file);
    fputs(MSG_NO_FILE_YET "\n", stdout);
}

/* the exit status; no cell is needed for a file that is named */
static int read_records(const struct qacct_options *o, struct answer *ans)
{
    struct cell *cell = o->file == NULL ? cell_open(ans) : NULL;
    char *path = o->file != NULL ? uti_strdup(o->file)
                 : cell != NULL  ? cell_path(cell, "accounting")
                                 : NULL;
    struct acct_file file = { .path = path, .cell = cell, .program = "qacct" };
    int status = 1;
    if (cell != NULL)
        (void)cell_aliases_read(cell, NULL);
    if (path != NULL)
        status = acct_read(&file, &o->query, stdout, ans);
    if (status < 0)
        tell_no_file(o, path, file.error);
    free(path);
    cell_free(cell);
    return status < 0 ? 1 : status;
}

static void put_usage(FILE *out)
{
    struct dstr usage = DSTR_INIT;
    qacct_usage(&usage);
    fputs(dstr_get(&usage), out);
    dstr_free(&usage);
}

static int run_qacct(struct qacct_options *o, struct answer *ans)
{
    if (o->wants_help) {
        put_usage(stdout);
        return 0;
    }
    return qacct_check(o, uti_now_s(), ans) == 0 ? read_records(o, ans) : 1;
}

int main(int argc, char **argv)
{
    struct answer ans = ANSWER_INIT;
    struct qacct_options o = { 0 };
    bool shows_usage = false;
    int status = 1;
    if (qacct_parse(argc - 1, argv + 1, &o, &shows_usage, &ans) == 0) {
        status = run_qacct(&o, &ans);
        answer_print_errors(stderr, &ans, "error: ");
        put_warnings(&ans);
    } else {
        bool names_cause = ans.n > 0 && ans.v[0].status == STATUS_ESEMANTIC;
        if (!shows_usage || names_cause)
            answer_print_errors(stderr, &ans, "error: ");
        if (shows_usage)
            put_usage(stderr);
    }
    status = output_finish(status);
    qacct_options_free(&o);
    ans_free(&ans);
    return status;
}
