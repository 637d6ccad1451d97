/* The options of qselect. */
#include "clients/qselect/qselect.h"

#include "clients/common/msg_clients.h"
#include "common/version.h"
#include "libs/uti/dstr.h"

static bool o_help(void *options, const char *a)
{
    (void)a;
    return ((struct qselect_options *)options)->wants_help = true;
}

static bool o_resources(void *options, const char *a)
{
    return queue_choice_resources(&((struct qselect_options *)options)->choice, a);
}

static bool o_pes(void *options, const char *a)
{
    return queue_choice_pes(&((struct qselect_options *)options)->choice, a);
}

static bool o_queues(void *options, const char *a)
{
    return queue_choice_queues(&((struct qselect_options *)options)->choice, a);
}

static bool o_users(void *options, const char *a)
{
    return queue_choice_users(&((struct qselect_options *)options)->choice, a);
}

static bool o_states(void *options, const char *a)
{
    return queue_choice_states(&((struct qselect_options *)options)->choice, a);
}

static const struct client_option rows[] = {
    { "-help", ARGUMENT_NONE, o_help, "[-help]", "print this help" },
    { "-l", ARGUMENTS, o_resources, "[-l resource_list]", "request the given resources" },
    { "-pe", ARGUMENTS, o_pes, "[-pe pe_list]",
      "select only queues with one of these parallel environments" },
    { "-q", ARGUMENTS, o_queues, "[-q wc_queue_list]", "print information on given queue" },
    { "-qs", ARGUMENT_NEEDED, o_states, "[-qs {a|c|d|o|s|u|A|C|D|E|S}]",
      "selects queues which are in the given state(s)" },
    { "-U", ARGUMENTS, o_users, "[-U user_list]",
      "select only queues where these users have access" },
};
static const struct option_table table = {
    .rows = rows, .n = ARRAY_LEN(rows), .indent = "        ", .width = 33
};

int qselect_parse(int n, char *const *args, struct qselect_options *o, bool *shows_usage,
                  struct answer *ans)
{
    return option_table_parse(&table, n, args, o, shows_usage, ans);
}

void qselect_options_free(struct qselect_options *o)
{
    queue_choice_free(&o->choice);
}

void qselect_usage(struct dstr *out)
{
    dstr_add(out, SGE_VERSION_LINE "\nusage: qselect [options]\n");
    option_table_help(&table, out);
    dstr_addc(out, '\n');
    dstr_add(out, MSG_TERMS);
}
