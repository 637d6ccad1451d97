/* Who may do what. Invariant: nothing here reads a request or what a peer said of itself. */
#include "daemons/qmaster/tables/rights.h"

#include "daemons/qmaster/tables/msg_tables.h"
#include "libs/sgeobj/job_request.h"
#include "libs/uti/host_name.h"

bool right_manage(const struct qmaster *q, const struct identity *who)
{
    return strcmp(who->user, "root") == 0 ||
           settings_has_name(&q->settings, NAMES_MANAGER, who->user);
}

bool right_operate(const struct qmaster *q, const struct identity *who)
{
    return right_manage(q, who) || settings_has_name(&q->settings, NAMES_OPERATOR, who->user);
}

bool right_over_job(const struct qmaster *q, const struct identity *who, const struct job *job)
{
    return strcmp(job->rec.JB_owner, who->user) == 0 || right_operate(q, who);
}

/* the scheduler has the qmaster's user, and no use for that user's rights */
static const unsigned senders[GDI_FRAME_KINDS] = {
    [GDI_FRAME_REQUEST] = ROLE_CLIENT | ROLE_EXECD,
    [GDI_FRAME_EVENT_REGISTER] = ROLE_CLIENT | ROLE_EXECD | ROLE_SCHEDULER,
    [GDI_FRAME_EVENT_ACK] = ROLE_CLIENT | ROLE_EXECD | ROLE_SCHEDULER,
    [GDI_FRAME_ORDERS] = ROLE_SCHEDULER,
    [GDI_FRAME_EXEC] = ROLE_EXECD | ROLE_HOST,
};

bool right_to_send(enum role role, uint8_t kind)
{
    return kind < GDI_FRAME_KINDS && (senders[kind] & role) != 0;
}

bool right_to_be_host(const struct identity *who, const char *host)
{
    return who->proof != PROOF_CERTIFICATE || host_name_equal(who->host, host);
}

int right_to_submit(const struct qmaster *q, const struct identity *who, struct answer *ans)
{
    if (q->only_uid != 0 && who->uid != q->only_uid)
        return ans_fail(ans, STATUS_DENIED, MSG_ONLY_USER_SU, who->user, (unsigned)q->only_uid);
    if (q->refuses_root && who->uid == 0)
        return ans_fail(ans, STATUS_DENIED, MSG_NO_ROOT_JOBS);
    if (!settings_has_name(&q->settings, NAMES_SUBMIT_HOST, who->host))
        return ans_fail(ans, STATUS_DENIED, MSG_NOT_SUBMIT_HOST_S, who->host);
    return 0;
}

int right_to_submit_as(const struct identity *who, struct answer *ans)
{
    if (who->proof == PROOF_SOCKET && who->uid == 0)
        return 0;
    return ans_fail(ans, STATUS_DENIED, MSG_SUBMIT_AS_S, who->user);
}

int right_to_configure(const struct qmaster *q, const struct identity *who, struct answer *ans)
{
    if (right_manage(q, who))
        return 0;
    return ans_fail(ans, STATUS_DENIED, MSG_MUST_BE_MANAGER_S, who->user);
}

int right_to_hold(const struct qmaster *q, const struct identity *who, unsigned kinds, bool is_on,
                  struct answer *ans)
{
    const char *verb = is_on ? "set" : "remove";
    int rc = 0;
    if ((kinds & MINUS_H_TGT_SYSTEM) != 0 && !right_manage(q, who))
        rc = ans_fail(ans, STATUS_ENOOPR, MSG_HOLD_MANAGER_SS, who->user, verb);
    if ((kinds & MINUS_H_TGT_OPERATOR) != 0 && !right_operate(q, who))
        rc = ans_fail(ans, STATUS_ENOOPR, MSG_HOLD_OPERATOR_SS, who->user, verb);
    return rc;
}

/* is USER one of the user set's entries? */
static bool is_in_userset(const struct qmaster *q, const char *set, const char *user)
{
    const struct text_object *t = settings_text(&q->settings, GDI_USERSET, set);
    const struct US_Type *us = t != NULL ? t->record : NULL;
    return us != NULL && cull_find(&cull_ST_Type, &us->US_entries, user) != NULL;
}

static int right_to_priority(const struct qmaster *q, const struct identity *who, bool is_new,
                             struct answer *ans)
{
    if (right_operate(q, who))
        return 0;
    if (is_new)
        return ans_fail(ans, STATUS_DENIED, MSG_PRIORITY_POSITIVE);
    return ans_fail(ans, STATUS_DENIED, MSG_PRIORITY_INCREASE_S, who->user);
}

int right_to_go_first(const struct qmaster *q, const struct identity *who,
                      const struct JB_Type *rec, bool is_new, struct answer *ans)
{
    if (rec->JB_deadline != 0 && !right_manage(q, who) &&
        !is_in_userset(q, "deadlineusers", who->user))
        return ans_fail(ans, STATUS_DENIED, MSG_NOT_DEADLINE_USER_S, who->user);
    if (rec->JB_override_tickets != 0 && !right_operate(q, who))
        return ans_fail(ans, STATUS_DENIED, MSG_TICKETS_OPERATOR_S, who->user);
    if (cull_has(rec, JB_priority) && rec->JB_priority > JOB_PRIORITY_BASE)
        return right_to_priority(q, who, is_new, ans);
    return 0;
}
