/* Looks for a queue instance that suits a job. Asks what the scheduler asks (libs/sched/why.h), for
 * -w p of the queues as they are, else as if nothing ran and nothing were wrong. Changes
 * nothing. */
#include "daemons/qmaster/requests/verify.h"

#include "daemons/qmaster/requests/msg_requests.h"
#include "libs/sched/msg_sched.h"
#include "libs/sched/why.h"
#include "libs/sgeobj/job_request.h"
#include "libs/uti/dstr.h"

/* why the job cannot run in QI; false, and nothing in WHY, if it can */
static bool queue_refuses(const struct qinstance *qi, const struct JB_Type *rec, struct dstr *why)
{
    struct QU_Type view = qi->rec; /* shares its members */
    if (rec->JB_verify_suitable_queues != VERIFY_POKE) {
        view.QU_state = 0;
        view.QU_slots_used = 0;
    } else if (!qinstance_may_start(qi)) {
        dstr_addf(why, MSG_WHY_QUEUE_UNAVAILABLE_S, view.QU_full_name);
        return true;
    }
    return queue_why_not(&view, rec, why);
}

/* false if all refuse; then REASONS (may be NULL) has those of the first QUEUES_TOLD */
static bool some_queue_suits(const struct qmaster *q, const struct JB_Type *rec, uint32_t number,
                             struct answer *reasons)
{
    struct dstr why = DSTR_INIT;
    const struct qinstance *qi = q->queues.instances;
    for (uint32_t told = 0; qi != NULL && queue_refuses(qi, rec, &why); qi = qi->hh.next) {
        if (told++ < QUEUES_TOLD)
            ans_add(reasons, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_VERIFY_JOB_US, number,
                    dstr_get(&why));
        dstr_clear(&why);
    }
    dstr_free(&why);
    return qi != NULL;
}

int verify_queues(const struct qmaster *q, const struct JB_Type *rec, uint32_t number,
                  struct answer *ans)
{
    uint32_t mode = rec->JB_verify_suitable_queues;
    bool is_only = mode >= VERIFY_ONLY;
    struct answer reasons = ANSWER_INIT;
    int rc = 0;
    if (mode == VERIFY_NOT)
        return 0;
    if (some_queue_suits(q, rec, number, is_only ? &reasons : NULL)) {
        ans_free(&reasons); /* of queues before the one that suits */
        if (is_only)
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
