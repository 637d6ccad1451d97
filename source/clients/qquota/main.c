/* qquota: what is taken of resource quotas. Arguments in, the connection, the exit status. */
#include <pwd.h>
#include <unistd.h>

#include "clients/common/command.h"
#include "clients/qquota/qquota.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static int parse_words(int n, char *const *args, void *options, bool *shows_usage,
                       struct answer *ans)
{
    return qquota_parse(n, args, options, shows_usage, ans);
}

static void add_own_name(struct dstr *name)
{
    const struct passwd *entry = getpwuid(geteuid());
    if (entry != NULL)
        dstr_add(name, entry->pw_name);
    else
        dstr_addf(name, "%u", (unsigned)geteuid());
}

static int run_qquota(void *options, bool *shows_usage, struct answer *ans)
{
    const struct qquota_options *o = options;
    struct qmaster_source q = { 0 };
    struct dstr user = DSTR_INIT;
    int status = 1;
    (void)shows_usage;
    bool is_open = source_open(&q, "qquota", ans) == 0;
    q.from.is_raw = o->form == DOC_XML || o->form == DOC_JSON;
    add_own_name(&user);
    if (is_open)
        status = qquota_run(&q.from, o, dstr_get(&user), stdout, ans);
    dstr_free(&user);
    source_close(&q);
    return status;
}

int main(int argc, char **argv)
{
    static const struct command qquota = { parse_words, run_qquota, qquota_usage };
    struct qquota_options o = { 0 };
    int status = command_main(&qquota, argc, argv, &o, &o.wants_help);
    qquota_options_free(&o);
    return status;
}
