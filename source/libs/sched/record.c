/* Records of a scheduler, written and replayed. Owns their form. Pure. */
#include "libs/sched/record.h"

#include <string.h>

#include "libs/sched/msg_sched.h"
#include "libs/sgeobj/event.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

enum record_kind { RECORD_BEGIN = 1, RECORD_EVENT, RECORD_DECISIONS, RECORD_REFUSAL };
enum { HEADER_BYTES = 5 };
static const char magic[] = "SGESCHED"; /* then the id of the tables */

/* ---- writing ---- */
static void pack_u64be(struct packer *p, uint64_t v)
{
    pack_u32be(p, (uint32_t)(v >> 32));
    pack_u32be(p, (uint32_t)v);
}

void record_greet(struct packer *p)
{
    pack_bytes(p, magic, sizeof magic - 1);
    pack_u64be(p, cull_schema_id(sgeobj_schema()));
}

/* returns where the frame begins: end_frame */
static size_t begin_frame(struct packer *p, enum record_kind kind)
{
    size_t at = p->len;
    pack_u8(p, (uint8_t)kind);
    pack_u32be(p, 0);
    return at;
}

static void end_frame(struct packer *p, size_t at)
{
    size_t bytes = p->len - at - HEADER_BYTES;
    for (unsigned i = 0; i < sizeof(uint32_t); i++)
        p->data[at + HEADER_BYTES - 1 - i] = (uint8_t)(bytes >> (8 * i));
}

void record_begin(struct packer *p, uint64_t slice_looks)
{
    size_t at = begin_frame(p, RECORD_BEGIN);
    pack_varint(p, slice_looks);
    end_frame(p, at);
}

void record_event(struct packer *p, const struct EV_Type *event)
{
    size_t at = begin_frame(p, RECORD_EVENT);
    cull_pack(p, &cull_EV_Type, event, NULL);
    end_frame(p, at);
}

void record_decisions(struct packer *p, uint64_t now_s, uint32_t most,
                      const struct OR_Type_list *orders)
{
    size_t at = begin_frame(p, RECORD_DECISIONS);
    pack_varint(p, now_s);
    pack_varint(p, most);
    pack_varint(p, orders->n);
    for (uint32_t i = 0; i < orders->n; i++)
        cull_pack(p, &cull_OR_Type, &orders->v[i], NULL);
    end_frame(p, at);
}

void record_refusal(struct packer *p, const struct OR_Type *order)
{
    size_t at = begin_frame(p, RECORD_REFUSAL);
    cull_pack(p, &cull_OR_Type, order, NULL);
    end_frame(p, at);
}

/* ---- replaying ---- */
static int fail_malformed(const struct record_replay *r, struct answer *ans)
{
    return ans_fail(ans, STATUS_EPROTO, MSG_RECORD_MALFORMED_UU, (unsigned long long)r->n_events,
                    (unsigned long long)r->n_decisions);
}

static int replay_begin(struct record_replay *r, struct unpacker *u)
{
    sched_free(r->sched);
    r->sched = sched_new();
    r->n_schedulers++;
    sched_set_slice(r->sched, unpack_varint(u));
    return 0;
}

static int replay_event(struct record_replay *r, struct unpacker *u, struct answer *ans)
{
    struct EV_Type event = { 0 };
    struct answer said = ANSWER_INIT; /* warnings were for the log */
    int rc = cull_unpack(u, &cull_EV_Type, NULL, NULL, &event, ans);
    if (rc == 0) {
        rc = sched_apply(r->sched, &event, &said);
        r->n_events++;
    }
    if (rc < 0 && !ans_has_error(ans))
        ans_move(ans, &said);
    ans_free(&said);
    cull_clear(&cull_EV_Type, &event);
    return rc;
}

static int replay_refusal(struct record_replay *r, struct unpacker *u, struct answer *ans)
{
    struct OR_Type order = { 0 };
    if (cull_unpack(u, &cull_OR_Type, NULL, NULL, &order, ans) < 0)
        return -1;
    sched_refused(r->sched, &order);
    cull_clear(&cull_OR_Type, &order);
    return 0;
}

static int fail_other(const struct record_replay *r, uint32_t order, struct answer *ans)
{
    return ans_fail(ans, STATUS_ESEMANTIC, MSG_RECORD_OTHER_UUU, (unsigned long long)r->n_decisions,
                    (unsigned long long)r->now_s, order + 1);
}

/* the next of the recorded orders against ORDER, the one of that number now */
static int compare_order(const struct record_replay *r, struct unpacker *u, uint32_t number,
                         const struct OR_Type *order, struct answer *ans)
{
    struct OR_Type was = { 0 };
    if (cull_unpack(u, &cull_OR_Type, NULL, NULL, &was, ans) < 0)
        return -1;
    bool is_same = order != NULL && cull_equal(&cull_OR_Type, &was, order);
    cull_clear(&cull_OR_Type, &was);
    return is_same ? 0 : fail_other(r, number, ans);
}

static int replay_decisions(struct record_replay *r, struct unpacker *u, struct answer *ans)
{
    struct OR_Type_list orders = { 0 };
    r->now_s = unpack_varint(u);
    uint32_t most = unpack_varint32(u), n = unpack_varint32(u);
    if (u->is_bad)
        return fail_malformed(r, ans);
    (void)sched_decide(r->sched, r->now_s, most, &orders);
    r->n_decisions++;
    r->n_orders += orders.n;
    int rc = 0;
    for (uint32_t i = 0; i < n && rc == 0; i++)
        rc = compare_order(r, u, i, i < orders.n ? &orders.v[i] : NULL, ans);
    if (rc == 0 && orders.n > n)
        rc = fail_other(r, n, ans);
    cull_list_clear(&cull_OR_Type, (struct cull_list *)&orders);
    return rc;
}

static int replay_frame(struct record_replay *r, uint8_t kind, struct unpacker *u,
                        struct answer *ans)
{
    int rc = -1;
    if (kind == RECORD_BEGIN)
        rc = replay_begin(r, u);
    else if (r->sched != NULL && kind == RECORD_EVENT)
        rc = replay_event(r, u, ans);
    else if (r->sched != NULL && kind == RECORD_DECISIONS)
        rc = replay_decisions(r, u, ans);
    else if (r->sched != NULL && kind == RECORD_REFUSAL)
        rc = replay_refusal(r, u, ans);
    bool is_malformed = rc < 0 ? !ans_has_error(ans) : u->is_bad || unpack_left(u) > 0;
    return is_malformed ? fail_malformed(r, ans) : rc;
}

static int read_greeting(struct unpacker *u, struct answer *ans)
{
    const uint8_t *begin = unpack_bytes(u, sizeof magic - 1);
    if (begin == NULL || memcmp(begin, magic, sizeof magic - 1) != 0)
        return ans_fail(ans, STATUS_EPROTO, MSG_RECORD_NONE);
    uint64_t id = (uint64_t)unpack_u32be(u) << 32;
    id |= unpack_u32be(u);
    if (u->is_bad || id != cull_schema_id(sgeobj_schema()))
        return ans_fail(ans, STATUS_EPROTO, MSG_RECORD_VERSION);
    return 0;
}

int record_replay(const void *data, size_t bytes, struct record_replay *out, struct answer *ans)
{
    struct unpacker u = unpacker_over_own(data, bytes);
    *out = (struct record_replay){ 0 };
    if (read_greeting(&u, ans) < 0)
        return -1;
    for (;;) {
        out->left_bytes = unpack_left(&u);
        if (out->left_bytes < HEADER_BYTES)
            return 0;
        uint8_t kind = unpack_u8(&u);
        uint32_t len = unpack_u32be(&u);
        if (len > RECORD_CONTENT_MOST)
            return fail_malformed(out, ans);
        if (len > unpack_left(&u))
            return 0;
        struct unpacker content = unpacker_over_own(unpack_bytes(&u, len), len);
        if (replay_frame(out, kind, &content, ans) < 0)
            return -1;
    }
}

void record_replay_free(struct record_replay *r)
{
    sched_free(r->sched);
    *r = (struct record_replay){ 0 };
}
