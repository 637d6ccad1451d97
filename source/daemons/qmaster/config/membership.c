/* Questions for the groups of users. Invariant: of each member one question at most is under
 * way. */
#include "daemons/qmaster/config/membership.h"

#include "daemons/qmaster/config/msg_config.h"
#include "daemons/qmaster/io/inbox.h"
#include "daemons/qmaster/io/net.h"
#include "libs/uti/log.h"

enum { UNSURE_S = 5 };

static void ask_groups(struct qmaster *q, struct member *m)
{
    if (m->is_asked)
        return;
    members_asked(&q->settings.members, m);
    net_ask_groups(q->net, m->uid);
}

static struct member *add_member(struct qmaster *q, uid_t uid, const char *user)
{
    struct members *all = &q->settings.members;
    struct member *m = members_add(all, uid, user);
    if (m == NULL && !all->has_said_full)
        log_msg(LOG_LEVEL_WARNING, MSG_MEMBERS_FULL_UU, HASH_COUNT(all->all),
                (unsigned)MEMBERS_KEPT);
    all->has_said_full = m == NULL;
    return m;
}

bool membership_awaits(struct qmaster *q, uid_t uid, const char *user)
{
    struct members *all = &q->settings.members;
    struct member *m = all->n_entries > 0 ? members_find(all, uid) : NULL;
    if (m == NULL && all->n_entries > 0)
        m = add_member(q, uid, user);
    if (m == NULL || m->is_known)
        return false;
    ask_groups(q, m);
    return true;
}

const char *membership_hear(struct qmaster *q, const struct note *n)
{
    struct members *all = &q->settings.members;
    struct member *m = members_find(all, (uid_t)n->number);
    if (m == NULL)
        return NULL;
    if (n->is_unsure) {
        members_unsure(all, m, q->now_s + UNSURE_S);
        return NULL;
    }
    bool is_new = members_heard(all, m, n->data, q->now_s + q->settings.names_time_s);
    return is_new ? m->user : NULL;
}

static bool has_jobs(const struct qmaster *q, const struct member *m)
{
    const struct owner *o = jobs_owner(&q->jobs, m->user);
    return o != NULL && o->n_jobs > 0;
}

static void check_list(struct qmaster *q, struct member_list *list)
{
    struct members *all = &q->settings.members;
    for (int i = 0; i < MEMBERS_LOOKED_AT; i++) {
        struct member *m = TAILQ_FIRST(list);
        if (m == NULL || m->due_s > q->now_s)
            return;
        /* a question that hangs keeps nobody behind it waiting */
        if (m->is_asked)
            members_asked(all, m);
        else if (all->n_entries > 0 && (!m->is_known || has_jobs(q, m)))
            ask_groups(q, m);
        else
            members_drop(all, m);
    }
}

void membership_check(struct qmaster *q)
{
    check_list(q, &q->settings.members.known);
    check_list(q, &q->settings.members.open);
}
