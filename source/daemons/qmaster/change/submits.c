/* A table of BUCKETS short lists, which never grows as a whole: a million ids would have to move in
 * one step. In a list the oldest stand first, as they came; it is searched from end to end, 16
 * bytes for each entry, and gives its memory back as it empties. The hash is keyed, because clients
 * choose their ids. */
#include "daemons/qmaster/change/submits.h"

#include <stdlib.h>

#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"

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

struct submits *submits_new(void)
{
    struct submits *s = uti_calloc(1, sizeof *s);
    s->key = hash_key_new();
    return s;
}

void submits_free(struct submits *s)
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

void submits_add(struct submits *s, struct job *job)
{
    uint64_t hash = hash_of(s, job->rec.JB_uid, job->rec.JB_request_id);
    struct bucket *b = &s->buckets[hash % BUCKETS];
    b->v = uti_vec_grow(b->v, &b->cap, b->n + 1, sizeof *b->v);
    b->v[b->n++] = (struct entry){ .hash = hash, .job = job };
}

struct job *submits_find(const struct submits *s, uint32_t uid, const char *id)
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

bool submits_remove(struct submits *s, const struct job *job)
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

void submits_forget(struct submits *s, uint64_t before_s, uint32_t most)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < BUCKETS && n < most; i++) {
        n += forget_in(&s->buckets[s->hand], before_s);
        s->hand = (s->hand + 1) % BUCKETS;
    }
}
