/* qacct: what ended jobs have used, from the accounting file. Asks no daemon where that file is,
 * and the qmaster where it is not. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/command.h"
#include "clients/common/source.h"
#include "clients/qacct/msg_qacct.h"
#include "clients/qacct/qacct.h"
#include "libs/gdi/cell.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

/* The file to read, new: free(); NULL with ans. */
static char *accounting_path(const struct qacct_options *o, struct answer *ans)
{
    if (o->file != NULL)
        return uti_strdup(o->file);
    struct cell *cell = cell_open(ans);
    char *path = cell != NULL ? cell_path(cell, "accounting") : NULL;
    cell_free(cell);
    return path;
}

static void put_warnings(const struct answer *ans)
{
    for (uint32_t i = 0; i < ans->n; i++) {
        if (ans->v[i].quality == ANSWER_QUALITY_WARNING)
            fprintf(stderr, "warning: %s\n", ans->v[i].text);
    }
}

static int ask_qmaster(const struct qacct_options *o, struct answer *ans)
{
    struct qmaster_source qmaster;
    int status = -1;
    if (source_open(&qmaster, "qacct", ans) == 0) {
        qmaster.from.is_raw = true; /* each line is made printable where it is taken */
        status = qacct_ask(&qmaster.from, o, stdout, ans);
    }
    source_close(&qmaster);
    return status;
}

static void tell_no_file(const struct qacct_options *o, const char *path, int error)
{
    fprintf(stderr, "%s: %s\n", path, strerror(error));
    if (o->n_jobs > 0 && o->is_word_file)
        fprintf(stderr, MSG_JOBS_OR_FILE_SS "\n", o->jobs[0].text, o->file);
    fputs(MSG_NO_FILE_YET "\n", stdout);
}

static int read_path(const char *path, const struct qacct_options *o, struct answer *ans)
{
    FILE *file = fopen(path, "re");
    int error = errno, status = -1;
    if (file == NULL && error == ENOENT && o->file == NULL)
        status = ask_qmaster(o, ans);
    if (file != NULL) {
        (void)setvbuf(file, NULL, _IOFBF, 1 << 20);
        status = qacct_run(file, o, stdout, ans);
        (void)fclose(file);
    } else if (status < 0) {
        tell_no_file(o, path, error);
    }
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
    char *path = qacct_check(o, uti_now_s(), ans) == 0 ? accounting_path(o, ans) : NULL;
    int status = path != NULL ? read_path(path, o, ans) : 1;
    free(path);
    return status;
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
