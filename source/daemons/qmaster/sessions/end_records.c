/* Keys and records of kept ends. */
#include "daemons/qmaster/sessions/end_records.h"

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/marks.h"
#include "libs/spool/records.h"

void end_key(struct packer *key, const struct end_place *p)
{
    pack_u32be(key, (uint32_t)(p->session >> 32));
    pack_u32be(key, (uint32_t)p->session);
    pack_u32be(key, p->job);
    pack_u32be(key, p->low);
}

bool end_key_read(const void *key, size_t len, struct end_place *out)
{
    struct unpacker u = unpacker_over_own(key, len);
    out->session = (uint64_t)unpack_u32be(&u) << 32;
    out->session |= unpack_u32be(&u);
    out->job = unpack_u32be(&u);
    out->low = unpack_u32be(&u);
    return !u.is_bad && len == END_KEY_BYTES;
}

void end_put(struct qmaster *q, enum spool_table table, const struct end_place *p,
             const struct EN_Type *end)
{
    struct packer key = { 0 }, value = { 0 };
    end_key(&key, p);
    spool_record_pack(q->records, &value, (struct spool_key){ table, key.data, key.len },
                      &cull_EN_Type, end);
    batch_put(change_batch(q), table, &key, &value);
}

void end_del(struct qmaster *q, enum spool_table table, const struct end_place *p)
{
    struct packer key = { 0 };
    end_key(&key, p);
    spool_record_gone(q->records, (struct spool_key){ table, key.data, key.len });
    batch_del(change_batch(q), table, &key);
}

int end_read(struct qmaster *q, enum spool_table table, const struct end_place *p,
             const void *value, size_t len, struct EN_Type *end, struct answer *ans)
{
    struct packer key = { 0 };
    end_key(&key, p);
    int rc = spool_record_read(q->records, (struct spool_key){ table, key.data, key.len },
                               &cull_EN_Type, q->jobs.pool, value, len, end, ans);
    packer_free(&key);
    return rc;
}
