#ifndef SCHED_TEST_QUOTA_CELL_H
#define SCHED_TEST_QUOTA_CELL_H

/* A cell of two hosts with resource quotas, for the tests of what they limit. */
#include "libs/sched/test/feed.h"

#include "libs/sgeobj/object_kind.h"

/* RULES: one a line; "" removes the set */
static inline void feed_rules(struct sched *s, const char *name, const char *rules)
{
    struct EV_Type e = { 0 };
    struct answer ans = ANSWER_INIT;
    char *copy = strdup(rules), *save = NULL;
    cull_set(&e, EV_kind, (uint32_t)(*rules != '\0' ? EV_OBJECT : EV_OBJECT_DEL));
    struct TX_Type *tx = cull_append(&e, EV_texts);
    cull_set(tx, TX_kind, (uint32_t)OBJECT_RQS);
    cull_set(tx, TX_name, name);
    const char *line = "TRUE", *attr = "enabled";
    for (char *rest = copy; line != NULL; attr = "limit", rest = NULL) {
        if (*rules != '\0') {
            struct VA_Type *entry = cull_append(tx, TX_entries);
            cull_set(entry, VA_variable, attr);
            cull_set(entry, VA_value, line);
        }
        line = strtok_r(rest, "\n", &save);
    }
    assert_int_equal(sched_apply(s, &e, &ans), 0);
    ans_free(&ans);
    cull_clear(&cull_EV_Type, &e);
    free(copy);
}

static inline void feed_resource(struct sched *s, const char *name, const char *consumable)
{
    feedf(s,
          "object 11 %s shortcut %s type INT relop <= requestable YES consumable %s default 0 "
          "urgency 0",
          name, name, consumable);
}

static inline struct sched *two_hosts(const char *rules)
{
    struct sched *s = sched_new();
    feed_resource(s, "slots", "YES");
    feed_resource(s, "lic", "YES");
    feed_resource(s, "num_proc", "NO");
    feed(s, "object 12 smp slots 999 allocation_rule $pe_slots");
    feed(s, "object 12 mpi slots 999 allocation_rule $round_robin");
    feed(s, "queue all.q@h 10 seq 1 group @rack pes smp,mpi");
    feed(s, "queue all.q@i 10 seq 2 pes smp,mpi");
    feed_rules(s, "r1", rules);
    return s;
}

#endif
