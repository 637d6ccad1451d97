#ifndef SCHED_TEST_FEED_H
#define SCHED_TEST_FEED_H

/* Snapshots as text, for the tests of this room: one line is one event (event_lines.h), a run's
 * orders are one line: "JOB:RANGES>QUEUE", blanks between; of parallel jobs
 * "JOB:RANGES>PE:QUEUE=SLOTS,QUEUE=SLOTS"; "JOB gone" of immediate ones that are to go; "OWNER
 * last" of one whose requests cost most. */
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/object_kind.h"
#include "libs/sgeobj/test/event_lines.h"

#include "libs/sched/sched.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static inline void feed(struct sched *s, const char *line)
{
    struct EV_Type *e = feed_event(line);
    struct answer ans = ANSWER_INIT;

    assert_int_equal(sched_apply(s, e, &ans), 0);
    ans_free(&ans);
    cull_delete(&cull_EV_Type, e);
}

/* the same of a line that is put together as by printf */
__attribute__((format(printf, 2, 3))) static inline void feedf(struct sched *s, const char *format,
                                                               ...)
{
    char *line;
    va_list args;
    va_start(args, format);
    assert_true(vasprintf(&line, format, args) >= 0);
    va_end(args);
    feed(s, line);
    free(line);
}

/* a share tree of N nodes, the root first, each as sge_share_tree(5) writes it, on one line */
static inline void feed_share_tree(struct sched *s, const char *const *nodes, size_t n)
{
    struct EV_Type event = { 0 };
    cull_set(&event, EV_kind, (uint32_t)EV_OBJECT);
    struct TX_Type *tree = cull_append(&event, EV_texts);
    cull_set(tree, TX_kind, (uint32_t)OBJECT_SHARETREE);
    cull_set(tree, TX_name, "sharetree");
    for (size_t i = 0; i < n; i++) {
        struct VA_Type *va = cull_append(tree, TX_entries);
        cull_set(va, VA_variable, "node");
        cull_set(va, VA_value, nodes[i]);
    }
    assert_int_equal(sched_apply(s, &event, NULL), 0);
    cull_clear(&cull_EV_Type, &event);
}

/* USER has used CPU in PROJECT, NULL: in none, decayed to NOW_S */
static inline void feed_share_usage(struct sched *s, const char *user, const char *project,
                                    uint64_t now_s, double cpu)
{
    struct EV_Type event = { 0 };
    cull_set(&event, EV_kind, (uint32_t)EV_SHARE_USAGE);
    cull_set(&event, EV_owner, user);
    if (project != NULL)
        cull_set(&event, EV_project, project);
    cull_set(&event, EV_start_time, now_s);
    struct UA_Type *usage = cull_append(&event, EV_usage);
    cull_set(usage, UA_name, "cpu");
    cull_set(usage, UA_value, cpu);
    assert_int_equal(sched_apply(s, &event, NULL), 0);
    cull_clear(&cull_EV_Type, &event);
}

static inline void orders_clear(struct OR_Type_list *orders)
{
    for (uint32_t i = 0; i < orders->n; i++)
        cull_clear(&cull_OR_Type, &orders->v[i]);
    free(orders->v);
    *orders = (struct OR_Type_list){ 0 };
}

static inline void order_text(const struct OR_Type *order, struct dstr *out)
{
    struct range r;
    const char *comma = "";

    dstr_addf(out, "%s%u:", out->len > 0 ? " " : "", order->OR_job_number);
    for (uint64_t at = 0; at <= UINT32_MAX && range_set_next_run(&order->OR_ids, at, &r);
         at = (uint64_t)r.last + 1) {
        dstr_addf(out, r.first == r.last ? "%s%u" : "%s%u-%u", comma, r.first, r.last);
        comma = ",";
    }
    if (allocation_pe(&order->OR_granted) == NULL) {
        dstr_addf(out, ">%s", allocation_queue(&order->OR_granted));
        return;
    }
    dstr_addf(out, ">%s", allocation_pe(&order->OR_granted));
    for (uint32_t i = 0; i < order->OR_granted.n; i++)
        dstr_addf(out, "%s%s=%u", i == 0 ? ":" : ",", order->OR_granted.v[i].JG_qname,
                  order->OR_granted.v[i].JG_slots);
}

/* a run at NOW of at most MOST tasks gives exactly these orders */
static inline void expect_orders(struct sched *s, uint64_t now_s, uint32_t most,
                                 const char *expected)
{
    struct OR_Type_list orders = { 0 };
    struct dstr text = DSTR_INIT;
    uint32_t n = sched_run(s, now_s, most, &orders);
    uint64_t in_orders = 0;

    for (uint32_t i = 0; i < orders.n; i++) {
        if (orders.v[i].OR_kind == ORDER_REMOVE) {
            dstr_addf(&text, "%s%u gone", text.len > 0 ? " " : "", orders.v[i].OR_job_number);
            continue;
        }
        if (orders.v[i].OR_kind == ORDER_LAST) {
            dstr_addf(&text, "%s%s last", text.len > 0 ? " " : "", orders.v[i].OR_owner);
            continue;
        }
        assert_int_equal(orders.v[i].OR_kind, ORDER_START);
        if (allocation_pe(&orders.v[i].OR_granted) == NULL)
            assert_int_equal(allocation_slots(&orders.v[i].OR_granted), 1);
        in_orders += range_set_count(&orders.v[i].OR_ids);
        order_text(&orders.v[i], &text);
    }
    assert_string_equal(dstr_get(&text), expected);
    assert_int_equal(in_orders, n);
    dstr_free(&text);
    orders_clear(&orders);
}

#define EXPECT(s, expected) expect_orders((s), 1000, 1000000, (expected))

#endif
