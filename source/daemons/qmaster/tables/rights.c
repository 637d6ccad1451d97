/* Who may do what. Invariant: nothing here reads a request or what a peer said of itself. */
#include "daemons/qmaster/tables/rights.h"

#include <unistd.h>

#include "daemons/qmaster/tables/msg_tables.h"
#include "daemons/qmaster/tables/user_sets.h"
#include "libs/config/access.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/job_request.h"
#include "libs/uti/host_name.h"
#include "libs/uti/parse.h"

static bool is_relayed(const struct identity *who)
{
    return who->proof == PROOF_RELAYED;
}

/* A certificate is carried about, and stays behind on what was lent or stolen. */
static bool is_certified(const struct identity *who)
{
    return who->proof == PROOF_USER;
}

static bool comes_from(const struct qmaster *q, const struct identity *who, enum admin_list hosts)
{
    return settings_has_host(&q->settings, hosts, who->host);
}

/* Whoever another host names is as true as that host is honest: rank needs an admin host. With a
 * certificate of their own people are users. */
static bool may_have_rank(const struct qmaster *q, const struct identity *who)
{
    if (is_certified(who))
        return false;
    return !is_relayed(who) || comes_from(q, who, NAMES_ADMIN_HOST);
}

bool right_stays(const struct qmaster *q, const char *user)
{
    return strcmp(user, "root") == 0 || (q->runs_as != NULL && strcmp(user, q->runs_as) == 0);
}

/* root, and the user of the qmaster, by number or by name: they differ between hosts */
static bool is_lord(const struct qmaster *q, const struct identity *who)
{
    return who->uid == 0 || who->uid == geteuid() || right_stays(q, who->user);
}

bool right_manage(const struct qmaster *q, const struct identity *who)
{
    return may_have_rank(q, who) &&
           (is_lord(q, who) || settings_has_name(&q->settings, NAMES_MANAGER, who->user));
}

bool right_operate(const struct qmaster *q, const struct identity *who)
{
    return right_manage(q, who) ||
           (may_have_rank(q, who) && settings_has_name(&q->settings, NAMES_OPERATOR, who->user));
}

/* are they ids that users of this cell may have? A host is no user */
static int check_ids(const struct settings *s, const struct identity *who, struct answer *ans)
{
    if (who->role == ROLE_HOST || (who->uid >= s->min_uid && who->gid >= s->min_gid))
        return 0;
    return ans_fail(ans, STATUS_DENIED, MSG_LOW_IDS_SUUUU, who->user, (unsigned)who->uid,
                    (unsigned)who->gid, s->min_uid, s->min_gid);
}

int right_to_come(const struct qmaster *q, const struct identity *who, struct answer *ans)
{
    const struct settings *s = &q->settings;
    if (is_certified(who) && is_lord(q, who))
        return ans_fail(ans, STATUS_DENIED, MSG_NO_CERTIFIED_LORDS_SU, who->user,
                        (unsigned)who->uid);
    if (!is_relayed(who))
        return is_lord(q, who) ? 0 : check_ids(s, who, ans);
    if (!comes_from(q, who, NAMES_SUBMIT_HOST) && !comes_from(q, who, NAMES_ADMIN_HOST))
        return ans_fail(ans, STATUS_DENIED, MSG_NEITHER_HOST_S, who->host);
    if (is_lord(q, who) && !(s->lets_lords_in && comes_from(q, who, NAMES_ADMIN_HOST)))
        return ans_fail(ans, STATUS_DENIED, MSG_NO_LORDS_SUS, who->user, (unsigned)who->uid,
                        who->host);
    return is_lord(q, who) ? 0 : check_ids(s, who, ans);
}

bool right_over_job(const struct qmaster *q, const struct identity *who, const struct job *job)
{
    return strcmp(job->rec.JB_owner, who->user) == 0 || right_operate(q, who);
}

bool right_over_queue(const struct qmaster *q, const struct identity *who, const struct QU_Type *qu)
{
    const char *owners = qinstance_setting(qu, "owner_list");
    return right_operate(q, who) ||
           (may_have_rank(q, who) && owners != NULL && access_has_name(owners, who->user));
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

bool right_to_speak_for_cell(const struct qmaster *q, const struct identity *who)
{
    return who->proof != PROOF_CERTIFICATE || comes_from(q, who, NAMES_ADMIN_HOST);
}

/* a number in place of a name (names_user): no host could run the jobs */
static bool has_name(const struct identity *who)
{
    uint32_t id;
    return !parse_u32(who->user, &id) || id != who->uid;
}

int right_to_submit(const struct qmaster *q, const struct identity *who, struct answer *ans)
{
    if (!has_name(who))
        return ans_fail(ans, STATUS_DENIED, MSG_NO_NAME_US, (unsigned)who->uid, who->host);
    if (q->only_uid != 0 && who->uid != q->only_uid)
        return ans_fail(ans, STATUS_DENIED, MSG_ONLY_USER_SU, who->user, (unsigned)q->only_uid);
    if (q->refuses_root && who->uid == 0)
        return ans_fail(ans, STATUS_DENIED, MSG_NO_ROOT_JOBS);
    if (!is_certified(who) && !comes_from(q, who, NAMES_SUBMIT_HOST))
        return ans_fail(ans, STATUS_DENIED, MSG_NOT_SUBMIT_HOST_S, who->host);
    return check_ids(&q->settings, who, ans);
}

int right_to_submit_as(const struct identity *who, struct answer *ans)
{
    if (who->proof == PROOF_SOCKET && who->uid == 0)
        return 0;
    return ans_fail(ans, STATUS_DENIED, MSG_SUBMIT_AS_S, who->user);
}

static int right_to_project(const struct qmaster *q, const char *user, const struct JB_Type *rec,
                            struct answer *ans)
{
    const struct text_object *t =
        rec->JB_project != NULL ? settings_text(&q->settings, GDI_PROJECT, rec->JB_project) : NULL;
    const struct PR_Type *project = t != NULL ? t->record : NULL;
    if (project == NULL || access_admits(&project->PR_acl, &project->PR_xacl, rec->JB_user_sets))
        return 0;
    return ans_fail(ans, STATUS_DENIED, MSG_NO_ACCESS_TO_PROJECT_SS, rec->JB_project, user);
}

int right_to_use_cell(const struct qmaster *q, const char *user, const struct JB_Type *rec,
                      struct answer *ans)
{
    enum access access = access_ask(&q->settings.doors, rec->JB_user_sets, rec->JB_project);
    if (access == ACCESS_NOT_OF_USER)
        return ans_fail(ans, STATUS_DENIED, MSG_NO_ACCESS_TO_CELL_S, user);
    if (access == ACCESS_NOT_OF_PROJECT && rec->JB_project == NULL)
        return ans_fail(ans, STATUS_DENIED, MSG_CELL_WANTS_PROJECT);
    if (access == ACCESS_NOT_OF_PROJECT)
        return ans_fail(ans, STATUS_DENIED, MSG_CELL_NOT_FOR_PROJECT_S, rec->JB_project);
    return right_to_project(q, user, rec, ans);
}

int right_to_configure(const struct qmaster *q, const struct identity *who, struct answer *ans)
{
    if (right_manage(q, who))
        return 0;
    if (is_certified(who))
        return ans_fail(ans, STATUS_DENIED, MSG_NO_RANK_S, who->user);
    if (!may_have_rank(q, who))
        return ans_fail(ans, STATUS_DENIED, MSG_NOT_ADMIN_HOST_S, who->host);
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

static bool is_in_userset(const struct qmaster *q, const char *set, const struct identity *who)
{
    const struct text_object *t = settings_text(&q->settings, GDI_USERSET, set);
    const struct US_Type *us = t != NULL ? t->record : NULL;
    uint64_t round;
    const char *groups = member_groups(&q->settings.members, who->uid, who->user, &round);
    struct userset_of of = { .user = who->user, .group = who->group, .groups = groups };
    return us != NULL && userset_has(us, &of);
}

int right_to_reserve(const struct qmaster *q, const struct identity *who, struct answer *ans)
{
    if (right_manage(q, who) || is_in_userset(q, "arusers", who))
        return 0;
    return ans_fail(ans, STATUS_DENIED, MSG_NOT_AR_USER_S, who->user);
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
    if (rec->JB_deadline != 0 && !right_manage(q, who) && !is_in_userset(q, "deadlineusers", who))
        return ans_fail(ans, STATUS_DENIED, MSG_NOT_DEADLINE_USER_S, who->user);
    if (rec->JB_override_tickets != 0 && !right_operate(q, who))
        return ans_fail(ans, STATUS_DENIED, MSG_TICKETS_OPERATOR_S, who->user);
    if (cull_has(rec, JB_priority) && rec->JB_priority > JOB_PRIORITY_BASE)
        return right_to_priority(q, who, is_new, ans);
    return 0;
}
