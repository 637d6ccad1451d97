/* qhost: what hosts there are and what they do. Arguments in, the connection, the exit status. */
#include "clients/common/command.h"
#include "clients/qhost/qhost.h"
#include "libs/uti/answer.h"

static int run_qhost(void *options, bool *shows_usage, struct answer *ans)
{
    const struct qhost_options *o = options;
    struct qmaster_source q = { 0 };
    int status = 1;
    bool is_open = source_open(&q, "qhost", ans) == 0;
    q.from.is_raw = o->form == DOC_XML || o->form == DOC_JSON;
    if (is_open)
        status = qhost_run(&q.from, o, stdout, shows_usage, ans);
    source_close(&q);
    return status;
}

int main(int argc, char **argv)
{
    static const struct command qhost = { qhost_parse, run_qhost, qhost_usage };
    struct qhost_options o = { 0 };
    int status = command_main(&qhost, argc, argv, &o, &o.wants_help);
    qhost_options_free(&o);
    return status;
}
