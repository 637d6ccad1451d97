/* config_scale [HOSTS] - what a large configuration costs the core of the qmaster
 *
 * HOSTS hosts (10,000) in 20 nested host groups and 10 queues on all of them, with settings for
 * groups and for single hosts, in the qmaster of the tests (fixture.h), so that what is measured is
 * the core's own work: processor time, without committer and network. Each figure is a line: name,
 * the core's work as a whole, and the longest slice of it, in seconds; `bytes` are those of an
 * instance. */
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/config/queue_setup.h"
#include "daemons/qmaster/core.h"
#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/requests/reads/reads.h"
#include "daemons/qmaster/requests/requests.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "libs/config/conf.h"
#include "libs/config/cqueue.h"
#include "libs/config/host.h"
#include "libs/uti/time.h"

enum { GROUPS = 19, CHAIN = 10, QUEUES = 10, OWN_SETTINGS = 100, REPEATS = 20 };
static const unsigned NO_HOST = UINT32_MAX;

static unsigned hosts_n = 10000;

/* ---- the core's time ---- */
static double core_s, longest_s;

static double thread_s(void)
{
    struct timespec at;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
    return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static void count_slice(double from)
{
    double took = thread_s() - from;
    core_s += took;
    longest_s = took > longest_s ? took : longest_s;
}

static void begin_figure(void)
{
    core_s = longest_s = 0;
}

static void end_figure(const char *name, unsigned n)
{
    printf("%s %.9f %.9f\n", name, core_s / n, longest_s);
}

static bool do_slice(struct fixture *f)
{
    double from = thread_s();
    f->q.slice_until_us = uti_mono_us() + WORK_SLICE_US;
    bool is_done = work_step(&f->q);
    f->q.slice_until_us = 0;
    count_slice(from);
    return is_done;
}

static void hand_over(struct fixture *f)
{
    double from = thread_s();
    core_hand_over(&f->q);
    count_slice(from);
}

/* all that was begun is done; what was sent is thrown away */
static void settle(struct fixture *f)
{
    do {
        while (do_slice(f))
            ;
        hand_over(f);
    } while (fixture_turn(f) || !change_is_settled(&f->q));
    fixture_forget_sent(f);
}

static void ask(struct fixture *f, fixture_handler_fn handler, struct GR_Type *gr)
{
    double from = thread_s();
    f->q.slice_until_us = uti_mono_us() + WORK_SLICE_US;
    bool is_done = fixture_ask(f, "boss", handler, gr);
    f->q.slice_until_us = 0;
    count_slice(from);
    if (!is_done) {
        fprintf(stderr, "%s\n", said(f));
        exit(1);
    }
    settle(f);
}

/* ---- the configuration ---- */
static const char *host_name(unsigned i)
{
    static char name[16];
    snprintf(name, sizeof name, "n%05u", i);
    return name;
}

static void add_host(struct fixture *f, unsigned i)
{
    struct EH_Type *rec = host_template(host_name(i));
    struct host *h = hosts_put(&f->q.hosts, rec->EH_name, rec);
    change_record(&f->q, SPOOL_HOST, h->rec.EH_name, &cull_EH_Type, &h->rec);
    cull_delete(&cull_EH_Type, rec);
}

/* the members of group I: its share of the hosts, also of those that are yet to come, the next of
 * the chain or none, and one besides; but for host WITHOUT */
static void members(unsigned i, unsigned without, struct dstr *out)
{
    for (unsigned h = i - 1; h < hosts_n + REPEATS; h += GROUPS)
        if (h != without)
            dstr_addf(out, "%s ", host_name(h));
    if (i < CHAIN)
        dstr_addf(out, "@g%u ", i + 1);
    if (i < CHAIN && i + CHAIN <= GROUPS)
        dstr_addf(out, "@g%u", i + CHAIN);
}

static void put_group(struct fixture *f, const char *name, const char *hosts)
{
    struct GR_Type gr = { 0 };
    const struct object_rules *rules = object_rules_of(OBJECT_HOSTGROUP);
    bool is_there = settings_text(&f->q.settings, GDI_HOSTGROUP, name) != NULL;
    cull_set(&gr, GR_target, (uint32_t)GDI_HOSTGROUP);
    struct TX_Type *tx = cull_append(&gr, GR_texts);
    object_template(rules, name, tx);
    if (object_set(rules, tx, "hostlist", hosts, NULL) != 0)
        abort();
    ask(f, is_there ? mod_config_request : add_config_request, &gr);
}

static void put_numbered_group(struct fixture *f, unsigned i, unsigned without)
{
    struct dstr hosts = DSTR_INIT;
    char name[16];
    snprintf(name, sizeof name, "@g%u", i);
    members(i, without, &hosts);
    put_group(f, name, dstr_get(&hosts));
    dstr_free(&hosts);
}

static void put_queue(struct fixture *f, unsigned i, const char *attr, const char *value)
{
    char name[16];
    struct GR_Type gr = { 0 };
    snprintf(name, sizeof name, "q%u", i);
    cull_set(&gr, GR_target, (uint32_t)GDI_CQUEUE);
    const struct cqueue *old = queues_cqueue(&f->q.queues, name);
    struct CQ_Type *cq = cull_append(&gr, GR_cqueues), *fresh = cqueue_template(name);
    cull_copy(&cull_CQ_Type, cq, old != NULL ? &old->rec : fresh);
    cull_delete(&cull_CQ_Type, fresh);
    if (cqueue_set(cq, "hostlist", "@all", NULL) != 0 || cqueue_set(cq, attr, value, NULL) != 0)
        abort();
    ask(f, old != NULL ? mod_config_request : add_config_request, &gr);
}

static void add_queue(struct fixture *f, unsigned i)
{
    struct dstr slots = DSTR_INIT;
    dstr_addf(&slots, "8,[@g3=4],[@g7=16]");
    for (unsigned k = 0; k < OWN_SETTINGS; k++)
        dstr_addf(&slots, ",[%s=%u]", host_name((i * OWN_SETTINGS + k) % hosts_n), 1 + k % 4);
    put_queue(f, i, "slots", dstr_get(&slots));
    dstr_free(&slots);
}

static void configure(struct fixture *f)
{
    for (unsigned i = 0; i < hosts_n; i++)
        add_host(f, i);
    settle(f);
    for (unsigned i = GROUPS; i > 0; i--)
        put_numbered_group(f, i, NO_HOST);
    put_group(f, "@all", "@g1");
    begin_figure();
    size_t before = mallinfo2().uordblks;
    for (unsigned i = 0; i < QUEUES; i++)
        add_queue(f, i);
    size_t bytes = mallinfo2().uordblks - before;
    end_figure("add_queue", QUEUES);
    printf("bytes %zu 0\n", bytes / (QUEUES * hosts_n));
}

/* ---- figures ---- */
static void measure_host_added(struct fixture *f)
{
    begin_figure();
    for (unsigned i = 0; i < REPEATS; i++) {
        double from = thread_s();
        add_host(f, hosts_n + i);
        queue_resolve_host(&f->q, hosts_find(&f->q.hosts, host_name(hosts_n + i)));
        count_slice(from);
        settle(f);
    }
    end_figure("host_add", REPEATS);
}

static void measure_host_changed(struct fixture *f)
{
    begin_figure();
    for (unsigned i = 0; i < REPEATS; i++) {
        struct GR_Type gr = { 0 };
        cull_set(&gr, GR_target, (uint32_t)GDI_EXECHOST);
        struct EH_Type *rec = cull_append(&gr, GR_hosts);
        cull_copy(&cull_EH_Type, rec, &hosts_find(&f->q.hosts, host_name(i))->rec);
        host_set(rec, "complex_values", "slots=7", NULL);
        ask(f, mod_config_request, &gr);
    }
    end_figure("host_change", REPEATS);
}

static void measure_host_moved(struct fixture *f)
{
    begin_figure();
    for (unsigned i = 0; i < REPEATS; i++)
        put_numbered_group(f, 7, i % 2 == 0 ? 6 : NO_HOST);
    end_figure("host_move", REPEATS);
}

static void measure_group(struct fixture *f)
{
    begin_figure();
    put_group(f, "@all", "NONE");
    put_group(f, "@all", "@g1");
    end_figure("group_change", 2);
}

static void measure_queue(struct fixture *f)
{
    begin_figure();
    for (unsigned i = 0; i < QUEUES; i++)
        put_queue(f, i, "h_rt", "12:00:00");
    end_figure("queue_change", QUEUES);
    begin_figure();
    for (unsigned i = 0; i < QUEUES; i++)
        put_queue(f, i, "s_rt", "INFINITY,[n00007=11:00:00]");
    end_figure("setting_change", QUEUES);
}

static void set_connections(struct fixture *f, uint64_t first)
{
    for (struct host *h = f->q.hosts.all; h != NULL; h = h->hh.next)
        h->conn = first == 0 ? 0 : first++;
}

/* the global configuration changes, which every host hears of */
static void measure_conf(struct fixture *f)
{
    enum { FIRST_CONN = 1000000 };
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_target, (uint32_t)GDI_CONFIG);
    struct CONF_Type *conf = cull_append(&gr, GR_confs);
    cull_copy(&cull_CONF_Type, conf, &settings_conf(&f->q.settings, CONF_GLOBAL)->rec);
    set_connections(f, FIRST_CONN);
    begin_figure();
    ask(f, mod_config_request, &gr);
    end_figure("conf_change", 1);
    set_connections(f, 0);
}

/* settings and a hostlist that name each host */
static void measure_names(struct fixture *f)
{
    struct dstr slots = DSTR_INIT, hosts = DSTR_INIT;
    dstr_add(&slots, "1");
    for (unsigned i = 0; i < hosts_n; i++) {
        dstr_addf(&slots, ",[%s=2]", host_name(i));
        dstr_addf(&hosts, "%s ", host_name(i));
    }
    begin_figure();
    put_queue(f, 1, "slots", dstr_get(&slots));
    end_figure("settings_of_all", 1);
    begin_figure();
    put_queue(f, 2, "hostlist", dstr_get(&hosts));
    end_figure("names_of_all", 1);
    dstr_free(&slots);
    dstr_free(&hosts);
}

/* ---- objects as large as they may be ---- */
enum { MEMBERS = OBJECT_LIST_MOST, NODES = OBJECT_ENTRIES_MOST - 2 };

static void measure_large_group(struct fixture *f)
{
    struct dstr hosts = DSTR_INIT;
    for (unsigned i = 0; i < MEMBERS; i++)
        dstr_addf(&hosts, "%sother%05u", i > 0 ? "," : "", i);
    begin_figure();
    put_group(f, "@large", dstr_get(&hosts));
    put_group(f, "@large", dstr_get(&hosts));
    end_figure("large_group", 2);
    dstr_free(&hosts);
}

static void add_user(struct fixture *f, unsigned i)
{
    struct TX_Type user = { 0 };
    char name[16];
    snprintf(name, sizeof name, "u%u", i);
    object_template(object_rules_of(OBJECT_USER), name, &user);
    settings_put_text(&f->q.settings, &user);
}

static void add_node(struct TX_Type *tx, const struct dstr *node)
{
    struct VA_Type *va = cull_append(tx, TX_entries);
    cull_set(va, VA_variable, "node");
    cull_set(va, VA_value, dstr_get(node));
}

/* below the root all users, each with shares of its own */
static void fill_tree(struct TX_Type *tx)
{
    struct dstr node = DSTR_INIT;
    dstr_add(&node, "id=0 name=Root type=0 shares=1 childnodes=");
    for (unsigned i = 1; i <= NODES; i++)
        dstr_addf(&node, "%s%u", i > 1 ? "," : "", i);
    add_node(tx, &node);
    for (unsigned i = 1; i <= NODES; i++) {
        dstr_clear(&node);
        dstr_addf(&node, "id=%u name=u%u type=0 shares=%u childnodes=NONE", i, i, i);
        add_node(tx, &node);
    }
    dstr_free(&node);
}

static void measure_large_tree(struct fixture *f)
{
    for (unsigned i = 1; i <= NODES; i++)
        add_user(f, i);
    begin_figure();
    for (int times = 0; times < 2; times++) {
        struct GR_Type gr = { 0 };
        cull_set(&gr, GR_target, (uint32_t)GDI_SHARETREE);
        fill_tree(cull_append(&gr, GR_texts));
        ask(f, times == 0 ? add_config_request : mod_config_request, &gr);
    }
    end_figure("large_tree", 2);
}

static void measure_read(struct fixture *f)
{
    static const struct {
        enum gdi_target target;
        const char *figure, *field; /* that alone; NULL: all of them */
    } reads[] = { { GDI_QINSTANCE, "read_instances", NULL },
                  { GDI_QINSTANCE, "read_states", "QU_state" },
                  { GDI_EXECHOST, "read_hosts", NULL } };
    for (size_t i = 0; i < ARRAY_LEN(reads); i++) {
        struct GR_Type gr = { 0 };
        cull_set(&gr, GR_target, (uint32_t)reads[i].target);
        if (reads[i].field != NULL)
            cull_set(cull_append(&gr, GR_fields), ST_name, reads[i].field);
        begin_figure();
        ask(f, get_config_request, &gr);
        end_figure(reads[i].figure, 1);
    }
}

static void measure_scheduler(struct fixture *f)
{
    begin_figure();
    fixture_register_scheduler(f);
    for (bool is_more = true; is_more;) {
        double from = thread_s();
        f->q.slice_until_us = uti_mono_us() + WORK_SLICE_US;
        is_more = events_step(&f->q);
        f->q.slice_until_us = 0;
        count_slice(from);
        hand_over(f);
    }
    end_figure("scheduler", 1);
    fixture_hang_up(f, "root");
    settle(f);
}

static void measure_start(struct fixture *f)
{
    fixture_end(f);
    double from = thread_s();
    fixture_again(f);
    printf("start %.9f 0\n", thread_s() - from);
}

static void measure_queue_removed(struct fixture *f)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_DEL);
    cull_set(&gr, GR_target, (uint32_t)GDI_CQUEUE);
    struct ID_Type *id = cull_append(&gr, GR_select);
    cull_set(id, ID_str, "q0");
    begin_figure();
    ask(f, del_config_request, &gr);
    end_figure("queue_remove", 1);
}

int main(int argc, char **argv)
{
    void *state = NULL;
    if (argc > 1)
        hosts_n = (unsigned)strtoul(argv[1], NULL, 10);
    fixture_setup(&state);
    struct fixture *f = state;
    configure(f);
    measure_host_added(f);
    measure_host_changed(f);
    measure_host_moved(f);
    measure_group(f);
    measure_queue(f);
    measure_conf(f);
    measure_read(f);
    measure_scheduler(f);
    measure_start(f);
    measure_queue_removed(f);
    measure_names(f); /* what is larger than usual comes last: it stays in the configuration */
    measure_large_group(f);
    measure_large_tree(f);
    fixture_teardown(&state);
    return 0;
}
