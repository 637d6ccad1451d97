/* qhost: what hosts there are and what they do. Arguments in, the connection, the exit status. */
#include "clients/common/output.h"
#include "clients/qhost/qhost.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static void put_usage(FILE *out)
{
    struct dstr usage = DSTR_INIT;
    qhost_usage(&usage);
    fputs(dstr_get(&usage), out);
    dstr_free(&usage);
}

static int run_qhost(const struct qhost_options *o, bool *shows_usage, struct answer *ans)
{
    struct qmaster_source q = { 0 };
    int status = 1;
    if (o->wants_help) {
        put_usage(stdout);
        return 0;
    }
    bool is_open = source_open(&q, "qhost", ans) == 0;
    q.from.is_raw = o->form == DOC_XML || o->form == DOC_JSON;
    if (is_open)
        status = qhost_run(&q.from, o, stdout, shows_usage, ans);
    source_close(&q);
    return status;
}

int main(int argc, char **argv)
{
    struct answer ans = ANSWER_INIT;
    struct qhost_options o = { 0 };
    bool shows_usage = false;
    int status = 1;
    if (qhost_parse(argc - 1, argv + 1, &o, &shows_usage, &ans) == 0)
        status = run_qhost(&o, &shows_usage, &ans);
    if (shows_usage)
        put_usage(stderr);
    answer_print_errors(stderr, &ans, "error: ");
    status = output_finish(status);
    qhost_options_free(&o);
    ans_free(&ans);
    return status;
}
