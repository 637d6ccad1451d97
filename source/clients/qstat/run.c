/* What qstat was asked for: a page of its own for each kind of question. */
#include "clients/qstat/qstat.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static int show_help(const struct qstat_world *w)
{
    struct dstr text = DSTR_INIT;
    qstat_usage(&text);
    fputs(dstr_get(&text), w->out);
    dstr_free(&text);
    return 0;
}

int qstat_run(const struct qstat_world *w, const struct qstat_options *o, struct answer *ans)
{
    if (o->wants_help)
        return show_help(w);
    if (o->wants_why)
        return qstat_why(w, o, ans);
    if (o->wants_detail)
        return qstat_detail(w, o, ans);
    if (o->wants_summary)
        return qstat_summary(w, o, ans);
    return qstat_list(w, o, ans);
}
