/* Remembered requests. Submits whose jobs live are in `submits`; their memory is that of the jobs.
 * All others are in two lists: of all, oldest first, for forgetting in time; and of their user,
 * oldest first, so that a user who makes the qmaster remember more than USER_BYTES loses what that
 * user asked for first. */
#include "daemons/qmaster/change/recent.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/msg_change.h"
#include "daemons/qmaster/tables/jobs.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"
#include "libs/uti/slab.h"

/* ---- submits ---- */
/* A table of BUCKETS short lists, which never grows as a whole: a million ids would have to move in
 * one step. In a list the oldest stand first, as they came; it is searched from end to end, 16
 * bytes for each entry, and gives its memory back as it empties. The hash is keyed, because clients
 * choose their ids. */
/* Which job came of which submit: user and request id (JB_uid, JB_request_id) of jobs that are in
 * the table and young. Their records have the texts, so that 16 bytes a job are enough here. */
struct submits;

enum { BUCKETS = 4096, SPARSE = 4 };

struct entry {
    uint64_t hash;
    struct job *job;
};
struct bucket {
    struct entry *v;
    uint32_t n, cap;
};
struct submits {
    struct hash_key key;
    struct bucket buckets[BUCKETS];
    uint32_t hand; /* the bucket that forgets next */
};

/* NULL is fine */
static void submits_free(struct submits *s)
{
    if (s == NULL)
        return;
    for (uint32_t i = 0; i < BUCKETS; i++)
        free(s->buckets[i].v);
    free(s);
}

static uint64_t hash_of(const struct submits *s, uint32_t uid, const char *id)
{
    struct hash_key key = { s->key.a, s->key.b ^ uid };
    return uti_keyed_hash(key, id, strlen(id));
}

/* submits_add - JOB, which has an id, borrowed until submits_remove or submits_forget */
static void submits_add(struct submits *s, struct job *job)
{
    uint64_t hash = hash_of(s, job->rec.JB_uid, job->rec.JB_request_id);
    struct bucket *b = &s->buckets[hash % BUCKETS];
    b->v = uti_vec_grow(b->v, &b->cap, b->n + 1, sizeof *b->v);
    b->v[b->n++] = (struct entry){ .hash = hash, .job = job };
}

/* submits_find - the job that user UID submitted with ID; NULL: none is known. O(1) */
static struct job *submits_find(const struct submits *s, uint32_t uid, const char *id)
{
    uint64_t hash = hash_of(s, uid, id);
    const struct bucket *b = &s->buckets[hash % BUCKETS];
    for (uint32_t i = 0; i < b->n; i++) {
        const struct entry *e = &b->v[i];
        if (e->hash == hash && e->job->rec.JB_uid == uid &&
            strcmp(e->job->rec.JB_request_id, id) == 0)
            return e->job;
    }
    return NULL;
}

/* N entries from number FIRST on leave B */
static void shorten_list(struct bucket *b, uint32_t first, uint32_t n)
{
    memmove(b->v + first, b->v + first + n, (b->n - first - n) * sizeof *b->v);
    b->n -= n;
    if (b->n > b->cap / SPARSE)
        return;
    b->cap = b->n;
    if (b->n > 0) {
        b->v = uti_realloc(b->v, b->n * sizeof *b->v);
        return;
    }
    free(b->v);
    b->v = NULL;
}

/* submits_remove - JOB goes. False if it was not known */
static bool submits_remove(struct submits *s, const struct job *job)
{
    struct bucket *b = &s->buckets[hash_of(s, job->rec.JB_uid, job->rec.JB_request_id) % BUCKETS];
    for (uint32_t i = 0; i < b->n; i++) {
        if (b->v[i].job != job)
            continue;
        shorten_list(b, i, 1);
        return true;
    }
    return false;
}

static uint32_t forget_in(struct bucket *b, uint64_t before_s)
{
    uint32_t n = 0;
    for (; n < b->n && b->v[n].job->rec.JB_submission_time < before_s; n++)
        cull_clear_field(&cull_JB_Type, &b->v[n].job->rec, JB_request_id);
    if (n > 0)
        shorten_list(b, 0, n);
    return n;
}

/* submits_forget - jobs submitted before BEFORE_S are not known any longer, nor are their request
 * ids; about MOST of them at a time, the next call goes on */
static void submits_forget(struct submits *s, uint64_t before_s, uint32_t most)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < BUCKETS && n < most; i++) {
        n += forget_in(&s->buckets[s->hand], before_s);
        s->hand = (s->hand + 1) % BUCKETS;
    }
}

/* ---- requests ---- */
/* REMEMBER_S: three times as long as a client retries. FORGOTTEN_MOST at a time, which takes some
 * ms, once a second: more than a qmaster can take up. */
enum {
    REMEMBER_S = 180,
    ANSWER_BYTES_MOST = 64 * 1024,
    USER_BYTES = 32 * 1024 * 1024,
    FORGOTTEN_MOST = 40000
};

struct recent_user {
    uint64_t uid;
    size_t bytes;
    TAILQ_HEAD(, known_request) oldest_first;
    UT_hash_handle hh;
};
struct known_request {
    /* packed; NULL: a request that was begun and has no whole answer, and that of a submit */
    char *answer;
    size_t answer_len; /* of a submit: 1, unless its job had to start at once and never did */
    uint64_t submitted_s;
    uint32_t job_number; /* of a submit whose job has gone; else 0 */
    bool is_spooled;
    struct recent_user *user;
    TAILQ_ENTRY(known_request) by_age, of_user;
    UT_hash_handle hh;
    char key[]; /* "uid/request id" */
};
/* what our clients make, 32 digits, has room in an object of the slab */
enum {
    KEY_BYTES = sizeof "4294967295/" + 32,
    SLAB_BYTES = sizeof(struct known_request) + KEY_BYTES
};
struct recent {
    struct submits *submits; /* whose jobs live */
    struct slab slab;        /* for requests with keys of up to KEY_BYTES */
    struct known_request *by_key;
    struct recent_user *users;
    TAILQ_HEAD(, known_request) oldest_first;
};

struct recent *recent_new(void)
{
    struct recent *r = uti_calloc(1, sizeof *r);
    r->submits = uti_calloc(1, sizeof *r->submits);
    r->submits->key = hash_key_new();
    slab_init(&r->slab, SLAB_BYTES);
    TAILQ_INIT(&r->oldest_first);
    return r;
}

static size_t bytes_of(const struct known_request *k)
{
    return sizeof *k + strlen(k->key) + 1 + k->answer_len;
}

static struct recent_user *user_get(struct recent *r, uint64_t uid)
{
    struct recent_user *u;
    HASH_FIND_U64(r->users, &uid, u);
    if (u != NULL)
        return u;
    u = uti_calloc(1, sizeof *u);
    u->uid = uid;
    TAILQ_INIT(&u->oldest_first);
    HASH_ADD_U64(r->users, uid, u);
    return u;
}

static void forget_known(struct recent *r, struct known_request *k)
{
    struct recent_user *u = k->user;
    HASH_DEL(r->by_key, k);
    TAILQ_REMOVE(&r->oldest_first, k, by_age);
    TAILQ_REMOVE(&u->oldest_first, k, of_user);
    u->bytes -= bytes_of(k);
    if (TAILQ_EMPTY(&u->oldest_first)) {
        HASH_DEL(r->users, u);
        free(u);
    }
    free(k->answer);
    if (strlen(k->key) < KEY_BYTES)
        slab_give(&r->slab, k);
    else
        free(k);
}

static void forget_durably(struct qmaster *q, struct known_request *k)
{
    if (k->is_spooled)
        change_request_gone(q, k->key);
    forget_known(q->recent, k);
}

/* room for what K's user has asked for last: K itself stays */
static void make_room(struct qmaster *q, struct known_request *k)
{
    struct recent_user *u = k->user;
    struct known_request *oldest;
    while (q->change != NULL && u->bytes > USER_BYTES &&
           (oldest = TAILQ_FIRST(&u->oldest_first)) != k)
        forget_durably(q, oldest);
}

void recent_free(struct recent *r)
{
    struct known_request *k;
    if (r == NULL)
        return;
    while ((k = TAILQ_FIRST(&r->oldest_first)) != NULL)
        forget_known(r, k);
    submits_free(r->submits);
    slab_end(&r->slab);
    free(r);
}

static struct known_request *find_key(const struct qmaster *q, const char *key)
{
    struct known_request *k = NULL;
    HASH_FIND_STR(q->recent->by_key, key, k);
    return k;
}

static struct known_request *find_known(const struct qmaster *q, uint32_t uid, const char *id)
{
    struct dstr key = DSTR_INIT;
    if (id == NULL || *id == '\0')
        return NULL;
    dstr_addf(&key, "%u/%s", uid, id);
    struct known_request *k = find_key(q, dstr_get(&key));
    dstr_free(&key);
    return k;
}

static struct known_request *known_new(struct recent *r, const char *key)
{
    size_t bytes = strlen(key) + 1;
    struct known_request *k =
        bytes <= KEY_BYTES ? slab_take(&r->slab) : uti_calloc(1, sizeof *k + bytes);
    memcpy(k->key, key, bytes);
    return k;
}

static struct known_request *add_known(struct qmaster *q, const char *key, uint32_t job_number,
                                       uint64_t submitted_s, bool is_spooled)
{
    struct known_request *k = known_new(q->recent, key);
    k->job_number = job_number;
    k->submitted_s = submitted_s;
    k->is_spooled = is_spooled;
    k->user = user_get(q->recent, strtoull(key, NULL, 10));
    HASH_ADD_KEYPTR(hh, q->recent->by_key, k->key, strlen(k->key), k);
    TAILQ_INSERT_TAIL(&q->recent->oldest_first, k, by_age);
    TAILQ_INSERT_TAIL(&k->user->oldest_first, k, of_user);
    k->user->bytes += bytes_of(k);
    make_room(q, k);
    return k;
}

static void set_answer(struct qmaster *q, struct known_request *k, char *answer, size_t len)
{
    k->user->bytes -= bytes_of(k);
    free(k->answer);
    k->answer = answer;
    k->answer_len = len;
    k->user->bytes += bytes_of(k);
    make_room(q, k);
}

void recent_add(struct qmaster *q, struct job *job)
{
    const char *id = job->rec.JB_request_id;
    if (job->rec.JB_submission_time + REMEMBER_S < q->now_s) /* read at a restart */
        cull_clear_field(&cull_JB_Type, &job->rec, JB_request_id);
    else if (id != NULL && *id != '\0' && recent_find(q, job->rec.JB_uid, id) == 0)
        submits_add(q->recent->submits, job);
}

void recent_restore(struct qmaster *q, const char *key, uint32_t job_number, uint64_t submitted_s,
                    const void *answer, size_t len)
{
    if (find_key(q, key) != NULL)
        return;
    struct known_request *k = add_known(q, key, job_number, submitted_s, true);
    if (job_number != 0) {
        k->answer_len = len > 0 ? 1 : 0;
        k->user->bytes += k->answer_len;
    }
    if (job_number != 0 || len == 0)
        return;
    char *copy = uti_alloc(len);
    memcpy(copy, answer, len);
    set_answer(q, k, copy, len);
}

static int older_first(const struct known_request *a, const struct known_request *b)
{
    return a->submitted_s < b->submitted_s ? -1 : a->submitted_s > b->submitted_s;
}

void recent_restored(struct qmaster *q)
{
    struct recent *r = q->recent;
    struct known_request *k, *next;
    struct recent_user *u, *next_user;
    HASH_SORT(r->by_key, older_first);
    TAILQ_INIT(&r->oldest_first);
    HASH_ITER(hh, r->users, u, next_user)
        TAILQ_INIT(&u->oldest_first);
    HASH_ITER(hh, r->by_key, k, next) {
        TAILQ_INSERT_TAIL(&r->oldest_first, k, by_age);
        TAILQ_INSERT_TAIL(&k->user->oldest_first, k, of_user);
    }
}

uint32_t recent_find(const struct qmaster *q, uint32_t uid, const char *id)
{
    if (id == NULL || *id == '\0')
        return 0;
    const struct job *job = submits_find(q->recent->submits, uid, id);
    const struct known_request *k = job == NULL ? find_known(q, uid, id) : NULL;
    return job != NULL ? job->rec.JB_job_number : k != NULL ? k->job_number : 0;
}

void recent_job_ended(struct qmaster *q, const struct job *job)
{
    const struct JB_Type *rec = &job->rec;
    struct dstr key = DSTR_INIT;
    if (rec->JB_request_id == NULL || !submits_remove(q->recent->submits, job))
        return;
    dstr_addf(&key, "%u/%s", rec->JB_uid, rec->JB_request_id);
    struct known_request *k =
        add_known(q, dstr_get(&key), rec->JB_job_number, rec->JB_submission_time, true);
    k->answer_len = rec->JB_is_immediate ? 0 : 1;
    k->user->bytes += k->answer_len;
    change_request(q, k->key, k->job_number, "", k->answer_len);
    dstr_free(&key);
}

bool recent_has_started(const struct qmaster *q, uint32_t uid, const char *id)
{
    const struct known_request *k = find_known(q, uid, id);
    return k != NULL && k->job_number != 0 && k->answer_len > 0;
}

void recent_expire(struct qmaster *q)
{
    struct known_request *k;
    uint64_t before_s = q->now_s - REMEMBER_S;
    for (uint32_t n = 0; n < FORGOTTEN_MOST; n++) {
        k = TAILQ_FIRST(&q->recent->oldest_first);
        if (k == NULL || k->submitted_s >= before_s)
            break;
        forget_durably(q, k);
    }
    submits_forget(q->recent->submits, before_s, FORGOTTEN_MOST);
}

/* ---- requests other than submits ---- */
bool recent_answer_again(struct qmaster *q, struct request *r)
{
    const struct known_request *k = find_known(q, r->from->who.uid, r->gr.GR_request_id);
    if (k == NULL || k->job_number != 0)
        return false;
    struct unpacker u = unpacker_over_own(k->answer, k->answer_len);
    if (k->answer == NULL)
        ans_add(&r->ans, STATUS_NOTOK_DOAGAIN, ANSWER_QUALITY_ERROR, MSG_REQUEST_CUT);
    else
        (void)cull_unpack(&u, &cull_GA_Type, NULL, NULL, &r->ga, &r->ans);
    return true;
}

static struct known_request *find_or_add(struct qmaster *q, const struct request *r)
{
    struct known_request *k = find_known(q, r->from->who.uid, r->gr.GR_request_id);
    struct dstr key = DSTR_INIT;
    if (k != NULL)
        return k;
    dstr_addf(&key, "%u/%s", r->from->who.uid, r->gr.GR_request_id);
    k = add_known(q, dstr_get(&key), 0, q->now_s, false);
    dstr_free(&key);
    return k;
}

static void spool_known(struct qmaster *q, struct known_request *k)
{
    change_request(q, k->key, 0, k->answer, k->answer_len);
    k->is_spooled = true;
}

void recent_begin(struct qmaster *q, const struct request *r)
{
    struct known_request *k = find_or_add(q, r);
    if (!k->is_spooled)
        spool_known(q, k);
}

/* has some of it been done, so that doing it again would be something else? */
static bool has_success(const struct GA_Type *ga)
{
    for (uint32_t i = 0; i < ga->GA_answers.n; i++)
        if (ga->GA_answers.v[i].AN_quality != ANSWER_QUALITY_ERROR)
            return true;
    return ga->GA_answers.n == 0;
}

/* the answer of R, or that it was too long */
static struct packer packed_answer(const struct request *r)
{
    struct packer p = { 0 };
    struct GA_Type instead = { 0 };
    cull_pack(&p, &cull_GA_Type, &r->ga, NULL);
    if (p.len <= ANSWER_BYTES_MOST)
        return p;
    packer_free(&p);
    struct AN_Type *a = cull_append(&instead, GA_answers);
    cull_set(a, AN_status, (uint32_t)STATUS_OK);
    cull_set(a, AN_quality, (uint32_t)ANSWER_QUALITY_INFO);
    cull_set(a, AN_text, MSG_ANSWER_LONG);
    p = (struct packer){ 0 };
    cull_pack(&p, &cull_GA_Type, &instead, NULL);
    cull_clear(&cull_GA_Type, &instead);
    return p;
}

void recent_keep(struct qmaster *q, const struct request *r)
{
    struct known_request *k = find_known(q, r->from->who.uid, r->gr.GR_request_id);
    if (k == NULL && !has_success(&r->ga))
        return; /* nothing was done: it may be tried again */
    k = find_or_add(q, r);
    struct packer p = packed_answer(r);
    set_answer(q, k, (char *)p.data, p.len);
    spool_known(q, k);
}
