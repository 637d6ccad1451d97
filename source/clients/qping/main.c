/* qping - does the qmaster answer, and what has it to say of itself? Source: qping(1). */
#include <stdio.h>
#include <string.h>

#include "clients/common/option_table.h"
#include "clients/common/output.h"
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

static void put_usage(FILE *out)
{
    struct dstr usage = DSTR_INIT;
    dstr_add(&usage,
             SGE_VERSION_LINE "\nusage: qping [-help] [-info] [<host> <port> <name> <id>]\n");
    option_table_help(&table, &usage);
    fputs(dstr_get(&usage), out);
    dstr_free(&usage);
}

/* what the qmaster says goes to stdout, a line each */
static int ask_qmaster(struct answer *ans)
{
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
    struct answer ans = ANSWER_INIT;
    struct options o = { 0 };
    bool shows_usage = false;
    int status = 1;
    if (option_table_parse(&table, argc - 1, argv + 1, &o, &shows_usage, &ans) == 0)
        status = o.wants_help ? 0 : ask_qmaster(&ans);
    if (o.wants_help)
        put_usage(stdout);
    if (shows_usage)
        put_usage(stderr);
    answer_print_errors(stderr, &ans, "error: ");
    status = output_finish(status);
    ans_free(&ans);
    return status;
}
