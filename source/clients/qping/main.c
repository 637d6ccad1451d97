/* qping - does a daemon answer, and what has it to say of itself? The qmaster answers, for the
 * execution daemons, too: it knows which are connected. Source: qping(1). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/command.h"
#include "clients/common/msg_clients.h"
#include "clients/common/source.h"
#include "common/version.h"
#include "libs/gdi/cell.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/host_name.h"
#include "libs/uti/parse.h"
#include "libs/uti/time.h"

enum { HOST, PORT, NAME, ID, OPERANDS };

struct options {
    bool wants_help, wants_info, wants_all; /* -info; -f */
    uint32_t interval_s;                    /* -i; 0: once */
    const char *operands[OPERANDS];
    int n;
};

static bool o_interval(void *options, const char *a, unsigned value SGE_UNUSED)
{
    struct options *o = options;
    return parse_u32(a, &o->interval_s) && o->interval_s > 0;
}

/* how other cells connect is not how this one does */
static bool o_nothing(void *options SGE_UNUSED, const char *a SGE_UNUSED, unsigned value SGE_UNUSED)
{
    return true;
}

static bool take_operand(void *options, const char *word)
{
    struct options *o = options;
    if (o->n == OPERANDS)
        return false;
    o->operands[o->n++] = word;
    return true;
}

#define AT(member) offsetof(struct options, member)

static const struct client_option rows[] = {
    { "-help", ARGUMENT_NONE, option_flag, "[-help]", "print this help", AT(wants_help), 0 },
    { "-i", ARGUMENT_NEEDED, o_interval, "[-i <interval>]", "repeat after so many seconds", 0, 0 },
    { "-info", ARGUMENT_NONE, option_flag, "[-info]", "show full status information and exit",
      AT(wants_info), 0 },
    { "-f", ARGUMENT_NONE, option_flag, "[-f]",
      "show full status information on each ping interval", AT(wants_all), 0 },
    { "-noalias", ARGUMENT_NONE, o_nothing, NULL, NULL, 0, 0 },
    { "-ssl", ARGUMENT_NONE, o_nothing, NULL, NULL, 0, 0 },
    { "-tcp", ARGUMENT_NONE, o_nothing, NULL, NULL, 0, 0 },
    { "-dump", ARGUMENT_NONE, NULL, NULL, NULL, 0, 0 },
    { "-dump_tag", ARGUMENT_NEEDED, NULL, NULL, NULL, 0, 0 },
};
static const struct option_table table = {
    .rows = rows, .n = ARRAY_LEN(rows), .indent = "  ", .width = 16, .operand = take_operand
};

static void add_usage(struct dstr *out)
{
    dstr_add(out, SGE_VERSION_LINE
             "\nusage: qping [-help] [-i <interval>] [-info] [-f] [<host> <port> <name> <id>]\n");
    option_table_help(&table, out);
}

/* All of an endpoint, or, with -info, none of it: then it is the qmaster of this cell. */
static int parse_words(int n, char *const *args, void *options, bool *shows_usage,
                       struct answer *ans)
{
    struct options *o = options;
    if (option_table_parse(&table, n, args, options, shows_usage, ans) != 0)
        return -1;
    if (o->wants_help || o->n == OPERANDS || (o->n == 0 && o->wants_info))
        return 0;
    struct dstr usage = DSTR_INIT; /* and a line without "error: ", as captured */
    add_usage(&usage);
    (void)fprintf(stderr, "%s%s\n", dstr_get(&usage), MSG_NO_ARGUMENT);
    dstr_free(&usage);
    return -1;
}

static int fail_endpoint(const struct options *o, uint32_t port)
{
    (void)printf(MSG_PING_CANNOT_SSSU, o->operands[HOST], o->operands[NAME], o->operands[ID], port);
    return 1;
}

static int fail_refused(const struct options *o, uint32_t port)
{
    (void)fprintf(stderr, MSG_PING_REFUSED_SSS, o->operands[HOST], o->operands[NAME],
                  o->operands[ID]);
    return fail_endpoint(o, port);
}

/* ---- the qmaster ---- */

/* what the qmaster says, a line each, between the lines that programs look for */
static void show_all(const struct answer *ans, uint32_t number)
{
    struct dstr now = DSTR_INIT;
    uti_time_us_date(uti_now_s(), &now);
    (void)printf("%s:\nSIRM version:             0.1\nSIRM message id:          %u\n",
                 dstr_get(&now), number);
    for (uint32_t i = 0; i < ans->n; i++)
        (void)puts(ans->v[i].text);
    dstr_free(&now);
}

static uint64_t seconds_up(const struct answer *ans)
{
    static const char label[] = "run time [s]:";
    uint64_t seconds = 0;
    for (uint32_t i = 0; i < ans->n; i++) {
        const char *text = ans->v[i].text;
        bool is_it = strncmp(text, label, sizeof label - 1) == 0;
        if (is_it &&
            !parse_u64(text + sizeof label - 1 + strspn(text + sizeof label - 1, " "), &seconds))
            seconds = 0;
    }
    return seconds;
}

static void show_up(const struct options *o, uint32_t port, uint64_t seconds)
{
    struct dstr now = DSTR_INIT;
    uti_time_us_date(uti_now_s(), &now);
    (void)printf(MSG_PING_UP_SSSSUU, dstr_get(&now), o->operands[HOST], o->operands[NAME],
                 o->operands[ID], port, seconds);
    dstr_free(&now);
}

static int ping_qmaster(const struct options *o, const struct source *from, uint32_t port,
                        uint32_t number, struct answer *ans)
{
    struct answer said = ANSWER_INIT;
    struct GA_Type *told = source_get_target(from, GDI_MASTER, &said);
    int status = told != NULL ? 0 : 1;
    if (status == 0 && (o->wants_info || o->wants_all))
        show_all(&said, number);
    else if (status == 0)
        show_up(o, port, seconds_up(&said));
    else if (o->n == OPERANDS)
        (void)fail_refused(o, port);
    else
        ans_move(ans, &said);
    ans_free(&said);
    cull_delete(&cull_GA_Type, told);
    return status;
}

/* ---- an execution daemon ---- */

static const struct EH_Type *find_host(const struct GA_Type *all, const char *name)
{
    for (uint32_t i = 0; i < all->GA_hosts.n; i++)
        if (host_name_equal(all->GA_hosts.v[i].EH_name, name))
            return &all->GA_hosts.v[i];
    return NULL;
}

/* SAID gets what the turns of the execd's threads have cost, as it last reported them: lines that
 * an older qmaster does not have */
static void add_turns(const struct source *from, const struct EH_Type *host, struct answer *said)
{
    struct GR_Type request = { 0 };
    struct answer turns = ANSWER_INIT;
    cull_set(&request, GR_verb, (uint32_t)GDI_GET);
    cull_set(&request, GR_target, (uint32_t)GDI_MASTER);
    cull_set(cull_append(&request, GR_select), ID_str, host->EH_name);
    struct GA_Type *told = source_get_all(from, &request, &turns);
    if (told != NULL)
        ans_move(said, &turns);
    ans_free(&turns);
    cull_delete(&cull_GA_Type, told);
    cull_clear(&cull_GR_Type, &request);
}

static void show_execd(const struct options *o, const struct source *from,
                       const struct EH_Type *host, uint32_t port, uint32_t number)
{
    struct answer said = ANSWER_INIT;
    uint64_t now_s = uti_now_s(), heard_s = host->EH_lt_heard_from;
    uint64_t age_s = now_s > heard_s ? now_s - heard_s : 0;
    if (!o->wants_info && !o->wants_all) {
        show_up(o, port, age_s);
        return;
    }
    ans_info(&said, "%-25s %d", "status:", 0);
    ans_info(&said, "%-25s sge_execd: R (%" PRIu64 ".00) | OK", "info:", age_s);
    ans_info(&said, "%-25s %s", "Monitor:", "disabled");
    add_turns(from, host, &said);
    show_all(&said, number);
    ans_free(&said);
}

static int ping_execd(const struct options *o, const struct source *from, uint32_t port,
                      uint32_t number, struct answer *ans)
{
    struct GA_Type *all = source_get_target(from, GDI_EXECHOST, ans);
    const struct EH_Type *host = all != NULL ? find_host(all, o->operands[HOST]) : NULL;
    int status = host != NULL && host->EH_is_connected ? 0 : 1;
    if (status == 0)
        show_execd(o, from, host, port, number);
    else if (host != NULL)
        (void)fail_refused(o, port);
    else if (all != NULL)
        (void)fprintf(stderr, MSG_PING_HOST_S, o->operands[HOST]);
    cull_delete(&cull_GA_Type, all);
    return status;
}

/* ---- the endpoint ---- */

/* The endpoint is the qmaster of this cell or an execution daemon of it; there are no others that
 * could answer here. */
static int ping_endpoint(const struct options *o, const struct qmaster_source *q, uint32_t number,
                         struct answer *ans)
{
    uint32_t port;
    if (o->n == 0)
        return ping_qmaster(o, &q->from, 0, number, ans);
    const char *host = o->operands[HOST], *name = o->operands[NAME], *id = o->operands[ID];
    if (!parse_u32(o->operands[PORT], &port) || port == 0 || port > UINT16_MAX) {
        (void)printf(MSG_PING_PORT_SSS, host, name, id);
        return 1;
    }
    bool is_execd = strcmp(name, "execd") == 0;
    if ((!is_execd && strcmp(name, "qmaster") != 0) || strcmp(id, "1") != 0) {
        (void)fprintf(stderr, MSG_PING_OTHER_SSSSSS, host, is_execd ? "execd" : "qmaster", host,
                      name, id);
        return fail_endpoint(o, port);
    }
    if (is_execd)
        return ping_execd(o, &q->from, port, number, ans);
    char *master = cell_qmaster_host(q->cell, ans);
    bool is_here = master != NULL && host_name_equal(master, host);
    free(master);
    return is_here && port == q->cell->port ? ping_qmaster(o, &q->from, port, number, ans)
                                            : fail_refused(o, port);
}

static int run_qping(void *options, bool *shows_usage, struct answer *ans)
{
    const struct options *o = options;
    struct qmaster_source q = { 0 };
    int status = 1;
    (void)shows_usage;
    if (source_open(&q, "qping", ans) == 0 && cell_bootstrap_read(q.cell, ans) == 0) {
        status = ping_endpoint(o, &q, 1, ans);
        for (uint32_t i = 2; o->interval_s > 0 && !o->wants_info; i++) {
            (void)fflush(stdout);
            (void)sleep(o->interval_s);
            status = ping_endpoint(o, &q, i, ans);
        }
    }
    source_close(&q);
    return status;
}

int main(int argc, char **argv)
{
    static const struct command qping = { parse_words, run_qping, add_usage };
    struct options o = { 0 };
    return command_main(&qping, argc, argv, &o, &o.wants_help);
}
