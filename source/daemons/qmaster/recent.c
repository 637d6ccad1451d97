/* Remembered request ids, oldest first. */
#include "daemons/qmaster/recent.h"

#include <stdlib.h>

#include "daemons/qmaster/change.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

enum { REMEMBER_S = 180 }; /* three times as long as a client retries */

struct known_request {
    char *key; /* "uid/request id" */
    uint32_t job_number;
    uint64_t submitted_s;
    bool is_spooled;
    TAILQ_ENTRY(known_request) by_age;
    UT_hash_handle hh;
};
struct recent {
    struct known_request *by_key;
    TAILQ_HEAD(, known_request) oldest_first;
};

struct recent *recent_new(void)
{
    struct recent *r = uti_calloc(1, sizeof *r);
    TAILQ_INIT(&r->oldest_first);
    return r;
}

static void forget(struct recent *r, struct known_request *k)
{
    HASH_DEL(r->by_key, k);
    TAILQ_REMOVE(&r->oldest_first, k, by_age);
    free(k->key);
    free(k);
}

void recent_free(struct recent *r)
{
    struct known_request *k;
    if (r == NULL)
        return;
    while ((k = TAILQ_FIRST(&r->oldest_first)) != NULL)
        forget(r, k);
    free(r);
}

static struct known_request *find_key(const struct qmaster *q, const char *key)
{
    struct known_request *k = NULL;
    HASH_FIND_STR(q->recent->by_key, key, k);
    return k;
}

static struct known_request *find(const struct qmaster *q, uint32_t uid, const char *id)
{
    struct dstr key = DSTR_INIT;
    if (id == NULL || *id == '\0')
        return NULL;
    dstr_addf(&key, "%u/%s", uid, id);
    struct known_request *k = find_key(q, dstr_get(&key));
    dstr_free(&key);
    return k;
}

static void add(struct qmaster *q, char *key, uint32_t job_number, uint64_t submitted_s,
                bool is_spooled)
{
    struct known_request *k = uti_calloc(1, sizeof *k);
    k->key = key;
    k->job_number = job_number;
    k->submitted_s = submitted_s;
    k->is_spooled = is_spooled;
    HASH_ADD_KEYPTR(hh, q->recent->by_key, k->key, strlen(k->key), k);
    TAILQ_INSERT_TAIL(&q->recent->oldest_first, k, by_age);
}

void recent_add(struct qmaster *q, uint32_t uid, const char *id, uint32_t job_number,
                uint64_t submitted_s)
{
    struct dstr key = DSTR_INIT;
    if (submitted_s + REMEMBER_S < q->now_s) /* read at a restart: nobody asks for it any more */
        return;
    if (id == NULL || *id == '\0' || find(q, uid, id) != NULL)
        return;
    dstr_addf(&key, "%u/%s", uid, id);
    add(q, dstr_take(&key), job_number, submitted_s, false);
}

void recent_restore(struct qmaster *q, const char *key, uint32_t job_number, uint64_t submitted_s)
{
    if (find_key(q, key) == NULL)
        add(q, uti_strdup(key), job_number, submitted_s, true);
}

uint32_t recent_find(const struct qmaster *q, uint32_t uid, const char *id)
{
    struct known_request *k = find(q, uid, id);
    return k != NULL ? k->job_number : 0;
}

void recent_job_ended(struct qmaster *q, const struct job *job)
{
    struct known_request *k = find(q, job->rec.JB_uid, job->rec.JB_request_id);
    if (k == NULL || k->is_spooled)
        return;
    change_request(q, k->key, k->job_number);
    k->is_spooled = true;
}

void recent_expire(struct qmaster *q)
{
    struct known_request *k;
    while ((k = TAILQ_FIRST(&q->recent->oldest_first)) != NULL &&
           k->submitted_s + REMEMBER_S < q->now_s) {
        if (k->is_spooled)
            change_request_gone(q, k->key);
        forget(q->recent, k);
    }
}
