/* qquota: what is taken of resource quotas. Arguments in, the connection, the exit status. */
#include <stdlib.h>

#include "clients/common/command.h"
#include "clients/qquota/qquota.h"
#include "libs/uti/answer.h"

static int run_qquota(void *options, bool *shows_usage, struct answer *ans)
{
    const struct qquota_options *o = options;
    struct qmaster_source q = { 0 };
    char *user = caller_name();
    int status = 1;
    (void)shows_usage;
    bool is_open = source_open(&q, "qquota", ans) == 0;
    q.from.is_raw = o->form == DOC_XML || o->form == DOC_JSON;
    if (is_open)
        status = qquota_run(&q.from, o, user, stdout, ans);
    free(user);
    source_close(&q);
    return status;
}

int main(int argc, char **argv)
{
    static const struct command qquota = { qquota_parse, run_qquota, qquota_usage };
    struct qquota_options o = { 0 };
    int status = command_main(&qquota, argc, argv, &o, &o.wants_help);
    qquota_options_free(&o);
    return status;
}
