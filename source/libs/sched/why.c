/* Why a task does not start in a queue: for -w of submits and alters, and for `scheduling info:` of
 * qstat -j. Its conditions are those of queue_takes_tasks (queue.c), queue_match.h and access.h.
 * Source: captured texts */
#include "libs/sched/why.h"

#include "libs/config/access.h"
#include "libs/config/qinstance.h"
#include "libs/sched/msg_sched.h"
#include "libs/sgeobj/pe_match.h"
#include "libs/sgeobj/queue_match.h"
#include "libs/uti/dstr.h"

bool queue_why_not(const struct QU_Type *qu, const struct JB_Type *request, struct dstr *why)
{
    const char *name = qu->QU_full_name;
    size_t before = why->len;
    bool is_immediate = request->JB_is_immediate;
    enum access access = ACCESS_GRANTED; /* without an owner it is the queue that is in question */
    if (request->JB_owner != NULL)
        access = access_ask(&qu->QU_access, request->JB_user_sets, request->JB_project);

    if (!queue_match_any(&request->JB_hard_queue_list, name, &qu->QU_hostgroups))
        dstr_addf(why, MSG_WHY_QUEUE_REQUEST_S, name);
    else if (request->JB_pe != NULL && !pe_list_meets(qu->QU_pe_list, request->JB_pe))
        dstr_addf(why, MSG_WHY_QUEUE_PE_SS, name, request->JB_pe);
    else if (request->JB_checkpoint_name != NULL &&
             !pe_list_has(qu->QU_ckpt_list, request->JB_checkpoint_name))
        dstr_addf(why, MSG_WHY_QUEUE_CKPT_S, name);
    else if (access == ACCESS_NOT_OF_USER)
        dstr_addf(why, MSG_WHY_QUEUE_USER_S, name);
    else if (access == ACCESS_NOT_OF_PROJECT && request->JB_project == NULL)
        dstr_addf(why, MSG_WHY_QUEUE_NO_PROJECT_S, name);
    else if (access == ACCESS_NOT_OF_PROJECT)
        dstr_addf(why, MSG_WHY_QUEUE_PROJECT_SS, request->JB_project, name);
    else if ((qu->QU_state & QI_DISABLED) != 0)
        dstr_addf(why, MSG_WHY_QUEUE_DISABLED_S, name);
    else if ((qu->QU_state & (QI_SUSPENDED | QI_SUBORDINATED | QI_CAL_SUSPENDED)) != 0)
        dstr_addf(why, MSG_WHY_QUEUE_SUSPENDED_S, name);
    else if ((qu->QU_state & QI_ERROR) != 0)
        dstr_addf(why, MSG_WHY_QUEUE_ERROR_S, name);
    else if ((qu->QU_state & QI_BLOCKING) != 0)
        dstr_addf(why, MSG_WHY_QUEUE_UNAVAILABLE_S, name);
    else if (!is_immediate && (qu->QU_qtype & QTYPE_BATCH) == 0)
        dstr_addf(why, MSG_WHY_QUEUE_BATCH_S, name);
    else if (is_immediate && (qu->QU_qtype & QTYPE_INTERACTIVE) == 0)
        dstr_addf(why, MSG_WHY_QUEUE_INTERACTIVE_S, name);
    else if (qu->QU_slots_used >= qu->QU_job_slots)
        dstr_addf(why, MSG_WHY_QUEUE_FULL_S, name);
    return why->len > before;
}
