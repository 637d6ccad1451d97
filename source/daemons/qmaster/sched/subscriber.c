/* One event client. Invariants: `open` holds only events that it wants; events of a job that lies
 * ahead of the cursor are not in it; acknowledged <= package. */
#include "daemons/qmaster/sched/subscriber.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/sched/priors.h"
#include "libs/sgeobj/allocation.h"
#include "libs/uti/alloc.h"

enum {
    SCHEDULER_PACKAGES = 64, /* not acknowledged, at most */
    SCHEDULER_PACKAGE_BYTES = 8 << 20,
    SCHEDULER_BACKLOG = 64 << 20,
    CLIENT_PACKAGES = 4,
    CLIENT_PACKAGE_BYTES = 256 << 10,
    CLIENT_BACKLOG = 1 << 20,
    EVENT_BYTES = sizeof(struct EV_Type),
    US_PER_MS = 1000
};

/* what tells people which job it is; task ids need the last three */
static const unsigned usual_fields[] = {
    JB_job_number, JB_job_name, JB_owner,   JB_submission_time, JB_project,
    JB_type,       JB_ja_first, JB_ja_last, JB_ja_step,
};
/* a retry is recognised by it, and the others are of no use to anybody without the records they
 * belong to */
static const unsigned private_fields[] = { JB_request_id, JB_env_list, JB_script_ptr,
                                           JB_files_bytes };

static const uint32_t all_kinds = (1u << EV_KINDS) - 2;
static const uint32_t for_the_scheduler_alone = 1u << EV_SHARE_USAGE;
/* the scheduler's, and what it may name besides */
static const uint32_t not_for_the_scheduler = 1u << EV_TASKS_DONE | 1u << EV_ANEW |
                                              1u << EV_TASKS_STATE | 1u << EV_USAGE |
                                              1u << EV_SHARE_USAGE;
static const uint32_t for_policies = 1u << EV_TASKS_STATE | 1u << EV_USAGE | 1u << EV_SHARE_USAGE;
/* the latter four for tickets */
static const uint64_t scheduled_objects =
    UINT64_C(1) << OBJECT_PE | UINT64_C(1) << OBJECT_COMPLEX | UINT64_C(1) << OBJECT_RQS |
    UINT64_C(1) << OBJECT_USER | UINT64_C(1) << OBJECT_PROJECT | UINT64_C(1) << OBJECT_USERSET |
    UINT64_C(1) << OBJECT_SHARETREE;
static const uint32_t only_by_name =
    1u << EV_HOST | 1u << EV_HOST_DEL | 1u << EV_USAGE | 1u << EV_AR | 1u << EV_AR_DEL;
static const struct JG_Type_list no_allocation = { 0 };
/* these belong to the stream, whatever is wanted */
static const uint32_t always = 1u << EV_SYNCED | 1u << EV_ANEW;

struct subscriber *subscriber_new(const struct connection *s)
{
    struct subscriber *sub = uti_calloc(1, sizeof *sub);
    sub->conn = s->conn;
    sub->account = s->who.uid;
    return sub;
}

void subscriber_free(struct subscriber *sub)
{
    walk_end(&sub->queues);
    walk_end(&sub->objects);
    walk_end(&sub->hosts);
    walk_end(&sub->figure_queues);
    walk_end(&sub->figure_hosts);
    cull_clear(&cull_EP_Type, &sub->open);
    free(sub->owner);
    free(sub->fields);
    free(sub);
}

/* ---- what it wants ---- */

static void want_fields(struct subscriber *sub, const unsigned *fields, size_t n)
{
    free(sub->fields);
    sub->fields = uti_alloc(n * sizeof *fields);
    memcpy(sub->fields, fields, n * sizeof *fields);
    sub->n_fields = (uint32_t)n;
}

static uint32_t named_kinds(const struct EP_Type *wish)
{
    uint32_t kinds = 0;
    for (uint32_t i = 0; i < wish->EP_kinds.n; i++)
        if (wish->EP_kinds.v[i].ST_name != NULL)
            kinds |= 1u << event_kind_find(wish->EP_kinds.v[i].ST_name);
    return kinds;
}

static bool is_named(const struct ST_Type_list *names, const char *name)
{
    for (uint32_t i = 0; i < names->n; i++)
        if (names->v[i].ST_name != NULL && strcmp(names->v[i].ST_name, name) == 0)
            return true;
    return false;
}

static uint64_t named_objects(const struct EP_Type *wish)
{
    uint64_t objects = 0;
    for (unsigned kind = 1; kind < OBJECT_KINDS; kind++) {
        const char *name = object_kind_name(kind);
        if (name != NULL && is_named(&wish->EP_objects, name))
            objects |= UINT64_C(1) << kind;
    }
    return objects;
}

void subscriber_schedule(struct subscriber *sub, const struct EP_Type *wish)
{
    unsigned needed[JB_Type_FIELDS];
    size_t n = 0;
    sub->is_scheduler = true;
    sub->kinds = (all_kinds & ~not_for_the_scheduler) | (named_kinds(wish) & for_policies);
    sub->of_objects = scheduled_objects | named_objects(wish);
    for (unsigned field = 0; field < JB_Type_FIELDS; field++)
        if ((cull_JB_Type.fields[field].flags & (JOB_TO_SCHEDD | JOB_IN_CATEGORY)) != 0)
            needed[n++] = field;
    want_fields(sub, needed, n);
}

static bool is_private(unsigned field)
{
    for (size_t i = 0; i < ARRAY_LEN(private_fields); i++)
        if (private_fields[i] == field)
            return true;
    return (cull_JB_Type.fields[field].flags & CULL_OWN) != 0;
}

/* the fields that are wanted, and always the first of the usual ones: the job's number */
static void read_fields(struct subscriber *sub, const struct ST_Type_list *names)
{
    unsigned wanted[JB_Type_FIELDS];
    size_t n = 0;
    for (unsigned field = 0; field < JB_Type_FIELDS; field++)
        if (field == usual_fields[0] ||
            (is_named(names, cull_JB_Type.fields[field].name) && !is_private(field)))
            wanted[n++] = field;
    want_fields(sub, wanted, n);
}

void subscriber_wish(struct subscriber *sub, const struct identity *who, const struct EP_Type *wish)
{
    sub->kinds = wish->EP_kinds.n == 0 ? all_kinds & ~only_by_name : always | named_kinds(wish);
    sub->kinds &= ~for_the_scheduler_alone;
    sub->of_objects = wish->EP_objects.n == 0 ? UINT64_MAX : named_objects(wish);
    if (wish->EP_fields.n == 0)
        want_fields(sub, usual_fields, ARRAY_LEN(usual_fields));
    else
        read_fields(sub, &wish->EP_fields);
    sub->priors = priors_wanted(&wish->EP_fields);
    sub->owner = wish->EP_wants_all ? NULL : uti_strdup(who->user);
    sub->interval_us = (uint64_t)wish->EP_interval_ms * US_PER_MS;
}

bool subscriber_wants(const struct subscriber *sub, enum event_kind kind)
{
    return (sub->kinds >> kind & 1) != 0;
}

bool subscriber_wants_figures(const struct subscriber *sub)
{
    return !sub->is_scheduler && subscriber_wants(sub, EV_HOST);
}

bool subscriber_gets(const struct subscriber *sub, enum event_kind kind, const struct job *job)
{
    return subscriber_wants(sub, kind) && job->rec.JB_job_number < sub->cursor &&
           (sub->owner == NULL || strcmp(sub->owner, job->rec.JB_owner) == 0);
}

bool subscriber_gets_queue(const struct subscriber *sub, enum event_kind kind,
                           const struct qinstance *qi)
{
    const struct qinstance *next = sub->queues.next;
    return subscriber_wants(sub, kind) && sub->has_queues &&
           (next == NULL || qi->place < next->place);
}

bool subscriber_gets_object(const struct subscriber *sub, enum event_kind kind, enum object_kind of)
{
    return subscriber_wants(sub, kind) && (sub->of_objects >> of & 1) != 0;
}

/* ---- what is collected ---- */

struct EV_Type *subscriber_add(struct subscriber *sub, enum event_kind kind)
{
    struct EV_Type *ev = cull_append(&sub->open, EP_events);
    cull_set(ev, EV_number, ++sub->number);
    cull_set(ev, EV_kind, (uint32_t)kind);
    sub->open_bytes += EVENT_BYTES;
    return ev;
}

struct EV_Type *subscriber_add_job(struct subscriber *sub, enum event_kind kind,
                                   const struct qmaster *q, const struct job *job)
{
    struct EV_Type *ev = subscriber_add(sub, kind);
    struct JB_Type *rec = cull_append(ev, EV_jobs);
    for (uint32_t i = 0; i < sub->n_fields; i++)
        if (cull_is_present(&job->rec, sub->fields[i]))
            cull_copy_field(&cull_JB_Type, rec, &job->rec, sub->fields[i]);
    if (sub->is_scheduler)
        cull_set(rec, JB_ja_task_concurrency, settings_concurrency(&q->settings, &job->rec));
    if (sub->priors != 0)
        *(struct PF_Type *)cull_append(ev, EV_priors) =
            job_figures(sub->prior, &sub->prior->terms, job, q->now_s, sub->priors);
    sub->open_bytes += job->bytes;
    return ev;
}

/* the last event, if it is about the same */
static struct EV_Type *last_like(struct subscriber *sub, enum event_kind kind, uint32_t job,
                                 const struct JG_Type_list *granted)
{
    if (sub->open.EP_events.n == 0)
        return NULL;
    struct EV_Type *ev = &sub->open.EP_events.v[sub->open.EP_events.n - 1];
    if (ev->EV_kind != (uint32_t)kind || ev->EV_job_number != job ||
        !allocation_equal(granted, &ev->EV_granted))
        return NULL;
    return ev;
}

/* amounts alone: which devices a task has is the affair of its host */
static void set_taken(struct JG_Type *entry, const struct TK_Type_list *taken)
{
    if (taken->n == 0)
        return;
    cull_mark(entry, JG_taken);
    cull_room(&entry->JG_taken, taken->n);
    for (uint32_t i = 0; i < taken->n; i++) {
        struct TK_Type *tk = cull_push(&entry->JG_taken);
        cull_share(tk, TK_name, taken->v[i].TK_name);
        cull_set(tk, TK_amount, taken->v[i].TK_amount);
    }
}

/* who subscribes knows the hosts of queue instances */
static void set_granted(struct subscriber *sub, struct EV_Type *ev,
                        const struct JG_Type_list *granted)
{
    cull_mark(ev, EV_granted);
    cull_room(&ev->EV_granted, granted->n);
    for (uint32_t i = 0; i < granted->n; i++) {
        allocation_add(&ev->EV_granted, granted->v[i].JG_qname, NULL, granted->v[i].JG_slots);
        set_taken(&ev->EV_granted.v[i], &granted->v[i].JG_taken);
        sub->open_bytes += granted->v[i].JG_taken.n * sizeof(struct TK_Type);
    }
    allocation_set_pe(&ev->EV_granted, allocation_pe(granted));
    sub->open_bytes += (granted->n - 1) * sizeof *granted->v; /* the first is part of any event */
}

static void add_ids(struct subscriber *sub, enum event_kind kind, uint32_t job,
                    const struct JG_Type_list *granted, uint64_t start_s,
                    const struct range_set *ids)
{
    struct EV_Type *ev = last_like(sub, kind, job, granted);
    if (ev == NULL || ev->EV_start_time != start_s) {
        ev = subscriber_add(sub, kind);
        cull_set(ev, EV_job_number, job);
        if (granted->n > 0)
            set_granted(sub, ev, granted);
        if (start_s != 0)
            cull_set(ev, EV_start_time, start_s);
    }
    size_t before = cull_field_heap_bytes(&cull_EV_Type, ev, EV_ids);
    range_set_unite(cull_ranges(ev, EV_ids), ids);
    sub->open_bytes += cull_field_heap_bytes(&cull_EV_Type, ev, EV_ids) - before;
}

void subscriber_add_ids(struct subscriber *sub, enum event_kind kind, uint32_t job,
                        const struct JG_Type_list *granted, const struct range_set *ids)
{
    add_ids(sub, kind, job, granted, 0, ids);
}

void subscriber_add_start(struct subscriber *sub, const struct task *t)
{
    struct range_set one = { 0 };
    range_set_add(&one, t->ordinal, t->ordinal);
    add_ids(sub, EV_TASKS_STARTED, t->job->rec.JB_job_number,
            &t->rec.JAT_granted_destin_identifier_list, t->rec.JAT_start_time, &one);
    range_set_free(&one);
}

/* the last event, if tasks of the same job ended in the same way */
static struct EV_Type *last_done(struct subscriber *sub, uint32_t job, const struct JR_Type *end)
{
    struct EV_Type *ev = last_like(sub, EV_TASKS_DONE, job, &no_allocation);
    if (ev == NULL || cull_has(ev, EV_exit_status) != (end != NULL))
        return NULL;
    bool is_same = end == NULL ||
                   (ev->EV_failed == end->JR_failed && ev->EV_exit_status == end->JR_exit_status);
    return is_same ? ev : NULL;
}

void subscriber_add_done(struct subscriber *sub, uint32_t job, const struct range_set *ids,
                         const struct JR_Type *end)
{
    struct EV_Type *ev = last_done(sub, job, end);
    if (ev == NULL) {
        ev = subscriber_add(sub, EV_TASKS_DONE);
        cull_set(ev, EV_job_number, job);
    }
    if (end != NULL) {
        cull_set(ev, EV_failed, end->JR_failed);
        cull_set(ev, EV_exit_status, end->JR_exit_status);
    }
    size_t before = cull_field_heap_bytes(&cull_EV_Type, ev, EV_ids);
    range_set_unite(cull_ranges(ev, EV_ids), ids);
    sub->open_bytes += cull_field_heap_bytes(&cull_EV_Type, ev, EV_ids) - before;
}

/* what policies weigh */
static const char *const weighed[] = { "cpu", "mem", "io" };

static double usage_of(const struct UA_Type_list *usage, const char *name)
{
    for (uint32_t i = 0; i < usage->n; i++)
        if (usage->v[i].UA_name != NULL && strcmp(usage->v[i].UA_name, name) == 0)
            return usage->v[i].UA_value;
    return 0;
}

static void set_usage(struct EV_Type *ev, const char *name, double value)
{
    struct UA_Type *figure = cull_append(ev, EV_usage);
    cull_set(figure, UA_name, name);
    cull_set(figure, UA_value, value);
}

void subscriber_add_usage(struct subscriber *sub, const struct JB_Type *job,
                          const struct range_set *ids, const struct JR_Type *end)
{
    struct EV_Type *ev = subscriber_add(sub, EV_USAGE);
    bool has_times = end->JR_start_time > 0 && end->JR_end_time > end->JR_start_time;
    cull_set(ev, EV_job_number, job->JB_job_number);
    range_set_copy(cull_ranges(ev, EV_ids), ids);
    cull_set(ev, EV_owner, job->JB_owner);
    if (job->JB_project != NULL)
        cull_set(ev, EV_project, job->JB_project);
    set_usage(ev, "wallclock", has_times ? (double)(end->JR_end_time - end->JR_start_time) : 0);
    for (size_t i = 0; i < ARRAY_LEN(weighed); i++)
        set_usage(ev, weighed[i], usage_of(&end->JR_usage, weighed[i]));
    sub->open_bytes += cull_heap_bytes(&cull_EV_Type, ev);
}

/* the last event, if it says the same of tasks of the same job */
static struct EV_Type *last_state(struct subscriber *sub, const struct JAT_Type *task)
{
    struct EV_Type *ev = last_like(sub, EV_TASKS_STATE, task->JAT_job_number, &no_allocation);
    return ev != NULL && ev->EV_status == task->JAT_status && ev->EV_state == task->JAT_state
               ? ev
               : NULL;
}

void subscriber_add_state(struct subscriber *sub, const struct JAT_Type *task, uint32_t ordinal)
{
    struct EV_Type *ev = last_state(sub, task);
    if (ev == NULL) {
        ev = subscriber_add(sub, EV_TASKS_STATE);
        cull_set(ev, EV_job_number, task->JAT_job_number);
        cull_set(ev, EV_status, task->JAT_status);
        cull_set(ev, EV_state, task->JAT_state);
    }
    size_t before = cull_field_heap_bytes(&cull_EV_Type, ev, EV_ids);
    range_set_add(cull_ranges(ev, EV_ids), ordinal, ordinal);
    sub->open_bytes += cull_field_heap_bytes(&cull_EV_Type, ev, EV_ids) - before;
}

/* ---- how far it is ---- */

bool subscriber_is_behind(const struct subscriber *sub)
{
    unsigned most = sub->is_scheduler ? SCHEDULER_PACKAGES : CLIENT_PACKAGES;
    return sub->package - sub->acknowledged >= most;
}

bool subscriber_is_full(const struct subscriber *sub)
{
    return sub->open_bytes >=
           (size_t)(sub->is_scheduler ? SCHEDULER_PACKAGE_BYTES : CLIENT_PACKAGE_BYTES);
}

size_t subscriber_backlog(const struct subscriber *sub)
{
    size_t most = sub->is_scheduler ? SCHEDULER_BACKLOG : CLIENT_BACKLOG;
    return subscriber_is_behind(sub) && sub->open_bytes > most ? sub->open_bytes : 0;
}

void subscriber_start_anew(struct subscriber *sub)
{
    cull_clear(&cull_EP_Type, &sub->open);
    sub->open_bytes = 0;
    sub->cursor = 0;
    walk_end(&sub->queues);
    walk_end(&sub->objects);
    walk_end(&sub->hosts);
    walk_end(&sub->figure_queues);
    walk_end(&sub->figure_hosts);
    sub->has_queues = false;
    sub->object_kind = 0;
    sub->has_hosts = false;
    subscriber_add(sub, EV_ANEW);
}

void subscriber_acknowledge(struct subscriber *sub, uint64_t package, uint64_t now_us)
{
    if (package <= sub->acknowledged || package > sub->package)
        return;
    sub->acknowledged = package;
    sub->silent_us = now_us;
}

void subscriber_flush(struct qmaster *q, struct subscriber *sub)
{
    bool is_due = q->now_us >= sub->due_us || subscriber_is_full(sub);
    if (sub->open.EP_events.n == 0 || subscriber_is_behind(sub) || !is_due)
        return;
    struct packer p = { 0 };
    if (sub->package == sub->acknowledged)
        sub->silent_us = q->now_us;
    sub->due_us = q->now_us + sub->interval_us;
    cull_set(&sub->open, EP_number, ++sub->package);
    cull_pack(&p, &cull_EP_Type, &sub->open, NULL);
    cull_clear(&cull_EP_Type, &sub->open);
    sub->open_bytes = 0;
    change_send(q, sub->is_scheduler ? 0 : change_number(q), sub->conn, GDI_FRAME_EVENTS, 0, p.data,
                p.len);
}
