/* qstat: what jobs and queues are doing. The edges are here: arguments and default files in, the
 * connection, the exit status. */
#include <stdlib.h>

#include "clients/common/command.h"
#include "clients/qstat/qstat.h"
#include "libs/cli/words.h"
#include "libs/gdi/cell.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/time.h"

/* The options that a site and a user want always: common/sge_qstat and ~/.sge_qstat. */
static int read_defaults(const struct cell *cell, struct words *all, struct answer *ans)
{
    const char *home = getenv("HOME");
    char *site = cell_path(cell, "sge_qstat"),
         *own = home != NULL ? path_join(home, ".sge_qstat") : NULL;
    int result = words_of_file(site, true, all, ans);
    if (result == 0 && own != NULL)
        result = words_of_file(own, true, all, ans);
    free(site);
    free(own);
    return result;
}

static int parse_options(const struct cell *cell, int argc, char *const *argv,
                         struct qstat_options *o, bool *shows_usage, struct answer *ans)
{
    struct words all = WORDS_INIT;
    int result = cell != NULL ? read_defaults(cell, &all, ans) : 0;
    words_add_args(&all, argc - 1, argv + 1);
    if (result == 0)
        result = qstat_parse((int)all.n, all.v, o, shows_usage, ans);
    words_free(&all);
    return result;
}

static int run_qstat(const struct qstat_options *o, struct answer *ans)
{
    struct qmaster_source q = { 0 };
    char *user = caller_name();
    struct qstat_world w = { .out = stdout, .err = stderr, .user = user, .now_s = uti_now_s() };
    int status = 1;
    if (o->wants_help || source_open(&q, "qstat", ans) == 0) {
        w.from = q.from;
        w.from.is_raw = o->form == DOC_XML || o->form == DOC_JSON;
        status = qstat_run(&w, o, ans);
    }
    source_close(&q);
    free(user);
    return status;
}

int main(int argc, char **argv)
{
    struct answer ans = ANSWER_INIT;
    struct qstat_options o = { 0 };
    struct cell *cell = cell_open(NULL); /* a missing one is told when it is needed */
    bool shows_usage = false;
    int status = 1;
    if (parse_options(cell, argc, argv, &o, &shows_usage, &ans) == 0) {
        status = run_qstat(&o, &ans);
        answer_print_errors(stderr, &ans, "error: ");
    } else {
        struct dstr usage = DSTR_INIT;
        if (shows_usage)
            qstat_usage(&usage);
        fputs(dstr_get(&usage), stderr);
        dstr_free(&usage);
        answer_print_errors(stderr, &ans, "");
    }
    status = output_finish(status);
    qstat_options_free(&o);
    cell_free(cell);
    ans_free(&ans);
    return status;
}
