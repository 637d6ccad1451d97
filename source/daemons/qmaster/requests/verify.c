/* Looks for a queue instance that suits a job. Asks what the scheduler asks (libs/sched/why.h), for
 * -w p of the queues as they are, else as if nothing ran and nothing were wrong. Changes
 * nothing. */
#include "daemons/qmaster/requests/verify.h"

#include "daemons/qmaster/requests/lacks.h"
#include "daemons/qmaster/requests/msg_requests.h"
#include "daemons/qmaster/requests/pe_room.h"
#include "daemons/qmaster/requests/queue_known.h"
#include "libs/sched/msg_sched.h"
#include "libs/sched/why.h"
#include "libs/sgeobj/job_request.h"
#include "libs/uti/dstr.h"

/* why the job cannot run in QI; false, and nothing in WHY, if it can */
static bool queue_refuses(struct qmaster *q, struct qinstance *qi, const struct JB_Type *rec,
                          struct dstr *why)
{
    struct QU_Type view = qi->rec; /* shares its members */
    bool as_if_unused = rec->JB_verify_suitable_queues != VERIFY_POKE;
    if (as_if_unused) {
        view.QU_state = 0;
        view.QU_slots_used = 0;
    } else if (!qinstance_may_start(qi)) {
        dstr_addf(why, MSG_WHY_QUEUE_UNAVAILABLE_S, view.QU_full_name);
        return true;
    }
    return queue_why_not(&view, rec, why) || lacks_why(q, qi, rec, as_if_unused, why);
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

/* Looks at the instances until one suits or QUEUE_SEARCH_MOST is spent: how many were looked at is
 * in *N. REASONS (may be NULL) has those of the first QUEUES_TOLD that refuse. */
enum suits { NONE_SUITS, ONE_SUITS, NOT_KNOWN };
static enum suits some_queue_suits(struct qmaster *q, const struct JB_Type *rec, uint32_t number,
                                   struct answer *reasons, uint32_t *n)
{
    struct dstr why = DSTR_INIT;
    struct qinstance *qi = queues_first(&q->queues);
    size_t each = bytes_compared(rec), most = (QUEUE_SEARCH_MOST + each - 1) / each;
    for (*n = 0; qi != NULL && *n < most && queue_refuses(q, qi, rec, &why); qi = queues_next(qi)) {
        if ((*n)++ < QUEUES_TOLD)
            ans_add(reasons, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_VERIFY_JOB_US, number,
                    dstr_get(&why));
        dstr_clear(&why);
    }
    dstr_free(&why);
    return qi == NULL ? NONE_SUITS : *n < most ? ONE_SUITS : NOT_KNOWN;
}

/* The same of the parallel environments that REC asks for, all of which may be counted on to have a
 * queue instance that suits. */
static enum suits some_pe_suits(struct qmaster *q, const struct JB_Type *rec, uint32_t number,
                                struct answer *reasons, uint32_t *n)
{
    struct dstr why = DSTR_INIT;
    uint32_t most = (uint32_t)(QUEUE_SEARCH_MOST / bytes_compared(rec)) + 1;
    struct pe_room room = { .q = q,
                            .request = rec,
                            .refuses = queue_refuses,
                            .is_empty = rec->JB_verify_suitable_queues != VERIFY_POKE,
                            .left = most };
    const struct text_object *pe = pe_room_first(&room);
    for (; pe != NULL && pe_room_refuses(&room, pe, &why); pe = pe_room_next(&room, pe)) {
        ans_add(reasons, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_VERIFY_JOB_US, number,
                dstr_get(&why));
        dstr_clear(&why);
    }
    dstr_free(&why);
    *n = most - room.left;
    return pe == NULL ? NONE_SUITS : room.is_cut ? NOT_KNOWN : ONE_SUITS;
}

int verify_queues(struct qmaster *q, const struct JB_Type *rec, uint32_t number, struct answer *ans)
{
    uint32_t mode = rec->JB_verify_suitable_queues;
    bool is_only = mode >= VERIFY_ONLY;
    struct answer reasons = ANSWER_INIT;
    uint32_t n;
    int rc = 0;
    if (mode == VERIFY_NOT)
        return 0;
    enum suits found = some_queue_suits(q, rec, number, is_only ? &reasons : NULL, &n);
    if (found == ONE_SUITS && rec->JB_pe != NULL) {
        ans_free(&reasons);
        found = some_pe_suits(q, rec, number, is_only ? &reasons : NULL, &n);
    }
    if (found != NONE_SUITS) {
        ans_free(&reasons); /* of queues before the one that suits, or of some */
        if (is_only && found == NOT_KNOWN)
            rc = ans_fail(ans, STATUS_ESEMANTIC, MSG_VERIFY_CUT_U, n);
        else if (is_only)
            ans_add(ans, STATUS_OK, ANSWER_QUALITY_INFO, MSG_VERIFIED);
    } else if (mode == VERIFY_WARN) {
        ans_add(ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_NO_SUITABLE_WARNING);
    } else {
        ans_move(ans, &reasons);
        rc = ans_fail(ans, STATUS_ESEMANTIC,
                      is_only ? MSG_NO_SUITABLE_VERIFIED : MSG_NO_SUITABLE_ERROR);
    }
    return rc;
}
