/* Event clients as administrators see them: GET lists them (qconf -secl), ACT ends them (-kec). The
 * table of them is in sched/events. */
#include <inttypes.h>
#include <stdlib.h>

#include "daemons/qmaster/change/sessions.h"
#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/sched/schedd.h"
#include "daemons/qmaster/sched/subscriber.h"
#include "libs/gdi/hello.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

static const char *program_of(const struct subscriber *sub, const struct session *s)
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
    const struct session *s = sessions_find(q, sub->conn);
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
struct ending {
    struct request *r;
    uint32_t id; /* 0: all but the scheduler */
    uint32_t n_found;
};

static void end_scheduler(struct qmaster *q)
{
    schedd_kill(q->schedd);
    events_start_anew(q);
}

static bool end_client(void *ctx, struct qmaster *q, struct subscriber *sub)
{
    struct ending *e = ctx;
    const struct identity *who = &e->r->from->who;
    const struct session *s = sessions_find(q, sub->conn);
    struct dstr why = DSTR_INIT;
    if (e->id != sub->id && (e->id != 0 || sub->is_scheduler))
        return true;
    ans_info(&e->r->ans, MSG_CLIENT_ENDED_SSUSS, who->user, who->host, sub->id, program_of(sub, s),
             s != NULL && !sub->is_scheduler ? s->who.host : q->host);
    dstr_addf(&why, MSG_CLIENT_IS_ENDED_SS, who->user, who->host);
    if (sub->is_scheduler)
        end_scheduler(q);
    else
        events_end(q, sub, dstr_get(&why));
    dstr_free(&why);
    e->n_found++;
    return e->id == 0;
}

void end_event_clients(struct qmaster *q, struct request *r)
{
    for (uint32_t i = 0; i < r->gr.GR_select.n; i++) {
        const char *word = r->gr.GR_select.v[i].ID_str != NULL ? r->gr.GR_select.v[i].ID_str : "";
        struct ending e = { .r = r };
        bool is_all = strcmp(word, "all") == 0;
        if (is_all || (parse_u32(word, &e.id) && e.id != 0))
            events_each(q, end_client, &e);
        if (e.n_found == 0 && !is_all)
            ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_CLIENT_UNKNOWN_S, word);
    }
}
