/* qconf: the edges - arguments, environment, the connection, the exit status. */
#include <stdlib.h>
#include <string.h>

#include "clients/common/command.h"
#include "clients/common/source.h"
#include "clients/qconf/qconf.h"
#include "libs/gdi/cell.h"

/* -help is answered without a cell. */
static bool is_help_only(int argc, char *const *argv)
{
    return argc == 1 || (argc == 2 && strcmp(argv[1], "-help") == 0);
}

int main(int argc, char **argv)
{
    struct answer ans = ANSWER_INIT;
    struct qmaster_source source = { 0 };
    struct qconf q = { .out = stdout,
                       .err = stderr,
                       .is_single = getenv("SGE_SINGLE_LINE") != NULL };
    int status = 1;
    q.edit = edit_with_editor;
    q.edit_ctx = &q;
    q.resolves = host_resolves;
    if (is_help_only(argc, argv) || source_open(&source, "qconf", &ans) == 0) {
        q.from = source.from;
        q.common_dir = source.cell != NULL ? source.cell->common_dir : "";
        status = qconf_run(&q, argc - 1, argv + 1);
    } else {
        answer_print_errors(stderr, &ans, "");
    }
    source_close(&source);
    status = output_finish(status);
    ans_free(&ans);
    return status;
}
