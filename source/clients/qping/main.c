/* qping - does the qmaster answer, and what has it to say of itself? Source: qping(1). */
#include <stdio.h>
#include <string.h>

#include "clients/common/command.h"
#include "clients/common/option_table.h"
#include "clients/common/source.h"
#include "common/version.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

struct options {
    bool wants_help;
};

static bool o_help(void *options, const char *a)
{
    (void)a;
    return ((struct options *)options)->wants_help = true;
}

static bool o_info(void *options, const char *a)
{
    (void)options;
    (void)a;
    return true;
}

/* host, port, name and id of a daemon: the one that can be asked is the qmaster of this cell */
static bool take_operand(void *options, const char *word)
{
    (void)options;
    return strcmp(word, "execd") != 0;
}

static const struct client_option rows[] = {
    { "-help", ARGUMENT_NONE, o_help, "[-help]", "print this help" },
    { "-info", ARGUMENT_NONE, o_info, "[-info]", "show full status information and exit" },
};
static const struct option_table table = {
    .rows = rows, .n = ARRAY_LEN(rows), .indent = "  ", .width = 10, .operand = take_operand
};

static void add_usage(struct dstr *out)
{
    dstr_add(out, SGE_VERSION_LINE "\nusage: qping [-help] [-info] [<host> <port> <name> <id>]\n");
    option_table_help(&table, out);
}

static int parse_words(int n, char *const *args, void *options, bool *shows_usage,
                       struct answer *ans)
{
    return option_table_parse(&table, n, args, options, shows_usage, ans);
}

/* what the qmaster says goes to stdout, a line each */
static int ask_qmaster(void *options, bool *shows_usage, struct answer *ans)
{
    (void)options;
    (void)shows_usage;
    struct qmaster_source q = { 0 };
    struct GA_Type *said =
        source_open(&q, "qping", ans) == 0 ? source_get_target(&q.from, GDI_MASTER, ans) : NULL;
    int status = said != NULL ? 0 : 1;
    for (uint32_t i = 0; status == 0 && i < ans->n; i++)
        puts(ans->v[i].text);
    cull_delete(&cull_GA_Type, said);
    source_close(&q);
    return status;
}

int main(int argc, char **argv)
{
    static const struct command qping = { parse_words, ask_qmaster, add_usage };
    struct options o = { 0 };
    return command_main(&qping, argc, argv, &o, &o.wants_help);
}
