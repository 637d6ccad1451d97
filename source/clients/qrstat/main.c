/* qrstat: what is reserved in advance. Arguments in, the connection, the exit status. */
#include <stdlib.h>

#include "clients/common/command.h"
#include "clients/qrstat/qrstat.h"
#include "libs/uti/answer.h"

static int run_qrstat(void *options, bool *shows_usage, struct answer *ans)
{
    const struct qrstat_options *o = options;
    struct qmaster_source q = { 0 };
    char *user = caller_name();
    int status = 1;
    (void)shows_usage;
    bool is_open = source_open(&q, "qrstat", ans) == 0;
    q.from.is_raw = o->form == DOC_XML || o->form == DOC_JSON;
    if (is_open)
        status = qrstat_run(&q.from, o, user, stdout, ans);
    free(user);
    source_close(&q);
    return status;
}

int main(int argc, char **argv)
{
    static const struct command qrstat = { qrstat_parse, run_qrstat, qrstat_usage };
    struct qrstat_options o = { 0 };
    int status = command_main(&qrstat, argc, argv, &o, &o.wants_help);
    qrstat_options_free(&o);
    return status;
}
