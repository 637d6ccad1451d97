#ifndef SGEOBJ_TEST_EVENT_LINES_H
#define SGEOBJ_TEST_EVENT_LINES_H

/* Events as text, for tests of all who take them: one line is one event.
 *
 *   queue NAME SLOTS [seq N] [state N] [type N] [group NAME|none] [acl|xacl|prj|xprj NAME|none]
 *       [pes NAME,...] [load X] [step X] [has NAME=VALUE] [set ATTR=VALUE]
 *   queue+ NAME ... (MOD)     delq NAME
 *   job N [A-B] [now y|n] [p PRIO] [js N] [ot N] [dep NAME] [tc N] [at S] [sub S]
 *       [ad N]... [ja FIRST STEP]
 *       [q WC_QUEUE] [l NAME[:TYPE]=VALUE] [softl NAME=VALUE] [softq WC_QUEUE]
 *       [dl S] [owner NAME] [project NAME] [sets NAME] [pe NAME N,N-M...] [masterq WC_QUEUE]
 *   mod N ...     del N     ready N A-B     unready N A-B
 *   started N A-B [since S] [pe NAME] QUEUE [SLOTS QUEUE SLOTS ...]     ended N A-B QUEUE ...
 *   done N A-B [FAILED EXIT_STATUS], by default 0 and 0     unrun N A-B
 *       behind a queue: take NAME=AMOUNT
 *   state N A-B STATUS STATE
 *   host NAME NAME=VALUE...     loads NAME NAME=VALUE...     delh NAME
 *   conf NAME VALUE     object KIND NAME [ATTR VALUE ...]     delo KIND NAME */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "libs/sgeobj/event.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/parse.h"

struct words {
    char *at;
};

static inline const char *next_word(struct words *w)
{
    char *found;

    do
        found = strsep(&w->at, " ");
    while (found != NULL && *found == '\0');
    return found;
}

static inline uint32_t read_number(const char *text)
{
    uint32_t n = 0;

    assert_non_null(text);
    assert_true(parse_u32(text, &n));
    return n;
}

static inline void ids_of(struct EV_Type *e, const char *text)
{
    unsigned first = 0, last = 0;
    int n = sscanf(text, "%u-%u", &first, &last);

    assert_true(n >= 1);
    range_set_add(cull_ranges(e, EV_ids), first, n == 2 ? last : first);
}

static inline void queue_request(struct JB_Type *job, const char *wc_queue)
{
    struct QR_Type *request = cull_append(job, JB_hard_queue_list);

    cull_set(request, QR_name, wc_queue);
}

/* "mem=2G"; "t:3=1:0:0" with the type, a digit, behind a colon. Without it: memory. */
static inline void resource_request(struct CE_Type *ce, const char *request)
{
    enum { MEMORY = 4 };
    const char *equals = strchr(request, '=');
    assert_non_null(equals);
    size_t length = strcspn(request, ":=");
    char *name = uti_strndup(request, length);
    cull_set(ce, CE_name, name);
    cull_set(ce, CE_valtype,
             request[length] == ':' ? (uint32_t)(request[length + 1] - '0') : MEMORY);
    cull_set(ce, CE_stringval, equals + 1);
    free(name);
}

/* the numbers of slots: "4", "2-8", "1,4-6" */
static inline void pe_request(struct JB_Type *job, const char *pe, const char *numbers)
{
    unsigned first, last;
    int read, n;
    assert_non_null(numbers);
    cull_set(job, JB_pe, pe);
    for (const char *at = numbers; *at != '\0'; at += read + (at[read] == ',')) {
        n = sscanf(at, "%u-%u%n", &first, &last, &read);
        if (n == 1 && sscanf(at, "%u%n", &first, &read) == 1)
            last = first;
        assert_true(n >= 1);
        range_set_add(cull_ranges(job, JB_pe_range), first, last);
    }
}

static inline bool job_number(struct JB_Type *job, const char *key, const char *value)
{
    if (strcmp(key, "js") == 0)
        cull_set(job, JB_jobshare, read_number(value));
    else if (strcmp(key, "ot") == 0)
        cull_set(job, JB_override_tickets, read_number(value));
    else if (strcmp(key, "tc") == 0)
        cull_set(job, JB_ja_task_concurrency, read_number(value));
    else if (strcmp(key, "at") == 0)
        cull_set(job, JB_execution_time, read_number(value));
    else if (strcmp(key, "dl") == 0)
        cull_set(job, JB_deadline, read_number(value));
    else if (strcmp(key, "sub") == 0)
        cull_set(job, JB_submission_time, read_number(value));
    else
        return false;
    return true;
}

static inline void job_words(struct EV_Type *e, struct words *w)
{
    struct JB_Type *job = cull_append(e, EV_jobs);
    const char *key;

    cull_set(job, JB_job_number, read_number(next_word(w)));
    while ((key = next_word(w)) != NULL) {
        if (strchr("0123456789", key[0]) != NULL) {
            ids_of(e, key);
            continue;
        }
        const char *value = next_word(w);
        if (strcmp(key, "pe") == 0) {
            pe_request(job, value, next_word(w));
            continue;
        }
        if (strcmp(key, "now") == 0)
            cull_set(job, JB_is_immediate, strcmp(value, "y") == 0);
        else if (strcmp(key, "R") == 0)
            cull_set(job, JB_reserve, strcmp(value, "y") == 0);
        else if (strcmp(key, "p") == 0)
            cull_set(job, JB_priority, (uint32_t)(JOB_PRIORITY_BASE + strtol(value, NULL, 10)));
        else if (strcmp(key, "dep") == 0)
            cull_set(job, JB_department, value);
        else if (strcmp(key, "ad") == 0)
            cull_set((struct JRE_Type *)cull_append(job, JB_ja_ad_predecessor_list), JRE_job_number,
                     read_number(value));
        else if (strcmp(key, "ja") == 0) {
            cull_set(job, JB_ja_first, read_number(value));
            cull_set(job, JB_ja_step, read_number(next_word(w)));
        } else if (strcmp(key, "q") == 0)
            queue_request(job, value);
        else if (strcmp(key, "l") == 0)
            resource_request((struct CE_Type *)cull_append(job, JB_hard_resource_list), value);
        else if (strcmp(key, "softl") == 0)
            resource_request((struct CE_Type *)cull_append(job, JB_soft_resource_list), value);
        else if (strcmp(key, "softq") == 0)
            cull_set(cull_append(job, JB_soft_queue_list), QR_name, value);
        else if (strcmp(key, "masterq") == 0)
            cull_set(cull_append(job, JB_master_hard_queue_list), QR_name, value);
        else if (strcmp(key, "ckpt") == 0)
            cull_set(job, JB_checkpoint_name, value);
        else if (strcmp(key, "owner") == 0)
            cull_set(job, JB_owner, value);
        else if (strcmp(key, "project") == 0)
            cull_set(job, JB_project, value);
        else if (strcmp(key, "sets") == 0)
            cull_set(job, JB_user_sets, strcmp(value, "none") == 0 ? NULL : value);
        else if (!job_number(job, key, value))
            fail_msg("unknown word %s", key);
    }
}

static inline void queue_group(struct QU_Type *q, const char *name)
{
    cull_mark(q, QU_hostgroups);
    if (strcmp(name, "none") == 0)
        return;
    struct ST_Type *group = cull_append(q, QU_hostgroups);
    cull_set(group, ST_name, name);
}

/* true: KEY is the name of an access list, which is VALUE; "none": there are no doors */
static inline bool queue_door(struct QU_Type *q, const char *key, const char *value)
{
    static const char *const keys[] = { "acl", "xacl", "prj", "xprj" };
    size_t i = 0;
    while (i < ARRAY_LEN(keys) && strcmp(key, keys[i]) != 0)
        i++;
    if (i == ARRAY_LEN(keys))
        return false;
    cull_mark(q, QU_access);
    if (strcmp(value, "none") == 0)
        return true;
    struct AC_Type *door = cull_append(q, QU_access);
    if (i == 0)
        cull_set(door, AC_user_lists, value);
    else if (i == 1)
        cull_set(door, AC_xuser_lists, value);
    else if (i == 2)
        cull_set(door, AC_projects, value);
    else
        cull_set(door, AC_xprojects, value);
    return true;
}

/* "mem=4G" */
static inline void read_offer(struct CE_Type *ce, const char *text)
{
    size_t length = strcspn(text, "=");
    char *name = uti_strndup(text, length);
    cull_set(ce, CE_name, name);
    cull_set(ce, CE_stringval, text + length + 1);
    free(name);
}

/* "h_rt=1:0:0" */
static inline void read_value(struct VA_Type *va, const char *text)
{
    size_t length = strcspn(text, "=");
    char *name = uti_strndup(text, length);
    cull_set(va, VA_variable, name);
    cull_set(va, VA_value, text + length + 1);
    free(name);
}

static inline void queue_words(struct EV_Type *e, struct words *w)
{
    struct QU_Type *q = cull_append(e, EV_queues);
    const char *key;

    cull_set(q, QU_full_name, next_word(w));
    while ((key = next_word(w)) != NULL) {
        if (strchr("0123456789", key[0]) != NULL)
            cull_set(q, QU_job_slots, read_number(key));
        else if (strcmp(key, "seq") == 0)
            cull_set(q, QU_seq_no, read_number(next_word(w)));
        else if (strcmp(key, "group") == 0)
            queue_group(q, next_word(w));
        else if (strcmp(key, "pes") == 0)
            cull_set(q, QU_pe_list, next_word(w));
        else if (strcmp(key, "ckpts") == 0)
            cull_set(q, QU_ckpt_list, next_word(w));
        else if (strcmp(key, "has") == 0)
            read_offer((struct CE_Type *)cull_append(q, QU_consumable_config_list), next_word(w));
        else if (strcmp(key, "set") == 0)
            read_value((struct VA_Type *)cull_append(q, QU_settings), next_word(w));
        else if (strcmp(key, "type") == 0)
            cull_set(q, QU_qtype, read_number(next_word(w)));
        else if (strcmp(key, "state") == 0)
            cull_set(q, QU_state, read_number(next_word(w)));
        else if (strcmp(key, "load") == 0)
            cull_set(q, QU_load, atof(next_word(w)));
        else if (strcmp(key, "step") == 0)
            cull_set(q, QU_load_step, atof(next_word(w)));
        else
            assert_true(queue_door(q, key, next_word(w)));
    }
}

/* "mem=2048" */
static inline void read_taken(struct JG_Type *entry, const char *text)
{
    struct TK_Type *tk = cull_append(entry, JG_taken);
    size_t length = strcspn(text, "=");
    char *name = uti_strndup(text, length);
    cull_set(tk, TK_name, name);
    cull_set(tk, TK_amount, (uint64_t)strtoull(text + length + 1, NULL, 10));
    free(name);
}

static inline void host_words(struct EV_Type *e, struct words *w)
{
    struct EH_Type *host = cull_append(e, EV_hosts);
    cull_set(host, EH_name, next_word(w));
    cull_mark(host, EH_consumable_config_list);
    for (const char *text; (text = next_word(w)) != NULL;)
        read_offer((struct CE_Type *)cull_append(host, EH_consumable_config_list), text);
}

static inline void load_words(struct EV_Type *e, struct words *w)
{
    struct EH_Type *host = cull_append(e, EV_hosts);
    cull_set(host, EH_name, next_word(w));
    cull_mark(host, EH_load_list);
    for (const char *text; (text = next_word(w)) != NULL;)
        read_value((struct VA_Type *)cull_append(host, EH_load_list), text);
}

static inline void task_words(struct EV_Type *e, struct words *w)
{
    cull_set(e, EV_job_number, read_number(next_word(w)));
    ids_of(e, next_word(w));
    const char *pe = NULL;
    for (const char *queue; (queue = next_word(w)) != NULL;) {
        if (strcmp(queue, "pe") == 0) {
            pe = next_word(w);
            continue;
        }
        if (strcmp(queue, "since") == 0) {
            cull_set(e, EV_start_time, (uint64_t)read_number(next_word(w)));
            continue;
        }
        if (strcmp(queue, "take") == 0) {
            read_taken(&e->EV_granted.v[e->EV_granted.n - 1], next_word(w));
            continue;
        }
        const char *slots = next_word(w);
        struct JG_Type *entry = cull_append(e, EV_granted);
        cull_set(entry, JG_qname, queue);
        cull_set(entry, JG_slots, slots != NULL ? read_number(slots) : 1);
    }
    if (pe != NULL)
        cull_set(&e->EV_granted.v[0], JG_pe, pe);
}

static inline void done_words(struct EV_Type *e, struct words *w)
{
    cull_set(e, EV_job_number, read_number(next_word(w)));
    ids_of(e, next_word(w));
    const char *failed = next_word(w);
    cull_set(e, EV_failed, failed != NULL ? read_number(failed) : 0);
    cull_set(e, EV_exit_status, failed != NULL ? read_number(next_word(w)) : 0);
}

static inline void state_words(struct EV_Type *e, struct words *w)
{
    cull_set(e, EV_job_number, read_number(next_word(w)));
    ids_of(e, next_word(w));
    cull_set(e, EV_status, read_number(next_word(w)));
    cull_set(e, EV_state, read_number(next_word(w)));
}

static inline void object_words(struct EV_Type *e, struct words *w)
{
    struct TX_Type *object = cull_append(e, EV_texts);
    cull_set(object, TX_kind, read_number(next_word(w)));
    cull_set(object, TX_name, next_word(w));
    for (const char *attr; (attr = next_word(w)) != NULL;) {
        struct VA_Type *entry = cull_append(object, TX_entries);
        cull_set(entry, VA_variable, attr);
        cull_set(entry, VA_value, next_word(w));
    }
}

static inline void conf_words(struct EV_Type *e, struct words *w)
{
    struct CONF_Type *conf = cull_append(e, EV_confs);
    struct VA_Type *setting = cull_append(conf, CONF_entries);

    cull_set(conf, CONF_name, "@scheduler");
    cull_set(setting, VA_variable, next_word(w));
    cull_set(setting, VA_value, next_word(w));
}

static const struct {
    const char *verb;
    uint32_t kind;
    void (*fill)(struct EV_Type *e, struct words *w);
} feed_verbs[] = {
    { "queue", EV_QUEUE_ADD, queue_words },
    { "queue+", EV_QUEUE_MOD, queue_words },
    { "job", EV_JOB_ADD, job_words },
    { "mod", EV_JOB_MOD, job_words },
    { "ready", EV_TASKS_READY, task_words },
    { "unready", EV_TASKS_UNREADY, task_words },
    { "started", EV_TASKS_STARTED, task_words },
    { "ended", EV_TASKS_ENDED, task_words },
    { "done", EV_TASKS_DONE, done_words },
    { "unrun", EV_TASKS_DONE, task_words },
    { "state", EV_TASKS_STATE, state_words },
    { "conf", EV_CONF, conf_words },
    { "object", EV_OBJECT, object_words },
    { "delo", EV_OBJECT_DEL, object_words },
    { "host", EV_HOST, host_words },
    { "loads", EV_HOST, load_words },
    { "delh", EV_HOST_DEL, host_words },
};

/* feed_event - the event of one LINE; free with cull_delete */
static inline struct EV_Type *feed_event(const char *line)
{
    struct EV_Type *e = cull_new(&cull_EV_Type);
    char *copy = uti_strdup(line);
    struct words w = { copy };
    const char *verb = next_word(&w);

    for (size_t i = 0; i < ARRAY_LEN(feed_verbs); i++)
        if (strcmp(verb, feed_verbs[i].verb) == 0) {
            cull_set(e, EV_kind, feed_verbs[i].kind);
            feed_verbs[i].fill(e, &w);
        }
    if (strcmp(verb, "del") == 0) {
        cull_set(e, EV_kind, EV_JOB_DEL);
        cull_set(e, EV_job_number, read_number(next_word(&w)));
    } else if (strcmp(verb, "delq") == 0) {
        cull_set(e, EV_kind, EV_QUEUE_DEL);
        cull_set(e, EV_queue, next_word(&w));
    }
    free(copy);
    assert_true(e->EV_kind != 0);
    return e;
}

#endif
