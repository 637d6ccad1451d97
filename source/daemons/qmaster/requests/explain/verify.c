/* Looks for a queue instance that suits a job. Asks what the scheduler asks (libs/sched/why.h), for
 * -w p of the queues as they are, else as if nothing ran and nothing were wrong. Changes
 * nothing. */
#include "daemons/qmaster/requests/explain/verify.h"

#include "daemons/qmaster/requests/explain/lacks.h"
#include "daemons/qmaster/requests/explain/pe_room.h"
#include "daemons/qmaster/requests/explain/queue_known.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "libs/config/access.h"
#include "libs/sched/msg_sched.h"
#include "libs/sched/why.h"
#include "libs/sgeobj/job_request.h"
#include "libs/uti/dstr.h"

/* why the job cannot run in QI */
static enum refusal queue_refuses(struct qmaster *q, struct qinstance *qi,
                                  const struct JB_Type *rec, struct dstr *why)
{
    struct QU_Type view = qi->rec; /* shares its members */
    bool as_if_unused = rec->JB_verify_suitable_queues != VERIFY_POKE;
    if (as_if_unused) {
        view.QU_state = 0;
        view.QU_slots_used = 0;
    } else if (!qinstance_may_start(qi)) {
        dstr_addf(why, MSG_WHY_QUEUE_UNAVAILABLE_S, view.QU_full_name);
        return REFUSES;
    }
    return queue_why_not(&view, rec, why) ? REFUSES : lacks_why(q, qi, rec, as_if_unused, why);
}

/* what it costs to hold REC against one instance, in bytes of names compared */
static size_t bytes_compared(const struct JB_Type *rec)
{
    enum { ONE = 16 };
    size_t bytes = ONE;
    for (uint32_t i = 0; i < rec->JB_hard_queue_list.n; i++)
        bytes += strlen(rec->JB_hard_queue_list.v[i].QR_name) + ONE;
    return bytes;
}

/* one verification */
enum suits { NONE_SUITS, ONE_SUITS, NOT_KNOWN };
struct verifying {
    struct qmaster *q;
    const struct JB_Type *rec;
    uint32_t number; /* of the job, in reasons */
    const char *owner;
    /* instances looked at; those whose lists keep the owner out; those where nothing but a limit of
     * who asks refuses */
    uint32_t n, n_denied, n_by_limit;
    struct answer *reasons; /* NULL: they are not wanted */
};

/* WHY, once: what the cell lacks is the same at all queues. */
static void add_reason(struct verifying *v, const struct dstr *why)
{
    struct answer *reasons = v->reasons;
    struct dstr text = DSTR_INIT;
    bool is_there = false;
    if (reasons == NULL || reasons->n >= QUEUES_TOLD)
        return;
    dstr_addf(&text, MSG_VERIFY_JOB_US, v->number, dstr_get(why));
    for (uint32_t i = 0; i < reasons->n && !is_there; i++)
        is_there = strcmp(reasons->v[i].text, dstr_get(&text)) == 0;
    if (!is_there)
        ans_add(reasons, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, "%s", dstr_get(&text));
    dstr_free(&text);
}

static bool denies_owner(const struct qinstance *qi, const struct JB_Type *rec)
{
    return access_ask(&qi->rec.QU_access, rec->JB_user_sets, rec->JB_project) == ACCESS_NOT_OF_USER;
}

/* Looks at the instances until one suits or QUEUE_SEARCH_MOST is spent. The first QUEUES_TOLD
 * reasons are kept. */
static enum suits some_queue_suits(struct verifying *v)
{
    struct dstr why = DSTR_INIT;
    struct qinstance *qi = queues_first(&v->q->queues);
    size_t each = bytes_compared(v->rec), most = (QUEUE_SEARCH_MOST + each - 1) / each;
    enum refusal refusal;
    for (; qi != NULL && v->n < most &&
           (refusal = queue_refuses(v->q, qi, v->rec, &why)) != REFUSES_NOT;
         qi = queues_next(qi)) {
        v->n++;
        v->n_by_limit += refusal == REFUSES_BY_LIMIT;
        v->n_denied += denies_owner(qi, v->rec);
        add_reason(v, &why);
        dstr_clear(&why);
    }
    dstr_free(&why);
    return qi == NULL ? NONE_SUITS : v->n < most ? ONE_SUITS : NOT_KNOWN;
}

/* The same of the parallel environments that are asked for, all of which may be counted on to have
 * a queue instance that suits. */
static enum suits some_pe_suits(struct verifying *v)
{
    struct dstr why = DSTR_INIT;
    uint32_t most = (uint32_t)(QUEUE_SEARCH_MOST / bytes_compared(v->rec)) + 1;
    struct pe_room room = { .q = v->q,
                            .request = v->rec,
                            .refuses = queue_refuses,
                            .is_empty = v->rec->JB_verify_suitable_queues != VERIFY_POKE,
                            .left = most };
    const struct text_object *pe = pe_room_first(&room);
    for (; pe != NULL && pe_room_refuses(&room, pe, &why); pe = pe_room_next(&room, pe)) {
        add_reason(v, &why);
        dstr_clear(&why);
    }
    dstr_free(&why);
    v->n = most - room.left;
    return pe == NULL ? NONE_SUITS : room.is_cut ? NOT_KNOWN : ONE_SUITS;
}

/* nothing suits, and the job is not to be taken */
static int refuse_job(const struct verifying *v, bool is_only, struct answer *ans)
{
    bool is_denied = v->n > 0 && v->n_denied == v->n;
    if (is_only)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_NO_SUITABLE_VERIFIED);
    if (is_denied)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_NO_QUEUE_ALLOWED_S, v->owner);
    return ans_fail(ans, STATUS_ESEMANTIC, MSG_NO_SUITABLE_ERROR);
}

int verify_queues(struct qmaster *q, const struct JB_Type *rec, uint32_t number, const char *owner,
                  struct answer *ans)
{
    uint32_t mode = rec->JB_verify_suitable_queues;
    bool is_only = mode >= VERIFY_ONLY;
    struct answer reasons = ANSWER_INIT;
    struct JB_Type view = *rec; /* shares its members; a job that is new has no owner yet */
    view.JB_owner = owner;
    rec = &view;
    struct verifying v = {
        .q = q, .rec = rec, .number = number, .owner = owner, .reasons = is_only ? &reasons : NULL
    };
    int rc = 0;
    if (mode == VERIFY_NOT)
        return 0;
    enum suits found = some_queue_suits(&v);
    /* of parallel jobs that such limits keep out, the environments say so, too */
    bool is_by_limit = is_only && found == NONE_SUITS && v.n > 0 && v.n_by_limit == v.n;
    if ((found == ONE_SUITS || is_by_limit) && rec->JB_pe != NULL) {
        if (!is_by_limit)
            ans_free(&reasons);
        v.n_denied = 0;
        found = some_pe_suits(&v);
    }
    if (found != NONE_SUITS) {
        ans_free(&reasons); /* of queues before the one that suits, or of some */
        if (is_only && found == NOT_KNOWN)
            rc = ans_fail(ans, STATUS_ESEMANTIC, MSG_VERIFY_CUT_U, v.n);
        else if (is_only)
            ans_add(ans, STATUS_OK, ANSWER_QUALITY_INFO, MSG_VERIFIED);
    } else if (mode == VERIFY_WARN) {
        ans_add(ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_NO_SUITABLE_WARNING);
    } else {
        ans_move(ans, &reasons);
        rc = refuse_job(&v, is_only, ans);
    }
    return rc;
}
