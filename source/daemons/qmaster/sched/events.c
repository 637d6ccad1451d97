/* What changes, for each subscriber. There is one scheduler at a time; a
 * second registration replaces the first (its connection is closed), so that a schedd that hangs
 * can be replaced. All other clients are the users': each has a limited number of them; one that
 * is too slow hears the state anew, and one that says nothing for a minute is ended. */
#include "daemons/qmaster/sched/events.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/reporting.h"
#include "daemons/qmaster/io/net.h"
#include "daemons/qmaster/sched/msg_sched.h"
#include "daemons/qmaster/sched/priors.h"
#include "daemons/qmaster/sched/schedd.h"
#include "daemons/qmaster/sched/stream.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/comm/server.h"
#include "libs/gdi/client.h"
#include "libs/sgeobj/allocation.h"
#include "libs/uti/alloc.h"
#include "libs/uti/log.h"

enum { SECOND_US = 1000000, PATIENCE_S = 60 }; /* the latter of all but the scheduler */

struct events {
    LIST_HEAD(, subscriber) all; /* the scheduler first, if there is one */
    struct subscriber *scheduler;
    uint32_t shown_job; /* that the scheduler was looking at when that was asked last; 0: none */
    uint64_t shown_since_us; /* and at each time since then */
    uint32_t n;              /* without the scheduler */
    uint32_t last_id;        /* of a client that is not the scheduler; 0: there was none */
    struct prior_book prior;
    struct RV_Type_list reserved;
};

struct events *events_new(void)
{
    struct events *e = uti_calloc(1, sizeof *e);
    prior_book_init(&e->prior);
    return e;
}

static void forget_client(struct events *e, struct subscriber *sub)
{
    stream_end(sub);
    LIST_REMOVE(sub, next);
    if (sub == e->scheduler)
        e->scheduler = NULL;
    else
        e->n--;
    subscriber_free(sub);
}

void events_free(struct events *e)
{
    if (e == NULL)
        return;
    while (!LIST_EMPTY(&e->all))
        forget_client(e, LIST_FIRST(&e->all));
    prior_book_clear(&e->prior);
    cull_list_clear(&cull_RV_Type, &e->reserved);
    free(e);
}

struct subscriber *events_find(const struct qmaster *q, uint64_t conn)
{
    struct subscriber *sub;
    LIST_FOREACH(sub, &q->events->all, next)
        if (sub->conn == conn)
            return sub;
    return NULL;
}

bool events_is_scheduler(const struct qmaster *q, uint64_t conn)
{
    return q->events->scheduler != NULL && q->events->scheduler->conn == conn;
}

struct prior_book *events_prior(const struct qmaster *q)
{
    q->events->prior.urgencies = &q->settings.urgencies;
    return &q->events->prior;
}

struct RV_Type_list *events_reserved(const struct qmaster *q)
{
    return &q->events->reserved;
}

bool events_has_scheduler(const struct qmaster *q)
{
    return q->events->scheduler != NULL;
}

/* ---- jobs and tasks ---- */

/* each subscriber SUB that gets events of KIND about JOB */
#define EACH_THAT_GETS(q, sub, kind, job)                                                          \
    LIST_FOREACH(sub, &(q)->events->all, next)                                                     \
        if (subscriber_gets(sub, kind, job))
/* each that wants events of KIND about things that are nobody's */
#define EACH_THAT_WANTS(q, sub, kind)                                                              \
    LIST_FOREACH(sub, &(q)->events->all, next)                                                     \
        if (subscriber_wants(sub, kind))

void events_job_add(struct qmaster *q, struct job *job)
{
    struct subscriber *sub;
    EACH_THAT_GETS(q, sub, EV_JOB_ADD, job)
    {
        struct EV_Type *ev = subscriber_add_job(sub, EV_JOB_ADD, q, job);
        job_startable(job, &job->unfinished, cull_ranges(ev, EV_ids));
    }
}

void events_job_mod(struct qmaster *q, struct job *job)
{
    struct subscriber *sub;
    EACH_THAT_GETS(q, sub, EV_JOB_MOD, job)
    (void)subscriber_add_job(sub, EV_JOB_MOD, q, job);
}

void events_job_del(struct qmaster *q, struct job *job)
{
    struct subscriber *sub;
    EACH_THAT_GETS(q, sub, EV_JOB_DEL, job)
    cull_set(subscriber_add(sub, EV_JOB_DEL), EV_job_number, job->rec.JB_job_number);
    prior_forget_job(&q->events->prior, job->rec.JB_job_number);
}

/* for tasks that hold no slots */
static const struct JG_Type_list nowhere = { 0 };

static void send_ids(struct qmaster *q, enum event_kind kind, const struct job *job,
                     const struct range_set *ids)
{
    struct subscriber *sub;
    EACH_THAT_GETS(q, sub, kind, job)
    subscriber_add_ids(sub, kind, job->rec.JB_job_number, &nowhere, ids);
}

void events_tasks_ready(struct qmaster *q, struct job *job, const struct range_set *ids)
{
    send_ids(q, EV_TASKS_READY, job, ids);
}

void events_tasks_startable(struct qmaster *q, struct job *job, const struct range_set *ids)
{
    struct range_set startable = { 0 };
    job_startable(job, ids, &startable);
    if (!range_set_is_empty(&startable))
        events_tasks_ready(q, job, &startable);
    range_set_free(&startable);
}

void events_tasks_unready(struct qmaster *q, struct job *job, const struct range_set *ids)
{
    send_ids(q, EV_TASKS_UNREADY, job, ids);
}

void events_tasks_unstartable(struct qmaster *q, struct job *job, const struct range_set *ids)
{
    struct range_set startable = { 0 };
    job_startable(job, ids, &startable);
    if (!range_set_is_empty(&startable))
        events_tasks_unready(q, job, &startable);
    range_set_free(&startable);
}

void events_task_ready(struct qmaster *q, struct job *job, uint32_t ordinal)
{
    struct range_set one = { 0 };
    range_set_add(&one, ordinal, ordinal);
    events_tasks_ready(q, job, &one);
    range_set_free(&one);
}

void events_tasks_done(struct qmaster *q, const struct job *job, const struct range_set *ids,
                       const struct JR_Type *report)
{
    struct subscriber *sub;
    EACH_THAT_GETS(q, sub, EV_TASKS_DONE, job)
    subscriber_add_done(sub, job->rec.JB_job_number, ids, report);
    if (report == NULL)
        return;
    EACH_THAT_GETS(q, sub, EV_USAGE, job)
    subscriber_add_usage(sub, &job->rec, ids, report);
}

void events_task_started(struct qmaster *q, struct task *t)
{
    struct subscriber *sub;
    EACH_THAT_GETS(q, sub, EV_TASKS_STARTED, t->job)
    subscriber_add_start(sub, t);
}

void events_task_ended(struct qmaster *q, struct task *t)
{
    struct subscriber *sub;
    struct range_set one = { 0 };
    range_set_add(&one, t->ordinal, t->ordinal);
    EACH_THAT_GETS(q, sub, EV_TASKS_ENDED, t->job)
    subscriber_add_ids(sub, EV_TASKS_ENDED, t->job->rec.JB_job_number,
                       &t->rec.JAT_granted_destin_identifier_list, &one);
    range_set_free(&one);
}

void events_task_state(struct qmaster *q, struct task *t)
{
    struct subscriber *sub;
    EACH_THAT_GETS(q, sub, EV_TASKS_STATE, t->job)
    subscriber_add_state(sub, &t->rec, t->ordinal);
}

void events_order_undone(struct qmaster *q, uint32_t job, const struct range_set *ids,
                         const struct JG_Type_list *granted)
{
    if (q->events->scheduler != NULL && allocation_is_whole(granted))
        subscriber_add_ids(q->events->scheduler, EV_TASKS_ENDED, job, granted, ids);
}

/* ---- queues, configurations, the moment ---- */

static void queue_event(struct qmaster *q, enum event_kind kind, struct qinstance *qi)
{
    struct subscriber *sub;
    LIST_FOREACH(sub, &q->events->all, next)
        if (subscriber_gets_queue(sub, kind, qi))
            stream_queue(sub, kind, qi);
}

void events_queue_add(struct qmaster *q, struct qinstance *qi)
{
    queue_event(q, EV_QUEUE_ADD, qi);
}

void events_queue_mod(struct qmaster *q, struct qinstance *qi)
{
    reporting_queue(q, qi);
    queue_event(q, EV_QUEUE_MOD, qi);
}

void events_queue_load(struct qmaster *q, struct qinstance *qi)
{
    reporting_queue(q, qi);
    struct subscriber *sub = q->events->scheduler;
    if (sub != NULL && subscriber_gets_queue(sub, EV_QUEUE_MOD, qi))
        stream_queue_load(sub, qi);
}

void events_queue_del(struct qmaster *q, const struct qinstance *qi)
{
    struct subscriber *sub;
    LIST_FOREACH(sub, &q->events->all, next)
        if (subscriber_gets_queue(sub, EV_QUEUE_DEL, qi))
            cull_set(subscriber_add(sub, EV_QUEUE_DEL), EV_queue, qi->rec.QU_full_name);
}

void events_conf(struct qmaster *q, const struct CONF_Type *conf)
{
    struct subscriber *sub;
    EACH_THAT_WANTS(q, sub, EV_CONF)
    stream_conf(sub, conf);
}

/* Subscribers that have not heard of the object yet get the event as well: what follows is the same
 * or newer, and they pass over what goes. */
static void object_event(struct qmaster *q, enum event_kind kind, const struct TX_Type *object)
{
    struct subscriber *sub;
    EACH_THAT_WANTS(q, sub, kind)
    stream_object(sub, kind, object);
}

void events_object(struct qmaster *q, const struct TX_Type *object)
{
    object_event(q, EV_OBJECT, object);
}

void events_object_del(struct qmaster *q, const struct TX_Type *object)
{
    object_event(q, EV_OBJECT_DEL, object);
}

void events_share_usage_gone(struct qmaster *q, const struct usage_pair *p)
{
    if (q->events->scheduler != NULL)
        stream_usage_gone(q->events->scheduler, p);
}

/* the same holds for hosts */
void events_host(struct qmaster *q, const struct host *h)
{
    struct subscriber *sub;
    EACH_THAT_WANTS(q, sub, EV_HOST)
    stream_host(sub, EV_HOST, h);
}

void events_host_load(struct qmaster *q, struct host *h)
{
    struct subscriber *sub = q->events->scheduler;
    h->load_us = q->hosts.load_us = q->now_us;
    if (sub != NULL)
        stream_host_load(sub, h);
}

void events_host_del(struct qmaster *q, const struct host *h)
{
    struct subscriber *sub;
    EACH_THAT_WANTS(q, sub, EV_HOST_DEL)
    stream_host(sub, EV_HOST_DEL, h);
}

void events_ar(struct qmaster *q, const struct ar *ar)
{
    struct subscriber *sub;
    EACH_THAT_WANTS(q, sub, EV_AR)
    stream_ar(sub, EV_AR, ar);
}

void events_ar_del(struct qmaster *q, const struct ar *ar)
{
    struct subscriber *sub;
    EACH_THAT_WANTS(q, sub, EV_AR_DEL)
    stream_ar(sub, EV_AR_DEL, ar);
}

void events_trigger(struct qmaster *q)
{
    if (q->events->scheduler != NULL)
        (void)subscriber_add(q->events->scheduler, EV_TRIGGER);
}

/* ---- registration ---- */

/* The next scheduler does not look at the job. Its holds, its running tasks and its place in the
 * net of jobs stay. NUMBER comes from the process of a scheduler: such a job need not exist. */
static void set_aside(struct qmaster *q, uint32_t number)
{
    struct job *job = jobs_find(&q->jobs, number);
    if (job == NULL || job->rare->is_set_aside)
        return;
    events_tasks_unstartable(q, job, &job->unfinished);
    job_rare(job)->is_set_aside = true;
    log_msg(LOG_LEVEL_ERROR, MSG_JOB_SET_ASIDE_U, number);
}

/* The same scheduler needs other things, because its policy is another one: all of the state comes
 * anew. */
static void subscribe_anew(struct subscriber *scheduler, const struct EP_Type *wish)
{
    subscriber_schedule(scheduler, wish);
    subscriber_start_anew(scheduler);
}

static void register_scheduler(struct qmaster *q, struct connection *s, const struct EP_Type *wish)
{
    struct events *e = q->events;
    usage_send_all(&q->usage);
    if (e->scheduler != NULL && e->scheduler->conn == s->conn) {
        subscribe_anew(e->scheduler, wish);
        return;
    }
    set_aside(q, schedd_take_crash(q->schedd));
    if (e->scheduler != NULL && e->scheduler->conn != s->conn)
        comm_server_close(net_server(q->net), e->scheduler->conn);
    if (e->scheduler != NULL)
        forget_client(e, e->scheduler);
    e->scheduler = subscriber_new(s);
    e->scheduler->id = EVENT_CLIENT_SCHEDULER;
    e->shown_job = 0;
    subscriber_schedule(e->scheduler, wish);
    LIST_INSERT_HEAD(&e->all, e->scheduler, next);
}

static uint32_t count_of(const struct events *e, uint32_t account)
{
    const struct subscriber *sub;
    uint32_t n = 0;
    LIST_FOREACH(sub, &e->all, next)
        n += sub->account == account && sub != e->scheduler;
    return n;
}

/* may S have an event client more, that hears what WISH says? */
static int check_client(struct qmaster *q, const struct connection *s, const struct EP_Type *wish,
                        struct answer *ans)
{
    uint32_t most = q->settings.max_event_clients;
    if (right_to_come(q, &s->who, ans) != 0)
        return -1;
    if (wish->EP_wants_all && !right_operate(q, &s->who))
        return ans_fail(ans, STATUS_DENIED, MSG_EVENTS_OF_ALL_S, s->who.user);
    if (right_manage(q, &s->who))
        return 0;
    if (q->events->n >= most)
        return ans_fail(ans, STATUS_NOTOK_DOAGAIN, MSG_EVENT_CLIENTS_U, most);
    if (count_of(q->events, s->who.uid) >= EVENT_CLIENTS_OF_USER)
        return ans_fail(ans, STATUS_NOTOK_DOAGAIN, MSG_EVENT_CLIENTS_OF_USER_SU, s->who.user,
                        (unsigned)EVENT_CLIENTS_OF_USER);
    return 0;
}

static void refuse_client(struct qmaster *q, uint64_t conn, const struct answer *ans)
{
    struct GA_Type ga = { 0 };
    gdi_answers_put(&ga, ans);
    cull_set(&ga, GA_is_last, true);
    change_answer(q, 0, conn, 0, &ga);
}

static void register_client(struct qmaster *q, struct connection *s, const struct EP_Type *wish,
                            struct answer *ans)
{
    struct subscriber *old = events_find(q, s->conn);
    if (old != NULL)
        forget_client(q->events, old);
    if (check_client(q, s, wish, ans) != 0)
        return;
    struct subscriber *sub = subscriber_new(s);
    /* that of a client which has gone is not another's at once */
    q->events->last_id =
        q->events->last_id >= EVENT_CLIENT_FIRST ? q->events->last_id + 1 : EVENT_CLIENT_FIRST;
    sub->id = q->events->last_id;
    sub->prior = events_prior(q);
    subscriber_wish(sub, &s->who, wish);
    if (q->events->scheduler != NULL)
        LIST_INSERT_AFTER(q->events->scheduler, sub, next);
    else
        LIST_INSERT_HEAD(&q->events->all, sub, next);
    q->events->n++;
    comm_server_keep(net_server(q->net), s->conn);
    stream_begin(q, sub);
}

void events_on_register(struct qmaster *q, struct connection *s, struct frame *f)
{
    struct EP_Type wish = { 0 };
    struct answer ans = ANSWER_INIT;
    bool is_whole = connection_unpack(q, s, f, &cull_EP_Type, &wish, &ans) == 0;
    if (is_whole && s->who.role == ROLE_SCHEDULER)
        register_scheduler(q, s, &wish);
    else if (is_whole)
        register_client(q, s, &wish, &ans);
    if (ans.n > 0)
        refuse_client(q, s->conn, &ans);
    ans_free(&ans);
    cull_clear(&cull_EP_Type, &wish);
}

void events_on_ack(struct qmaster *q, struct connection *s, struct frame *f)
{
    struct EP_Type ack = { 0 };
    struct answer ans = ANSWER_INIT;
    struct subscriber *sub = events_find(q, s->conn);
    if (sub != NULL && connection_unpack(q, s, f, &cull_EP_Type, &ack, &ans) == 0) {
        subscriber_acknowledge(sub, ack.EP_number, q->now_us);
        if (s->who.role == ROLE_SCHEDULER)
            turn_reports_take(&q->schedd_turns, &ack.EP_turns);
        stream_go_on(sub);
    }
    log_answer(&ans);
    ans_free(&ans);
    cull_clear(&cull_EP_Type, &ack);
}

void events_on_closed(struct qmaster *q, uint64_t conn)
{
    struct subscriber *sub = events_find(q, conn);
    if (sub != NULL)
        forget_client(q->events, sub);
}

bool events_step(struct qmaster *q)
{
    struct subscriber *sub = q->events->scheduler;
    if (sub == NULL)
        return false;
    return stream_for_scheduler(q, sub) ||
           (sub->cursor == UINT64_MAX && stream_usage(q, sub, false));
}

void events_start_anew(struct qmaster *q)
{
    struct events *e = q->events;
    if (e->scheduler == NULL)
        return;
    comm_server_close(net_server(q->net), e->scheduler->conn);
    forget_client(e, e->scheduler);
}

void events_each(struct qmaster *q, events_fn *fn, void *ctx)
{
    struct subscriber *sub, *next;
    for (sub = LIST_FIRST(&q->events->all); sub != NULL; sub = next) {
        next = LIST_NEXT(sub, next);
        if (!fn(ctx, q, sub))
            return;
    }
}

void events_end(struct qmaster *q, struct subscriber *sub, const char *why)
{
    struct answer ans = ANSWER_INIT;
    ans_add(&ans, STATUS_DENIED, ANSWER_QUALITY_ERROR, "%s", why);
    refuse_client(q, sub->conn, &ans);
    comm_server_close(net_server(q->net), sub->conn);
    forget_client(q->events, sub);
    ans_free(&ans);
}

/* ---- those that are slow ---- */

static void thin_client(struct qmaster *q, struct subscriber *sub, size_t backlog)
{
    if (sub->is_scheduler) {
        log_msg(LOG_LEVEL_WARNING, MSG_SCHEDD_BEHIND_Z, backlog);
        events_start_anew(q);
        return;
    }
    subscriber_start_anew(sub);
    stream_begin(q, sub);
}

void events_flush(struct qmaster *q)
{
    struct subscriber *sub, *next;
    for (sub = LIST_FIRST(&q->events->all); sub != NULL; sub = next) {
        next = LIST_NEXT(sub, next);
        size_t backlog = subscriber_backlog(sub);
        if (backlog > 0) {
            thin_client(q, sub, backlog);
            continue;
        }
        stream_figures(q, sub);
        subscriber_flush(q, sub);
        stream_go_on(sub);
    }
}

/* A job is why, if the scheduler has been at it for half of the time: else it is slow, or stopped
 * somewhere by accident. */
static void end_scheduler(struct qmaster *q)
{
    const struct events *e = q->events;
    uint32_t silence_s = q->settings.scheduler_silence_s;
    uint64_t at_it_us = q->now_us - e->shown_since_us;
    log_msg(LOG_LEVEL_ERROR, MSG_SCHEDD_SILENT_U, silence_s);
    schedd_kill(q->schedd);
    if (e->shown_job != 0 && at_it_us >= (uint64_t)silence_s * SECOND_US / 2)
        set_aside(q, e->shown_job);
    events_start_anew(q);
}

static void end_silent(struct qmaster *q, struct subscriber *sub)
{
    if (sub->is_scheduler) {
        end_scheduler(q);
        return;
    }
    comm_server_close(net_server(q->net), sub->conn);
    forget_client(q->events, sub);
}

static void ask_for_shown_job(struct qmaster *q)
{
    struct events *e = q->events;
    uint32_t job = schedd_shown_job(q->schedd);
    if (job == e->shown_job)
        return;
    e->shown_job = job;
    e->shown_since_us = q->now_us;
}

static uint32_t patience_s(const struct qmaster *q, const struct subscriber *sub)
{
    return sub->is_scheduler ? q->settings.scheduler_silence_s : PATIENCE_S;
}

void events_check(struct qmaster *q)
{
    struct subscriber *sub, *next;
    ask_for_shown_job(q);
    for (sub = LIST_FIRST(&q->events->all); sub != NULL; sub = next) {
        next = LIST_NEXT(sub, next);
        uint64_t most_us = (uint64_t)patience_s(q, sub) * SECOND_US;
        if (sub->package != sub->acknowledged && q->now_us - sub->silent_us >= most_us)
            end_silent(q, sub);
    }
}
