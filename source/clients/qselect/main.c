/* qselect: names of queue instances, for scripts. Arguments in, the connection, the exit status. */
#include "clients/common/command.h"
#include "clients/qselect/qselect.h"
#include "libs/uti/answer.h"

static int run_qselect(void *options, bool *shows_usage, struct answer *ans)
{
    struct qmaster_source q = { 0 };
    (void)shows_usage;
    int status =
        source_open(&q, "qselect", ans) == 0 ? qselect_run(&q.from, options, stdout, ans) : 1;
    source_close(&q);
    return status;
}

int main(int argc, char **argv)
{
    static const struct command qselect = { qselect_parse, run_qselect, qselect_usage };
    struct qselect_options o = { 0 };
    int status = command_main(&qselect, argc, argv, &o, &o.wants_help);
    qselect_options_free(&o);
    return status;
}
