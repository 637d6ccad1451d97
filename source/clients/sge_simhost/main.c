/* sge_simhost - be many execution hosts that are not there. See sge_simhost(8). */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clients/common/command.h"
#include "clients/sge_simhost/farm.h"
#include "common/version.h"
#include "libs/comm/loop.h"
#include "libs/gdi/cell.h"
#include "libs/tls/authority.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/parse.h"
#include "libs/uti/time.h"

enum { HOSTS_MOST = 20000, DAY_S = 86400, LOAD_PERIOD_S = 40 };

struct options {
    bool wants_help, only_issues;
    uint32_t n_hosts, load_s;
    double run_s;
    const char *prefix, *papers_dir;
};

/* ---- options ---- */

static bool o_hosts(void *options, const char *a, unsigned value SGE_UNUSED)
{
    struct options *o = options;
    return parse_u32(a, &o->n_hosts) && o->n_hosts > 0 && o->n_hosts <= HOSTS_MOST;
}

static bool o_load(void *options, const char *a, unsigned value SGE_UNUSED)
{
    return parse_u32(a, &((struct options *)options)->load_s);
}

static bool o_run(void *options, const char *a, unsigned value SGE_UNUSED)
{
    struct options *o = options;
    return parse_double(a, &o->run_s) && o->run_s >= 0 && o->run_s <= DAY_S;
}

#define AT(member) offsetof(struct options, member)

static const struct client_option rows[] = {
    { "-help", ARGUMENT_NONE, option_flag, "[-help]", "print this help", AT(wants_help), 0 },
    { "-hosts", ARGUMENT_NEEDED, o_hosts, "[-hosts number]", "be so many hosts", 0, 0 },
    { "-issue", ARGUMENT_NONE, option_flag, "[-issue]", "make certificates, print names, and end",
      AT(only_issues), 0 },
    { "-load", ARGUMENT_NEEDED, o_load, "[-load seconds]", "between two load reports of a host", 0,
      0 },
    { "-papers", ARGUMENT_NEEDED, option_word, "[-papers directory]", "where certificates lie",
      AT(papers_dir), 0 },
    { "-prefix", ARGUMENT_NEEDED, option_word, "[-prefix name]", "what names of hosts begin with",
      AT(prefix), 0 },
    { "-run", ARGUMENT_NEEDED, o_run, "[-run seconds]", "how long each task takes", 0, 0 },
};
static const struct option_table table = {
    .rows = rows, .n = ARRAY_LEN(rows), .indent = "  ", .width = 20
};

static void add_usage(struct dstr *out)
{
    dstr_add(out, SGE_VERSION_LINE "\nusage: sge_simhost [options]\n");
    option_table_help(&table, out);
}

static int parse_words(int n, char *const *args, void *options, bool *shows_usage,
                       struct answer *ans)
{
    return option_table_parse(&table, n, args, options, shows_usage, ans);
}

/* ---- hosts ---- */

/* H can prove who it is: with the certificate that it has, or with a new one */
static int ready_host(struct sim_host *h, const char *authority_dir, struct answer *ans)
{
    char *key = path_join(h->papers_dir, TLS_FILE_KEY);
    uint64_t now_s = uti_now_s();
    struct certificate c = {
        .name = h->name, .side = TLS_HOST, .from_s = now_s - CLOCK_SKEW_S, .until_s = now_s + DAY_S
    };
    int rc = access(key, F_OK) == 0 ? 0 : authority_issue(authority_dir, &c, h->papers_dir, ans);
    free(key);
    if (rc == 0)
        h->tls = tls_context_new(h->papers_dir, TLS_HOST, ans);
    return h->tls != NULL ? 0 : -1;
}

static int make_hosts(struct farm *f, const struct options *o, const struct cell *cell,
                      struct answer *ans)
{
    char *authority_dir = path_join(cell->qmaster_spool_dir, "authority");
    int rc = 0;
    f->hosts = uti_calloc(o->n_hosts, sizeof *f->hosts);
    for (f->n_hosts = 0; rc == 0 && f->n_hosts < o->n_hosts; f->n_hosts++) {
        struct sim_host *h = &f->hosts[f->n_hosts];
        struct dstr name = DSTR_INIT;
        dstr_addf(&name, "%s%05u", o->prefix, f->n_hosts + 1);
        h->farm = f;
        h->name = dstr_take(&name);
        h->papers_dir = path_join(o->papers_dir, h->name);
        rc = ready_host(h, authority_dir, ans);
        if (o->only_issues)
            puts(h->name);
    }
    free(authority_dir);
    return rc;
}

/* ---- the loop ---- */

static void on_flush(void *ctx)
{
    farm_flush(ctx);
}

static void on_end(void *ctx)
{
    tasks_end(ctx);
}

static void on_load(void *ctx)
{
    farm_report_load(ctx);
}

static void on_term(void *ctx)
{
    struct farm *f = ctx;
    loop_stop(f->loop);
}

/* a descriptor for each host */
static void raise_descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

static int run_farm(struct farm *f, struct answer *ans)
{
    f->loop = loop_new(ans);
    if (f->loop == NULL)
        return -1;
    f->flush_timer = loop_timer_new(f->loop, on_flush, f);
    f->end_timer = loop_timer_new(f->loop, on_end, f);
    f->load_timer = loop_timer_new(f->loop, on_load, f);
    struct loop_watch *term = loop_watch_signal(f->loop, SIGTERM, on_term, f);
    struct loop_watch *interrupt = loop_watch_signal(f->loop, SIGINT, on_term, f);
    f->begun_us = uti_mono_us();
    farm_begin(f);
    if (f->load_period_us > 0)
        loop_timer_set(f->load_timer, f->load_period_us / f->n_hosts);
    int rc = loop_run(f->loop);
    printf("%llu tasks started, %llu ended\n", (unsigned long long)f->n_started,
           (unsigned long long)f->n_ended);
    loop_watch_free(interrupt);
    loop_watch_free(term);
    return rc;
}

static void free_farm(struct farm *f)
{
    for (uint32_t i = 0; i < f->n_hosts; i++)
        host_clear(&f->hosts[i]);
    loop_timer_free(f->flush_timer);
    loop_timer_free(f->end_timer);
    loop_timer_free(f->load_timer);
    loop_free(f->loop);
    free(f->hosts);
}

static int be_hosts(const struct options *o, struct cell *cell, struct answer *ans)
{
    struct farm f = { .port = cell->port,
                      .run_us = (uint64_t)(o->run_s * 1e6),
                      .load_period_us = (uint64_t)o->load_s * 1000000 };
    char *qmaster_host = cell_qmaster_host(cell, ans);
    TAILQ_INIT(&f.due);
    TAILQ_INIT(&f.running);
    f.qmaster_host = qmaster_host;
    int rc = qmaster_host != NULL ? make_hosts(&f, o, cell, ans) : -1;
    if (rc == 0 && !o->only_issues)
        rc = run_farm(&f, ans);
    free_farm(&f);
    free(qmaster_host);
    return rc;
}

static int run_command(void *options, bool *shows_usage, struct answer *ans)
{
    struct options *o = options;
    struct sigaction ignore = { .sa_handler = SIG_IGN };
    struct cell *cell = cell_open(ans);
    *shows_usage = false;
    int rc = cell != NULL ? cell_bootstrap_read(cell, ans) : -1;
    if (rc == 0 && cell->port == 0)
        rc = ans_fail(ans, STATUS_ENOTSUP, "the cell has no port for other hosts (bootstrap(5))");
    char *papers_dir = rc == 0 ? path_join(cell->spool_dir, "simhost") : NULL;
    if (o->papers_dir == NULL)
        o->papers_dir = papers_dir;
    raise_descriptors();
    (void)sigaction(SIGPIPE, &ignore, NULL);
    if (rc == 0)
        rc = be_hosts(o, cell, ans);
    free(papers_dir);
    cell_free(cell);
    return rc == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    static const struct command simhost = { parse_words, run_command, add_usage };
    struct options o = { .n_hosts = 1, .load_s = LOAD_PERIOD_S, .prefix = "sim" };
    return command_main(&simhost, argc, argv, &o, &o.wants_help);
}
