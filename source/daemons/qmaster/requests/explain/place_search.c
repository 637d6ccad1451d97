/* Owns struct place_search. First the queue instances, then, if one of them takes the job and it
 * asks for a parallel environment, these. The texts are the scheduler's (libs/sched/msg_sched.h),
 * and so are the questions. */
#include "daemons/qmaster/requests/explain/place_search.h"

#include "daemons/qmaster/config/calendars.h"
#include "daemons/qmaster/config/load.h"
#include "daemons/qmaster/config/subordinates.h"
#include "daemons/qmaster/requests/explain/lacks.h"
#include "daemons/qmaster/requests/explain/queue_known.h"
#include "libs/config/qinstance.h"
#include "libs/sched/msg_sched.h"
#include "libs/sched/why.h"
#include "libs/uti/dstr.h"

/* once: what the cell lacks is the same at all queue instances */
static void add_found(struct place_search *s, const char *text)
{
    for (uint32_t i = 0; i < s->found.n && i < QUEUES_TOLD; i++)
        if (strcmp(s->found.v[i].ST_name, text) == 0)
            return;
    cull_set((struct ST_Type *)cull_push(&s->found), ST_name, text);
}

/* ---- queue instances ---- */
enum { CLOSED_BY_OTHERS = QI_CAL_DISABLED | QI_CAL_SUSPENDED | QI_SUBORDINATED };

/* by its calendar, and until when, or by another queue */
static void add_closed_why(const struct qinstance *qi, struct dstr *why)
{
    if ((qinstance_state(qi) & QI_UNKNOWN) != 0)
        return;
    dstr_add(why, ": ");
    if (qi->is_subordinated)
        subordinates_explain(qi, why);
    else
        calendars_explain(qi, why);
}

/* what is wrong with a queue instance for REQUEST, as the scheduler sees it */
static enum refusal queue_refuses(struct qmaster *q, struct qinstance *qi,
                                  const struct JB_Type *request, struct dstr *why)
{
    if (queue_why_not(&qi->rec, request, why))
        return REFUSES;
    if (qinstance_may_start(qi))
        return lacks_why(q, qi, request, false, why);
    if ((qinstance_state(qi) & (QI_UNKNOWN | CLOSED_BY_OTHERS)) != 0) {
        dstr_addf(why, MSG_WHY_QUEUE_UNAVAILABLE_S, qi->rec.QU_full_name);
        add_closed_why(qi, why);
        return REFUSES;
    }
    dstr_addf(why, MSG_WHY_QUEUE_OVERLOADED_S, qi->rec.QU_full_name);
    load_state_why(q, qi, why);
    return REFUSES;
}

static void look_at_queue(struct qmaster *q, struct place_search *s, struct qinstance *qi,
                          const struct JB_Type *request)
{
    struct dstr text = DSTR_INIT;
    if (!qinstance_is_there(qi))
        return;
    s->known++;
    enum refusal refusal = queue_refuses(q, qi, request, &text);
    s->n_by_limit += refusal == REFUSES_BY_LIMIT;
    if (refusal == REFUSES_BY_LIMIT && s->has_numbers)
        lacks_limit_numbers(q, qi, request, &text);
    if (refusal != REFUSES_NOT && s->dropped++ < QUEUES_TOLD)
        add_found(s, dstr_get(&text));
    dstr_free(&text);
}

static void add_more(struct place_search *s)
{
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, MSG_WHY_QUEUES_MORE_U, s->dropped - QUEUES_TOLD);
    add_found(s, dstr_get(&text));
    dstr_free(&text);
}

/* all queue instances have been looked at */
static void leave_queues(struct qmaster *q, struct place_search *s, const struct JB_Type *request)
{
    s->is_refused = s->dropped == s->known;
    if (s->dropped > QUEUES_TOLD)
        add_more(s);
    bool is_by_limit = s->is_refused && s->n_by_limit == s->known && s->known > 0;
    if (s->is_refused && !is_by_limit)
        add_found(s, MSG_WHY_ALL_QUEUES);
    s->stage = SEARCH_DONE;
    if ((s->is_refused && !is_by_limit) || request->JB_pe == NULL)
        return;
    s->stage = SEARCH_PES;
    s->room = (struct pe_room){
        .q = q, .request = request, .refuses = queue_refuses, .left = QUEUE_SEARCH_MOST
    };
    walk_begin(&q->settings.walks, &s->pes, q->settings.texts[GDI_PE]);
}

static void step_queues(struct qmaster *q, struct place_search *s, const struct JB_Type *request)
{
    struct qinstance *qi = walk_take(&s->queues, offsetof(struct qinstance, hh));
    if (qi != NULL)
        look_at_queue(q, s, qi, request);
    else
        leave_queues(q, s, request);
}

/* ---- parallel environments ---- */
/* one is left behind: it is not meant, or it refuses */
static void pass_pe(struct place_search *s)
{
    pe_room_forget(&s->room);
    s->gathering = NULL;
    (void)walk_take(&s->pes, offsetof(struct text_object, hh));
}

static void judge_pe(struct place_search *s, const struct text_object *pe)
{
    struct dstr text = DSTR_INIT;
    if (pe_room_refuses(&s->room, pe, &text)) {
        add_found(s, dstr_get(&text));
        pass_pe(s);
    } else {
        s->stage = SEARCH_DONE;
    }
    dstr_free(&text);
}

/* The environment that the walk is at, in as many steps as its hosts take. */
static void step_pes(struct place_search *s, const struct JB_Type *request)
{
    const struct text_object *pe = s->pes.next;
    s->room.request = request;
    if (pe == NULL || request->JB_pe == NULL) {
        s->is_refused = pe == NULL;
        s->stage = SEARCH_DONE;
        return;
    }
    if (s->gathering != pe)
        pe_room_forget(&s->room); /* the one before has gone from the table */
    s->gathering = pe;
    if (!pe_room_means(&s->room, pe))
        pass_pe(s);
    else if (pe_room_gather(&s->room, pe))
        judge_pe(s, pe);
}

/* ---- steps ---- */
static void step_on(struct qmaster *q, struct place_search *s, const struct JB_Type *request)
{
    if (s->stage == SEARCH_NEW) {
        s->stage = SEARCH_QUEUES;
        walk_begin(&q->queues.walks, &s->queues, q->queues.instances);
    }
    if (s->stage == SEARCH_QUEUES)
        step_queues(q, s, request);
    else
        step_pes(s, request);
}

bool place_search_step(struct qmaster *q, struct place_search *s, const struct JB_Type *request)
{
    while (s->stage != SEARCH_DONE) {
        step_on(q, s, request);
        if (s->stage != SEARCH_DONE && slice_is_over(q))
            return false;
    }
    return true;
}

void place_search_end(struct place_search *s)
{
    walk_end(&s->queues);
    walk_end(&s->pes);
    pe_room_forget(&s->room);
    cull_list_clear(&cull_ST_Type, &s->found);
    *s = (struct place_search){ 0 };
}
