/* What is done to the parts of a cell: execution daemons, the qmaster, its scheduler, event clients
 * (qconf -ke, -km, -ks, -kt, -at, -kec, -tsm). All of it is for managers. */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>

#include "daemons/qmaster/change/connections.h"
#include "daemons/qmaster/change/trail.h"
#include "daemons/qmaster/hosts/notifications.h"
#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/sched/schedd.h"
#include "daemons/qmaster/sched/subscriber.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/gdi/hello.h"
#include "libs/uti/dstr.h"
#include "libs/uti/host_name.h"
#include "libs/uti/parse.h"
#include "libs/uti/pattern.h"

/* ---- event clients ---- */
/* Event clients as administrators see them: GET lists them (qconf -secl), ACT ends them (-kec). The
 * table of them is in sched/events. */
static const char *program_of(const struct subscriber *sub, const struct connection *s)
{
    if (sub->is_scheduler)
        return "scheduler";
    return s != NULL ? gdi_peer_program(s->greeting) : "";
}

/* ---- the list ---- */
static void add_entry(struct TX_Type *tx, const char *name, const char *value)
{
    struct VA_Type *va = cull_append(tx, TX_entries);
    cull_set(va, VA_variable, name);
    cull_set(va, VA_value, value);
}

static bool list_client(void *ctx, struct qmaster *q, struct subscriber *sub)
{
    struct request *r = ctx;
    const struct connection *s = connections_find(q, sub->conn);
    struct TX_Type *tx = cull_append(&r->ga, GA_texts);
    struct dstr id = DSTR_INIT;
    dstr_addf(&id, "%" PRIu32, sub->id);
    cull_set(tx, TX_name, program_of(sub, s));
    add_entry(tx, "id", dstr_get(&id));
    add_entry(tx, "host", s != NULL && !sub->is_scheduler ? s->who.host : q->host);
    dstr_free(&id);
    return true;
}

void event_clients_request(struct qmaster *q, struct request *r)
{
    r->after = 0;
    events_each(q, list_client, r);
}

/* ---- their end ---- */
struct client_end {
    struct request *r;
    uint32_t id; /* 0: all but the scheduler */
    uint32_t n_found;
};

static bool end_client(void *ctx, struct qmaster *q, struct subscriber *sub)
{
    struct client_end *e = ctx;
    const struct identity *who = &e->r->from->who;
    const struct connection *s = connections_find(q, sub->conn);
    struct dstr why = DSTR_INIT;
    if (e->id != sub->id && (e->id != 0 || sub->is_scheduler))
        return true;
    ans_info(&e->r->ans, MSG_CLIENT_ENDED_SSUSS, who->user, who->host, sub->id, program_of(sub, s),
             s != NULL && !sub->is_scheduler ? s->who.host : q->host);
    dstr_addf(&why, MSG_CLIENT_IS_ENDED_SS, who->user, who->host);
    if (sub->is_scheduler) {
        schedd_kill(q->schedd);
        events_start_anew(q);
    } else {
        events_end(q, sub, dstr_get(&why));
    }
    dstr_free(&why);
    e->n_found++;
    return e->id == 0;
}

void end_event_clients(struct qmaster *q, struct request *r)
{
    for (uint32_t i = 0; i < r->gr.GR_select.n; i++) {
        const char *word = request_selected(r, i);
        struct client_end e = { .r = r };
        bool is_all = strcmp(word, "all") == 0;
        if (is_all || (parse_u32(word, &e.id) && e.id != 0))
            events_each(q, end_client, &e);
        if (e.n_found == 0 && !is_all)
            ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_CLIENT_UNKNOWN_S, word);
    }
}

/* ---- parts of the cell ---- */
/* ---- execution daemons ---- */
/* of one request: each is compared with every host */
enum { HOST_PATTERNS_MOST = 64 };

/* end the execd of H (may be NULL), and its jobs if that is forced; false if none runs there */
static bool shut_down_host(struct qmaster *q, struct request *r, struct host *h)
{
    if (h == NULL || h->conn == 0)
        return false;
    ans_info(&r->ans, MSG_EXECD_STOPPED_SSS, r->from->who.user, r->from->who.host, h->rec.EH_name);
    trail_note(q, r);
    exec_shutdown(q, h, (r->gr.GR_options & GDI_FORCE) != 0 ? SIGKILL : 0);
    return true;
}

/* the same on the host NAME, or on those of a pattern; false if none runs on any of them */
static bool shut_down_named(struct qmaster *q, struct request *r, const char *name)
{
    struct host *h, *next;
    bool is_any = false;
    if (!pattern_is_wild(name))
        return shut_down_host(q, r, hosts_find(&q->hosts, name));
    HASH_ITER(hh, q->hosts.all, h, next) {
        if (host_name_matches(name, h->rec.EH_name))
            is_any |= shut_down_host(q, r, h);
    }
    return is_any;
}

static void shut_down_hosts(struct qmaster *q, struct request *r)
{
    unsigned patterns = 0;
    for (uint32_t i = 0; i < r->gr.GR_select.n; i++)
        patterns += pattern_is_wild(request_selected(r, i));
    if (patterns > HOST_PATTERNS_MOST) {
        ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_HOST_PATTERNS_UU, patterns,
                HOST_PATTERNS_MOST);
        return;
    }
    for (uint32_t i = 0; i < r->gr.GR_select.n; i++)
        if (!shut_down_named(q, r, request_selected(r, i)))
            ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_EXECD_UNKNOWN_S,
                    request_selected(r, i));
}

/* ---- the qmaster and its scheduler ---- */
static void shut_down_qmaster(struct qmaster *q, struct request *r)
{
    ans_info(&r->ans, MSG_QMASTER_STOPPED_SS, r->from->who.user, r->from->who.host);
    trail_note(q, r);
    q->is_stopping = true;
}

static void trigger_scheduling(struct qmaster *q, struct request *r)
{
    events_trigger(q);
    ans_info(&r->ans, MSG_SCHEDULING_TRIGGERED_SS, r->from->who.user, r->from->who.host);
}

/* The one that others know as a thread is the scheduler's process here. Others have names of
 * theirs, too, but these are nobody's to stop. */
static bool is_scheduler(struct request *r, const char *thread)
{
    if (strcmp(thread, "scheduler") == 0)
        return true;
    ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_THREAD_UNKNOWN_S, thread);
    return false;
}

static void stop_threads(struct qmaster *q, struct request *r)
{
    for (uint32_t i = 0; i < r->gr.GR_select.n; i++) {
        if (!is_scheduler(r, request_selected(r, i)))
            continue;
        if (schedd_hold(q->schedd)) {
            events_start_anew(q);
            ans_info(&r->ans, MSG_SCHEDULER_STOPPED_SS, r->from->who.user, r->from->who.host);
            trail_note(q, r);
        } else {
            ans_add(&r->ans, STATUS_EEXIST, ANSWER_QUALITY_ERROR, MSG_SCHEDULER_NOT_RUNNING);
        }
    }
}

static void start_threads(struct qmaster *q, struct request *r)
{
    for (uint32_t i = 0; i < r->gr.GR_select.n; i++) {
        if (!is_scheduler(r, request_selected(r, i)))
            continue;
        if (schedd_release(q->schedd)) {
            ans_info(&r->ans, MSG_SCHEDULER_STARTED_SS, r->from->who.user, r->from->who.host);
            trail_note(q, r);
        } else {
            ans_add(&r->ans, STATUS_EEXIST, ANSWER_QUALITY_ERROR, MSG_SCHEDULER_RUNNING);
        }
    }
}

/* ---- the table ---- */
static const struct cell_action {
    enum gdi_target target;
    enum gdi_action action;
    void (*act)(struct qmaster *q, struct request *r);
} cell_actions[] = {
    { GDI_EXECHOST, GDI_ACT_SHUTDOWN, shut_down_hosts },
    { GDI_MASTER, GDI_ACT_SHUTDOWN, shut_down_qmaster },
    { GDI_THREAD, GDI_ACT_SHUTDOWN, stop_threads },
    { GDI_THREAD, GDI_ACT_START, start_threads },
    { GDI_EVENTCLIENT, GDI_ACT_SHUTDOWN, end_event_clients },
    { GDI_EVENTCLIENT, GDI_ACT_TRIGGER_SCHEDULING, trigger_scheduling },
};

static bool may_act_on_cell(struct qmaster *q, struct request *r)
{
    if (r->gr.GR_target != GDI_EXECHOST)
        return right_to_configure(q, &r->from->who, &r->ans) == 0;
    if (!right_manage(q, &r->from->who))
        ans_add(&r->ans, STATUS_DENIED, ANSWER_QUALITY_ERROR, MSG_EXECD_STOP_DENIED);
    return right_manage(q, &r->from->who);
}

void act_on_cell(struct qmaster *q, struct request *r)
{
    if (!may_act_on_cell(q, r))
        return;
    for (size_t i = 0; i < ARRAY_LEN(cell_actions); i++) {
        const struct cell_action *a = &cell_actions[i];
        if (a->target == r->gr.GR_target && a->action == r->gr.GR_action) {
            a->act(q, r);
            return;
        }
    }
    ans_add(&r->ans, STATUS_ENOTSUP, ANSWER_QUALITY_ERROR, MSG_REQUEST_UNKNOWN_UU, r->gr.GR_verb,
            r->gr.GR_target);
}
