/* Schemas by number, records read through them, and what was kept of fields that we do not know.
 * Invariants: `v` ascends by number and has our schema, which alone has no map; a record in `kept`
 * is in the group of its table and of the first four bytes of its key. */
#include "libs/spool/records.h"

#include <stdlib.h>
#include <string.h>

#include "libs/spool/msg_spool.h"
#include "libs/uti/answer.h"
#include "libs/uti/hash.h"

/* as many releases may have written one record without knowing each other's fields */
enum { LEVELS_MOST = 64 };

struct schema {
    uint32_t number;
    char *release;        /* that wrote with it first */
    struct cull_map *map; /* NULL: it is ours */
};
struct kept {
    uint8_t *bytes; /* the blobs that spool_record_end writes */
    size_t len;
    UT_hash_handle hh;
    uint8_t key[];
};
struct group_id { /* hashed as bytes: no padding */
    uint32_t table;
    uint8_t prefix[4]; /* of keys; zeros behind a shorter one */
};
struct group {
    struct group_id id;
    struct kept *all;
    UT_hash_handle hh;
};
struct spool_records {
    const struct cull_schema *ours;
    struct packer packed; /* OURS, for comparing */
    const char *release;
    struct schema *v;
    uint32_t n, cap;
    uint32_t own; /* number of ours */
    bool is_stored;
    struct group *groups;
    uint32_t n_kept;
};

/* ---- schemas ---- */

static void add_schema(struct spool_records *r, uint32_t number, char *release,
                       struct cull_map *map)
{
    r->v = uti_vec_grow(r->v, &r->cap, r->n + 1, sizeof *r->v);
    r->v[r->n++] = (struct schema){ number, release, map };
}

struct opening {
    struct spool_records *r;
    struct answer *ans;
};

static int on_schema(void *ctx, const void *key, size_t key_len, const void *value, size_t len)
{
    struct opening *op = ctx;
    struct spool_records *r = op->r;
    struct unpacker k = unpacker_over_own(key, key_len), u = unpacker_over_own(value, len);
    uint32_t number = unpack_u32be(&k);
    char *release = unpack_string(&u);
    struct cull_map *map = NULL;
    bool is_ours =
        unpack_left(&u) == r->packed.len && memcmp(u.at, r->packed.data, r->packed.len) == 0;
    if (key_len == 4 && release != NULL && !is_ours)
        map = cull_map_new(&u, r->ours, NULL);
    if (key_len != 4 || release == NULL || (!is_ours && map == NULL)) {
        free(release);
        return ans_fail(op->ans, STATUS_EPROTO, MSG_SPOOL_SCHEMA_MALFORMED_U, number);
    }
    add_schema(r, number, release, map);
    if (is_ours)
        r->own = number;
    return 0;
}

struct spool_records *spool_records_open(struct spool *s, const struct cull_schema *ours,
                                         const char *release, struct answer *ans)
{
    struct spool_records *r = uti_calloc(1, sizeof *r);
    r->ours = ours;
    r->release = release;
    cull_schema_pack(&r->packed, ours);
    if (spool_walk(s, SPOOL_SCHEMA, on_schema, &(struct opening){ r, ans }, ans) != 0) {
        spool_records_free(r);
        return NULL;
    }
    r->is_stored = r->own != 0;
    if (!r->is_stored) {
        r->own = r->n > 0 ? r->v[r->n - 1].number + 1 : 1;
        add_schema(r, r->own, uti_strdup(release), NULL);
    }
    return r;
}

static void drop_group(struct spool_records *r, struct group *g);

void spool_records_free(struct spool_records *r)
{
    struct group *g, *next;
    if (r == NULL)
        return;
    HASH_ITER(hh, r->groups, g, next)
        drop_group(r, g);
    for (uint32_t i = 0; i < r->n; i++) {
        cull_map_free(r->v[i].map);
        free(r->v[i].release);
    }
    free(r->v);
    packer_free(&r->packed);
    free(r);
}

/* is release A newer than B? Numbers between dots */
static bool is_newer(const char *a, const char *b)
{
    char *end_a, *end_b;
    do {
        unsigned long x = strtoul(a, &end_a, 10), y = strtoul(b, &end_b, 10);
        if (x != y)
            return x > y;
        a = end_a + (*end_a == '.');
        b = end_b + (*end_b == '.');
    } while (end_a != a || end_b != b);
    return false;
}

const char *spool_records_newer(const struct spool_records *r)
{
    const char *newest = r->release;
    for (uint32_t i = 0; i < r->n; i++)
        if (r->v[i].map != NULL && is_newer(r->v[i].release, newest))
            newest = r->v[i].release;
    return newest != r->release ? newest : NULL;
}

void spool_records_stage(const struct spool_records *r, struct spool_batch *b)
{
    struct packer key = { 0 }, value = { 0 };
    if (r->is_stored)
        return;
    pack_u32be(&key, r->own);
    pack_string(&value, r->release);
    pack_bytes(&value, r->packed.data, r->packed.len);
    spool_put(b, SPOOL_SCHEMA, key.data, key.len, value.data, value.len);
    packer_free(&key);
    packer_free(&value);
}

static const struct schema *find_schema(const struct spool_records *r, uint32_t number)
{
    for (uint32_t i = 0; i < r->n; i++)
        if (r->v[i].number == number)
            return &r->v[i];
    return NULL;
}

/* ---- what is kept ---- */

static struct group_id group_of(struct spool_key key)
{
    struct group_id id = { .table = key.table };
    memcpy(id.prefix, key.bytes, key.len < sizeof id.prefix ? key.len : sizeof id.prefix);
    return id;
}

static struct group *find_group(const struct spool_records *r, struct group_id id)
{
    struct group *g = NULL;
    HASH_FIND(hh, r->groups, &id, sizeof id, g);
    return g;
}

static struct kept *find_kept(const struct group *g, struct spool_key key)
{
    struct kept *k = NULL;
    if (g != NULL)
        HASH_FIND(hh, g->all, key.bytes, key.len, k);
    return k;
}

static void drop_kept(struct spool_records *r, struct group *g, struct kept *k)
{
    HASH_DEL(g->all, k);
    free(k->bytes);
    free(k);
    r->n_kept--;
}

static void drop_group(struct spool_records *r, struct group *g)
{
    struct kept *k, *next;
    HASH_ITER(hh, g->all, k, next)
        drop_kept(r, g, k);
    HASH_DEL(r->groups, g);
    free(g);
}

/* BYTES are taken */
static void keep_bytes(struct spool_records *r, struct spool_key key, struct packer *bytes)
{
    struct group_id id = group_of(key);
    struct group *g = find_group(r, id);
    if (g == NULL) {
        g = uti_calloc(1, sizeof *g);
        g->id = id;
        HASH_ADD(hh, r->groups, id, sizeof g->id, g);
    }
    struct kept *k = find_kept(g, key);
    if (k == NULL) {
        k = uti_calloc(1, sizeof *k + key.len);
        memcpy(k->key, key.bytes, key.len);
        HASH_ADD_KEYPTR(hh, g->all, k->key, key.len, k);
        r->n_kept++;
    }
    free(k->bytes);
    k->bytes = bytes->data;
    k->len = bytes->len;
}

uint32_t spool_records_kept(const struct spool_records *r)
{
    return r->n_kept;
}

void spool_record_gone(struct spool_records *r, struct spool_key key)
{
    struct group *g = r->groups != NULL ? find_group(r, group_of(key)) : NULL;
    struct kept *k = find_kept(g, key);
    if (k != NULL)
        drop_kept(r, g, k);
    if (k != NULL && g->all == NULL)
        drop_group(r, g);
}

void spool_records_gone(struct spool_records *r, enum spool_table table, uint32_t job)
{
    struct packer key = { 0 };
    if (r->groups == NULL)
        return;
    pack_u32be(&key, job);
    struct group *g = find_group(r, group_of((struct spool_key){ table, key.data, key.len }));
    packer_free(&key);
    if (g != NULL)
        drop_group(r, g);
}

/* ---- records ---- */

struct reading {
    struct spool_records *r;
    const struct cull_type *t;
    struct cull_pool *pool;
    struct unpacker *rest; /* blobs of earlier states */
    unsigned levels;
    struct packer kept;
    struct answer *ans;
};

static int read_level(struct reading *rd, struct unpacker *u, void *o);

/* what the sender of MAP did not know of O, from the states before */
static int fill_from_earlier(struct reading *rd, const struct cull_map *map, void *o)
{
    size_t len;
    const uint8_t *blob = unpack_blob(rd->rest, &len);
    if (blob == NULL || ++rd->levels > LEVELS_MOST)
        return ans_fail(rd->ans, STATUS_EPROTO, MSG_SPOOL_RECORD_TAIL_S, rd->t->name);
    struct unpacker u = unpacker_over_own(blob, len);
    void *earlier = cull_new(rd->t);
    int ret = read_level(rd, &u, earlier);
    if (ret == 0)
        cull_fill_gaps(map, rd->t, o, earlier);
    cull_delete(rd->t, earlier);
    return ret;
}

/* one state of the record, completed by those before it */
static int read_level(struct reading *rd, struct unpacker *u, void *o)
{
    const uint8_t *begin = u->at;
    uint32_t number = unpack_varint32(u);
    const struct schema *s = find_schema(rd->r, number);
    if (s == NULL)
        return ans_fail(rd->ans, STATUS_EPROTO, MSG_SPOOL_SCHEMA_MISSING_SU, rd->t->name, number);
    if (cull_unpack(u, rd->t, s->map, rd->pool, o, rd->ans) != 0)
        return -1;
    if (u->has_skipped)
        pack_blob(&rd->kept, begin, (size_t)(u->at - begin));
    if (s->map != NULL && unpack_left(rd->rest) > 0)
        return fill_from_earlier(rd, s->map, o);
    /* a state that we wrote has all that we know: what is before it was kept by us */
    pack_bytes(&rd->kept, rd->rest->at, unpack_left(rd->rest));
    return 0;
}

int spool_record_read(struct spool_records *r, struct spool_key key, const struct cull_type *t,
                      struct cull_pool *pool, const void *value, size_t len, void *o,
                      struct answer *ans)
{
    struct unpacker u = unpacker_over_own(value, len);
    struct reading rd = { .r = r, .t = t, .pool = pool, .rest = &u, .ans = ans };
    int ret = read_level(&rd, &u, o);
    if (ret == 0 && rd.kept.len > 0) {
        keep_bytes(r, key, &rd.kept);
        return 0;
    }
    packer_free(&rd.kept);
    if (ret != 0)
        cull_clear(t, o);
    return ret;
}

void spool_record_begin(const struct spool_records *r, struct packer *p)
{
    pack_varint(p, r->own);
}

void spool_record_end(const struct spool_records *r, struct packer *p, struct spool_key key)
{
    if (r->groups == NULL)
        return;
    const struct kept *k = find_kept(find_group(r, group_of(key)), key);
    if (k != NULL)
        pack_bytes(p, k->bytes, k->len);
}

void spool_record_pack(const struct spool_records *r, struct packer *p, struct spool_key key,
                       const struct cull_type *t, const void *o)
{
    spool_record_begin(r, p);
    cull_pack_spool(p, t, o);
    spool_record_end(r, p, key);
}
