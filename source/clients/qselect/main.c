/* qselect: names of queue instances, for scripts: its options, the instances that they choose, the
 * exit status. Source: qselect(1). */
#include <stddef.h>

#include "clients/common/command.h"
#include "clients/common/msg_clients.h"
#include "clients/common/queue_choice.h"
#include "clients/common/source.h"
#include "common/version.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

struct qselect_options {
    struct queue_choice choice; /* -q -qs -pe -l -U */
    bool wants_help;
};

/* ---- options ---- */

#define AT(member) offsetof(struct qselect_options, member)

static const struct client_option rows[] = {
    { "-help", ARGUMENT_NONE, option_flag, "[-help]", "print this help", AT(wants_help), 0 },
    { "-l", ARGUMENTS, option_requests, "[-l resource_list]", "request the given resources",
      AT(choice.resources), 0 },
    { "-pe", ARGUMENTS, option_names, "[-pe pe_list]",
      "select only queues with one of these parallel environments", AT(choice.pes), 0 },
    { "-q", ARGUMENTS, option_names, "[-q wc_queue_list]", "print information on given queue",
      AT(choice.queues), 0 },
    { "-qs", ARGUMENT_NEEDED, queue_choice_states, "[-qs {a|c|d|o|s|u|A|C|D|E|S}]",
      "selects queues which are in the given state(s)", AT(choice), 0 },
    { "-U", ARGUMENTS, option_names, "[-U user_list]",
      "select only queues where these users have access", AT(choice.users), 0 },
};
static const struct option_table table = {
    .rows = rows, .n = ARRAY_LEN(rows), .indent = "        ", .width = 33
};

static int qselect_parse(int n, char *const *args, void *options, bool *shows_usage,
                         struct answer *ans)
{
    return option_table_parse(&table, n, args, options, shows_usage, ans);
}

static void qselect_usage(struct dstr *out)
{
    dstr_add(out, SGE_VERSION_LINE "\nusage: qselect [options]\n");
    option_table_help(&table, out);
    dstr_addc(out, '\n');
    dstr_add(out, MSG_TERMS);
}

/* ---- the page ---- */
/* the names of what O means, one in a line, sorted. Returns the exit status: 1 when there are none,
 * or with ans. */
static int qselect_run(const struct source *from, const struct qselect_options *o, FILE *out,
                       struct answer *ans)
{
    struct queue_view view;
    uint32_t n = 0;
    if (queue_view_get(from, &o->choice, 0, &view, ans) != 0)
        return 1;
    for (uint32_t i = 0; i < view.n; i++)
        if (view.v[i]->QU_full_name != NULL) {
            (void)fprintf(out, "%s\n", view.v[i]->QU_full_name);
            n++;
        }
    if (n == 0 && o->choice.users.n > 0)
        (void)ans_fail(ans, STATUS_EUNKNOWN, MSG_QSELECT_NO_ACCESS);
    queue_view_free(&view);
    return n > 0 ? 0 : 1;
}

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
    queue_choice_free(&o.choice);
    return status;
}
