/* What a cell has of users: their objects (who needs one, who gets one, when it goes), their groups
 * of the system, and what user sets let their jobs do. Invariant: an object with a delete_time
 * of 0 is the administrator's, and is never changed or removed here. Source: user(5), sge_conf(5)
 */
#include "daemons/qmaster/config/users.h"

#include <stdio.h>
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/config/msg_config.h"
#include "daemons/qmaster/io/inbox.h"
#include "daemons/qmaster/io/net.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/tables/walk.h"
#include "libs/config/attr_names.h"
#include "libs/config/conf.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/log.h"

static const struct UU_Type *find_user(const struct qmaster *q, const char *user)
{
    const struct text_object *t = settings_text(&q->settings, GDI_USER, user);
    return t != NULL ? t->record : NULL;
}

static const char *global_value(const struct qmaster *q, const char *param)
{
    const struct conf *global = settings_conf(&q->settings, CONF_GLOBAL);
    return global != NULL ? conf_get(&global->rec, NULL, param) : NULL;
}

/* ---- checks ---- */
static const char *default_project(const struct qmaster *q, const char *user)
{
    const struct UU_Type *rec = find_user(q, user);
    const char *project = NULL;
    if (rec != NULL)
        project = rec->UU_default_project;
    else if (q->settings.enforce_user == ENFORCE_USER_AUTO)
        project = global_value(q, "auto_user_default_project");
    return project != NULL && *project != '\0' && !attr_is_none(project) ? project : NULL;
}

static int check_user(const struct qmaster *q, const char *user, struct answer *ans)
{
    const struct settings *s = &q->settings;
    if (s->enforce_user == ENFORCE_USER_FALSE || find_user(q, user) != NULL)
        return 0;
    if (s->enforce_user == ENFORCE_USER_TRUE)
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_USER_UNKNOWN_S, user);
    if (HASH_COUNT(s->texts[GDI_USER]) >= s->max_auto_users)
        return ans_fail(ans, STATUS_NOTOK_DOAGAIN, MSG_AUTO_USERS_SUU, user,
                        HASH_COUNT(s->texts[GDI_USER]), s->max_auto_users);
    return 0;
}

int users_check_project(const struct qmaster *q, const char *project, struct answer *ans)
{
    if (project != NULL || !q->settings.enforces_project)
        return 0;
    return ans_fail(ans, STATUS_EUNKNOWN, MSG_NO_PROJECT);
}

int users_check(struct qmaster *q, const char *user, struct JB_Type *rec, struct answer *ans)
{
    if (check_user(q, user, ans) != 0)
        return -1;
    bool has_one = rec->JB_project != NULL && *rec->JB_project != '\0';
    if (!has_one)
        cull_set(rec, JB_project, NULL);
    const char *project = has_one ? NULL : default_project(q, user);
    if (project != NULL)
        cull_set(rec, JB_project, project);
    return users_check_project(q, rec->JB_project, ans);
}

/* ---- automatic user objects ---- */
static void put_user(struct qmaster *q, struct TX_Type *tx)
{
    cull_set(tx, TX_kind, (uint32_t)OBJECT_USER);
    struct text_object *t = settings_put_text(&q->settings, tx);
    config_stage_text(q, &t->rec);
    events_object(q, &t->rec);
}

/* 0 from the configuration means for ever, and so it does in an object */
static void set_delete_time(const struct qmaster *q, struct TX_Type *tx)
{
    char at_s[24];
    uint64_t kept_s = q->settings.auto_user_delete_s;
    snprintf(at_s, sizeof at_s, "%llu", (unsigned long long)(kept_s > 0 ? q->now_s + kept_s : 0));
    (void)object_set(object_rules_of(OBJECT_USER), tx, "delete_time", at_s, NULL);
}

static void make_user(struct qmaster *q, const char *user)
{
    static const struct {
        const char *attr, *param;
    } from[] = { { "oticket", "auto_user_oticket" },
                 { "fshare", "auto_user_fshare" },
                 { "default_project", "auto_user_default_project" } };
    const struct object_rules *rules = object_rules_of(OBJECT_USER);
    struct TX_Type tx = { 0 };
    object_template(rules, user, &tx);
    for (size_t i = 0; i < ARRAY_LEN(from); i++)
        (void)object_set(rules, &tx, from[i].attr, global_value(q, from[i].param), NULL);
    set_delete_time(q, &tx);
    put_user(q, &tx);
}

static void keep_user_longer(struct qmaster *q, const char *user)
{
    struct TX_Type tx = { 0 };
    cull_copy(&cull_TX_Type, &tx, &settings_text(&q->settings, GDI_USER, user)->rec);
    set_delete_time(q, &tx);
    put_user(q, &tx);
}

void users_note(struct qmaster *q, const char *user)
{
    const struct UU_Type *rec = find_user(q, user);
    uint64_t kept_s = q->settings.auto_user_delete_s;
    if (q->settings.enforce_user != ENFORCE_USER_AUTO || !user_name_is_valid(user))
        return;
    if (rec == NULL)
        make_user(q, user);
    else if (rec->UU_delete_time != 0 && rec->UU_delete_time < q->now_s + kept_s / 2)
        keep_user_longer(q, user);
}

/* ---- their removal ---- */
static bool is_another(void *ctx, const struct reference *ref)
{
    const char *const *user = ctx;
    return ref->kind != OBJECT_USER || strcmp(ref->name, *user) != 0;
}

static bool is_in_share_tree(const struct qmaster *q, const char *user)
{
    const struct text_object *t = q->settings.texts[GDI_SHARETREE];
    return t != NULL && !object_references(t->rules, &t->rec, t->record, is_another, &user);
}

static bool is_over(const struct qmaster *q, const struct text_object *t)
{
    const struct UU_Type *rec = t->record;
    if (rec == NULL || rec->UU_delete_time == 0 || rec->UU_delete_time > q->now_s)
        return false;
    const struct owner *o = jobs_owner(&q->jobs, t->rec.TX_name);
    return o == NULL || o->n_jobs == 0;
}

static void drop_user(struct qmaster *q, struct text_object *t)
{
    config_stage_text_gone(q, &t->rec);
    events_object_del(q, &t->rec);
    settings_drop_text(&q->settings, t);
}

/* what the share tree names stays, and is asked about again after as long a time */
static void end_user(struct qmaster *q, struct text_object *t)
{
    if (is_in_share_tree(q, t->rec.TX_name))
        keep_user_longer(q, t->rec.TX_name);
    else
        drop_user(q, t);
}

void users_expire(struct qmaster *q)
{
    struct settings *s = &q->settings;
    for (int i = 0; i < USERS_LOOKED_AT; i++) {
        struct text_object *t = walk_take(&s->expiring, offsetof(struct text_object, hh));
        if (t == NULL) {
            walk_begin(&s->walks, &s->expiring, s->texts[GDI_USER]);
            break;
        }
        if (is_over(q, t))
            end_user(q, t);
    }
}

/* ---- groups of users ---- */
/* Questions for the groups of users. Invariant: of each member one question at most is under
 * way. */
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

const char *membership_answered(struct qmaster *q, const struct note *n)
{
    struct members *all = &q->settings.members;
    struct member *m = members_find(all, (uid_t)n->number);
    if (m == NULL)
        return NULL;
    if (n->is_unsure) {
        members_unsure(all, m, q->now_s + UNSURE_S);
        return NULL;
    }
    bool is_new = members_answered(all, m, n->data, q->now_s + q->settings.names_time_s);
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

/* ---- rights of users ---- */
/* After a change of a user set, or of the groups of a user: jobs of owners who came to a set or
 * left it. A walk goes by job numbers and asks each time what is so now; jobs that come meanwhile
 * are right from the start, and another change has a walk of its own. */
struct access_walk {
    struct piece piece;
    uint32_t next; /* the lowest number that it has not seen */
};

static bool is_equal(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool access_note_sets(struct qmaster *q, struct JB_Type *rec, const struct set_user *who)
{
    const char *sets = user_sets_of(&q->settings, who);
    const char *department = user_department_of(&q->settings, who);
    bool is_of_others = !is_equal(sets, rec->JB_user_sets);
    bool is_elsewhere = !is_equal(department, rec->JB_department);
    if (is_of_others)
        cull_share(rec, JB_user_sets, sets);
    if (is_elsewhere)
        cull_share(rec, JB_department, department);
    return is_of_others || is_elsewhere;
}

/* what is not known yet of an owner's groups comes later, with a NOTE_GROUPS */
static bool note_owner(struct qmaster *q, struct job *job)
{
    struct set_user who = { job->rec.JB_owner, job->rec.JB_group, job->rec.JB_uid };
    (void)membership_awaits(q, who.uid, who.user);
    return access_note_sets(q, &job->rec, &who);
}

static void renew_job(struct qmaster *q, struct job *job)
{
    if (!note_owner(q, job))
        return;
    q->settings.quota_round += job->rare->n_running > 0;
    job->changed = change_number(q);
    events_job_mod(q, job);
}

/* a look at the clock after each job: another owner may be one to be sought in all sets */
static bool walk_step(struct qmaster *q, struct piece *p)
{
    struct access_walk *w = (struct access_walk *)p;
    struct job *job = jobs_at_or_after(&q->jobs, w->next);
    while (job != NULL) {
        renew_job(q, job);
        job = jobs_next(&q->jobs, job);
        w->next = job != NULL ? job->rec.JB_job_number : 0;
        if (job != NULL && slice_is_over(q))
            return false;
    }
    return true;
}

static void walk_free(struct piece *p)
{
    free(p);
}

static const struct piece_kind walk_kind = { "jobs after a change of a user set", walk_step,
                                             walk_free };

void access_renew_jobs(struct qmaster *q, uint64_t user)
{
    struct access_walk *w = uti_calloc(1, sizeof *w);
    w->piece.kind = &walk_kind;
    if (walk_step(q, &w->piece))
        walk_free(&w->piece);
    else
        work_put_piece(q->work, user, &w->piece);
}

void access_recover_jobs(struct qmaster *q)
{
    for (struct job *job = jobs_at_or_after(&q->jobs, 0); job != NULL;
         job = jobs_next(&q->jobs, job))
        (void)note_owner(q, job);
}

/* ---- jobs of one owner ---- */

struct owner_walk {
    struct piece piece;
    struct name_walk names;
};

static bool step_of_owner(struct qmaster *q, struct piece *p)
{
    struct name_walk *w = &((struct owner_walk *)p)->names;
    while (w->named != NULL && !slice_is_over(q)) {
        struct job *job = name_walk_job(w);
        if (job != NULL)
            renew_job(q, job);
        else
            name_walk_into(w);
    }
    return w->named == NULL;
}

static void free_of_owner(struct piece *p)
{
    name_walk_end(&((struct owner_walk *)p)->names);
    free(p);
}

static const struct piece_kind owner_kind = { "jobs of a user who is in other groups",
                                              step_of_owner, free_of_owner };

void access_on_groups(struct qmaster *q, const struct note *n)
{
    const char *user = membership_answered(q, n);
    if (user == NULL)
        return;
    struct owner_walk *w = uti_calloc(1, sizeof *w);
    w->piece.kind = &owner_kind;
    name_walk_begin(&w->names, &q->jobs, user, NULL);
    work_put_piece(q->work, n->number, &w->piece);
}
