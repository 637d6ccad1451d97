/* Remembered request ids, oldest first. */
#include "daemons/qmaster/recent.h"

#include <stdlib.h>

#include "daemons/qmaster/change.h"
#include "libs/uti/alloc.h"

enum { REMEMBER_S = 180 }; /* three times as long as a client retries */

struct known_request {
    char *id;
    uint32_t job_number;
    uint64_t submitted_s;
    bool is_spooled;
    TAILQ_ENTRY(known_request) by_age;
    UT_hash_handle hh;
};
struct recent {
    struct known_request *by_id;
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
    HASH_DEL(r->by_id, k);
    TAILQ_REMOVE(&r->oldest_first, k, by_age);
    free(k->id);
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

static struct known_request *find(const struct qmaster *q, const char *id)
{
    struct known_request *k = NULL;
    if (id != NULL)
        HASH_FIND_STR(q->recent->by_id, id, k);
    return k;
}

void recent_add(struct qmaster *q, const char *id, uint32_t job_number, uint64_t submitted_s, bool is_spooled)
{
    if (id == NULL || *id == '\0' || find(q, id) != NULL)
        return;
    struct known_request *k = uti_calloc(1, sizeof *k);
    k->id = uti_strdup(id);
    k->job_number = job_number;
    k->submitted_s = submitted_s;
    k->is_spooled = is_spooled;
    HASH_ADD_KEYPTR(hh, q->recent->by_id, k->id, strlen(k->id), k);
    TAILQ_INSERT_TAIL(&q->recent->oldest_first, k, by_age);
}

uint32_t recent_find(const struct qmaster *q, const char *id)
{
    struct known_request *k = find(q, id);
    return k != NULL ? k->job_number : 0;
}

void recent_job_ended(struct qmaster *q, const struct job *job)
{
    struct known_request *k = find(q, job->rec.JB_request_id);
    if (k == NULL || k->is_spooled)
        return;
    change_request(q, k->id, k->job_number);
    k->is_spooled = true;
}

void recent_expire(struct qmaster *q)
{
    struct known_request *k;
    while ((k = TAILQ_FIRST(&q->recent->oldest_first)) != NULL && k->submitted_s + REMEMBER_S < q->now_s) {
        if (k->is_spooled)
            change_request_gone(q, k->id);
        forget(q->recent, k);
    }
}
