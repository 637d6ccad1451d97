/* The table of sessions. Invariants: a session is in `by_name`, in `by_number`, and in `idle`
 * exactly while `is_idle`; its user's n_ends is the sum of n_kept and n_owed over the
 * user's sessions; a user without sessions does not exist. */
#include "daemons/qmaster/sessions/job_sessions.h"

#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/marks.h"
#include "daemons/qmaster/sessions/msg_sessions.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/spool/records.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/os.h"

struct job_sessions *job_sessions_new(void)
{
    struct job_sessions *all = uti_calloc(1, sizeof *all);
    TAILQ_INIT(&all->idle);
    TAILQ_INIT(&all->unwritten);
    LIST_INIT(&all->removals);
    LIST_INIT(&all->readers);
    return all;
}

/* ---- users ---- */
static struct session_user *find_user(const struct job_sessions *all, const char *name)
{
    struct session_user *u;
    HASH_FIND_STR(all->users, name, u);
    return u;
}

static struct session_user *get_user(struct job_sessions *all, const char *name)
{
    struct session_user *u = find_user(all, name);
    if (u == NULL) {
        u = uti_calloc(1, sizeof *u);
        u->name = uti_strdup(name);
        HASH_ADD_KEYPTR(hh, all->users, u->name, strlen(u->name), u);
    }
    u->n_sessions++;
    return u;
}

static void put_user(struct job_sessions *all, struct session_user *u)
{
    if (--u->n_sessions > 0)
        return;
    HASH_DEL(all->users, u);
    free(u->name);
    free(u);
}

/* ---- the table ---- */
static char *name_of(const char *owner, const char *key)
{
    struct dstr name = DSTR_INIT;
    dstr_addf(&name, "%s/%s", owner, key);
    return dstr_take(&name);
}

struct job_session *job_session_find(const struct qmaster *q, const char *owner, const char *key)
{
    char *name = name_of(owner, key);
    struct job_session *s;
    HASH_FIND_STR(q->job_sessions->by_name, name, s);
    free(name);
    return s;
}

struct job_session *job_session_numbered(const struct qmaster *q, uint64_t number)
{
    struct job_session *s;
    HASH_FIND(hh_number, q->job_sessions->by_number, &number, sizeof number, s);
    return s;
}

struct job_session *job_session_of(const struct qmaster *q, const struct job *job)
{
    return job->rec.JB_session != 0 ? job_session_numbered(q, job->rec.JB_session) : NULL;
}

void job_session_set_idle(struct job_sessions *all, struct job_session *s, bool is_idle)
{
    if (is_idle == s->is_idle)
        return;
    s->is_idle = is_idle;
    if (is_idle)
        TAILQ_INSERT_TAIL(&all->idle, s, in_idle);
    else
        TAILQ_REMOVE(&all->idle, s, in_idle);
}

/* REC is moved in */
static struct job_session *add_session(struct qmaster *q, struct SN_Type *rec)
{
    struct job_sessions *all = q->job_sessions;
    struct job_session *s = uti_calloc(1, sizeof *s);
    s->rec = *rec;
    *rec = (struct SN_Type){ 0 };
    s->name = name_of(s->rec.SN_owner, s->rec.SN_key);
    s->user = get_user(all, s->rec.SN_owner);
    s->asked_s = q->now_s;
    RB_INIT(&s->jobs);
    TAILQ_INIT(&s->watchers);
    HASH_ADD_KEYPTR(hh, all->by_name, s->name, strlen(s->name), s);
    HASH_ADD(hh_number, all->by_number, rec.SN_number, sizeof s->rec.SN_number, s);
    job_session_set_idle(all, s, true);
    return s;
}

void job_session_free(struct job_session *s)
{
    cull_clear(&cull_SN_Type, &s->rec);
    free(s->name);
    free(s);
}

/* out of the table: lookups do not find it, and its ends do not count */
static void remove_session(struct job_sessions *all, struct job_session *s)
{
    job_session_set_idle(all, s, false);
    HASH_DEL(all->by_name, s);
    HASH_DELETE(hh_number, all->by_number, s);
    s->user->n_ends -= s->n_kept + s->n_owed;
    put_user(all, s->user);
    s->user = NULL;
}

void job_sessions_free(struct job_sessions *all)
{
    struct job_session *s, *next;
    if (all == NULL)
        return;
    HASH_ITER(hh, all->by_name, s, next) {
        remove_session(all, s);
        job_session_free(s);
    }
    free(all);
}

/* ---- what may be ---- */
static bool is_key(const char *key)
{
    size_t n = key != NULL ? strspn(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                         "0123456789._-")
                           : 0;
    return n > 0 && n <= GDI_SESSION_KEY_MOST && key[n] == '\0';
}

static int check_limits(const struct qmaster *q, const char *owner, bool is_new, uint64_t n_tasks,
                        struct answer *ans)
{
    const struct session_user *u = find_user(q->job_sessions, owner);
    uint32_t sessions = u != NULL ? u->n_sessions : 0, most = q->settings.user_sessions;
    uint64_t ends = (u != NULL ? u->n_ends : 0) + n_tasks;
    if (is_new && sessions >= most)
        return ans_fail(ans, STATUS_NOTOK_DOAGAIN, MSG_SESSIONS_MOST_SUU, owner, sessions, most);
    if (n_tasks > 0 && ends > q->settings.user_ends)
        return ans_fail(ans, STATUS_NOTOK_DOAGAIN, MSG_ENDS_MOST_SUU, owner, ends,
                        q->settings.user_ends);
    return 0;
}

int job_session_check(struct qmaster *q, const struct connection *from, const char *key,
                      bool is_made, uint64_t n_tasks, struct answer *ans)
{
    const char *owner = from->who.user;
    if (!is_key(key))
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_SESSION_KEY_U, (unsigned)GDI_SESSION_KEY_MOST);
    struct job_session *s = job_session_find(q, owner, key);
    if (s == NULL && !is_made)
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_SESSION_UNKNOWN_S, key);
    return right_manage(q, &from->who) ? 0 : check_limits(q, owner, s == NULL, n_tasks, ans);
}

/* ---- coming and going ---- */
static struct packer record_key(uint64_t number)
{
    struct packer key = { 0 };
    pack_u32be(&key, (uint32_t)(number >> 32));
    pack_u32be(&key, (uint32_t)number);
    return key;
}

static void stage_session(struct qmaster *q, const struct job_session *s)
{
    struct packer key = record_key(s->rec.SN_number), value = { 0 };
    spool_record_pack(q->records, &value, (struct spool_key){ SPOOL_SESSION, key.data, key.len },
                      &cull_SN_Type, &s->rec);
    batch_put(change_batch(q), SPOOL_SESSION, &key, &value);
}

struct job_session *job_session_make(struct qmaster *q, const struct connection *from,
                                     const char *key, struct answer *ans)
{
    struct SN_Type rec = { 0 };
    uint64_t number = 0;
    while (number == 0 || job_session_numbered(q, number) != NULL)
        if (random_bytes(&number, sizeof number, ans) != 0)
            return NULL;
    cull_set(&rec, SN_key, key);
    cull_set(&rec, SN_owner, from->who.user);
    cull_set(&rec, SN_uid, from->who.uid);
    cull_set(&rec, SN_number, number);
    struct job_session *s = add_session(q, &rec);
    stage_session(q, s);
    s->changed = change_number(q);
    return s;
}

struct job_session *job_session_orphan(struct qmaster *q, uint64_t number)
{
    struct SN_Type rec = { 0 };
    struct dstr key = DSTR_INIT;
    dstr_addf(&key, "%" PRIu64, number);
    cull_set(&rec, SN_key, dstr_get(&key));
    cull_set(&rec, SN_owner, "");
    cull_set(&rec, SN_number, number);
    dstr_free(&key);
    return add_session(q, &rec);
}

bool job_session_restore(struct qmaster *q, struct SN_Type *rec)
{
    bool is_good = is_key(rec->SN_key) && rec->SN_owner != NULL && rec->SN_number != 0;
    if (is_good)
        add_session(q, rec);
    return is_good;
}

void job_session_gone(struct qmaster *q, struct job_session *s)
{
    struct packer key = record_key(s->rec.SN_number);
    spool_record_gone(q->records, (struct spool_key){ SPOOL_SESSION, key.data, key.len });
    batch_del(change_batch(q), SPOOL_SESSION, &key);
    remove_session(q->job_sessions, s);
}

/* ---- who cares ---- */
void job_session_asked(struct qmaster *q, struct job_session *s)
{
    s->asked_s = q->now_s;
    if (s->is_idle) {
        job_session_set_idle(q->job_sessions, s, false);
        job_session_set_idle(q->job_sessions, s, true);
    }
}

void job_session_owe(struct job_session *s, uint64_t n)
{
    s->n_owed += n;
    s->user->n_ends += n;
}

void job_session_settle(struct job_session *s, uint64_t n)
{
    n = n < s->n_owed ? n : s->n_owed;
    s->n_owed -= n;
    s->user->n_ends -= n;
}
