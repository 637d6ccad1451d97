/* Submitting for somebody else: ADD_AS of a job, by which a program of root's submits as the user
 * it acts for. Root names the owner by number, and nothing else in the message is believed: name
 * and group come from the name service, for which the core does not wait. From there on it is a
 * submit with the owner's rights and limits, in a session of root's. */
#include "daemons/qmaster/io/net.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/requests/steps/parked.h"
#include "daemons/qmaster/tables/rights.h"

static void submit_for_owner(struct qmaster *q, struct request *r, struct selection *chosen,
                             uint32_t at)
{
    (void)chosen;
    (void)at;
    if (r->owner.user != NULL)
        submit_request(q, r);
    else if (r->is_owner_unsure)
        ans_fail(&r->ans, STATUS_NOTOK_DOAGAIN, MSG_OWNER_UNSURE_U, r->gr.GR_owner);
    else
        ans_fail(&r->ans, STATUS_DENIED, MSG_OWNER_UNKNOWN_U, r->gr.GR_owner);
}

void submit_as_request(struct qmaster *q, struct request *r)
{
    uid_t owner = r->gr.GR_owner;
    if (right_to_submit_as(&r->from->who, &r->ans) != 0)
        return;
    if (!cull_has(&r->gr, GR_owner)) {
        ans_fail(&r->ans, STATUS_ESEMANTIC, MSG_NO_OWNER);
        return;
    }
    park_for_owner(q, r, submit_for_owner, owner);
    net_ask_owner(q->net, owner);
}
