/* What is taken of resource quotas: GET of GDI_QUOTA, for qquota(1). A walk over the book makes a
 * record for each limited resource of which something is taken, as many as a slice has time for;
 * the rest goes in further parts. */
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/jobs/quotas.h"
#include "daemons/qmaster/requests/reads/reads.h"
#include "daemons/qmaster/tables/connection.h"
#include "libs/config/complex.h"
#include "libs/resource/consumption.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

enum { PART_MEMBERS = 500 };

struct quota_read {
    struct piece piece; /* waits in the lane of the connection that asked */
    uint64_t conn;
    uint32_t serial;
    bool has_begun;
    struct quota_walk walk;
};

static void add_entry(struct TX_Type *tx, const char *name, const char *value)
{
    struct VA_Type *va = cull_append(tx, TX_entries);
    cull_set(va, VA_variable, name);
    cull_set(va, VA_value, value);
}

static void add_amount(struct TX_Type *tx, const char *name, uint32_t type, uint64_t amount)
{
    struct dstr text = DSTR_INIT;
    if (amount == AMOUNT_UNLIMITED)
        dstr_add(&text, "INFINITY");
    else
        amount_add_text(type, (int64_t)amount, &text);
    add_entry(tx, name, dstr_get(&text));
    dstr_free(&text);
}

/* for programs; nothing for any amount */
static void add_number(struct TX_Type *tx, const char *name, uint32_t type, uint64_t amount)
{
    enum { DOUBLE_UNITS = 1000000 };
    struct dstr text = DSTR_INIT;
    if (amount == AMOUNT_UNLIMITED)
        return;
    if (type == COMPLEX_DOUBLE)
        dstr_add_decimal(&text, (double)amount / DOUBLE_UNITS, 6);
    else
        dstr_addf(&text, "%llu", (unsigned long long)amount);
    add_entry(tx, name, dstr_get(&text));
    dstr_free(&text);
}

/* among all rules: lists are in this order */
static void add_place(struct TX_Type *tx, uint32_t number)
{
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "%u", number);
    add_entry(tx, "place", dstr_get(&text));
    dstr_free(&text);
}

static void add_limit(struct qmaster *q, struct GA_Type *ga, const struct quota_member *m,
                      uint32_t i)
{
    const struct quota_limit *limit = &m->rule->limits[i];
    struct load_source values = quotas_values(q, m->values[QUOTA_HOSTS]);
    struct TX_Type *tx = cull_append(ga, GA_texts);
    cull_set(tx, TX_kind, (uint32_t)GDI_RQS);
    cull_set(tx, TX_name, m->rule->label);
    for (int k = 0; k < QUOTA_FILTERS; k++) {
        const char *filter = m->values[k] != NULL ? m->values[k] : m->rule->filters[k];
        if (filter != NULL)
            add_entry(tx, quota_filter_words[k], filter);
        if (m->values[k] != NULL)
            add_entry(tx, "expanded", quota_filter_words[k]);
    }
    add_place(tx, m->rule->number);
    add_entry(tx, "resource", limit->resource);
    uint32_t type = limit->ce->CE_valtype;
    uint64_t most = quota_limit_amount(limit, &values);
    add_amount(tx, "limit", type, most);
    add_amount(tx, "value", type, quota_booked(m, limit));
    add_number(tx, "limit_number", type, most);
    add_number(tx, "value_number", type, quota_booked(m, limit));
}

/* true when it is the last part */
static bool make_part(struct qmaster *q, struct quota_walk *walk, struct GA_Type *ga)
{
    for (uint32_t n = 0; walk->next != NULL; n++) {
        if (n > 0 && (n >= PART_MEMBERS || slice_is_over(q)))
            return false;
        const struct quota_member *m = quota_walk_take(walk);
        for (uint32_t i = 0; i < m->rule->n_limits; i++)
            if (quota_booked(m, &m->rule->limits[i]) > 0)
                add_limit(q, ga, m, i);
    }
    return true;
}

/* false: the tasks that run are being counted */
static bool begin_walk(struct qmaster *q, struct quota_read *rd)
{
    struct quota_book *b = quotas_now(q, &rd->has_begun);
    if (b != NULL && rd->has_begun)
        quota_walk_begin(b, &rd->walk);
    return rd->has_begun;
}

static void quota_read_free(struct piece *p)
{
    struct quota_read *rd = (struct quota_read *)p;
    quota_walk_end(&rd->walk);
    free(rd);
}

/* tasks may have started or ended in the batch that is being made: the part leaves after it */
static bool go_on(struct qmaster *q, struct piece *p)
{
    struct quota_read *rd = (struct quota_read *)p;
    struct GA_Type ga = { 0 };
    if (!rd->has_begun && !begin_walk(q, rd))
        return false;
    bool is_last = make_part(q, &rd->walk, &ga);
    if (is_last)
        cull_set(&ga, GA_is_last, true);
    change_answer(q, change_number(q), rd->conn, rd->serial, &ga);
    return is_last;
}

static const struct piece_kind quota_read_kind = { "a part of an answer", go_on, quota_read_free };

void get_quotas_request(struct qmaster *q, struct request *r)
{
    struct quota_read *rd = uti_calloc(1, sizeof *rd);
    (void)q;
    rd->piece.kind = &quota_read_kind;
    rd->conn = r->from->conn;
    rd->serial = r->serial;
    lane_put_piece(r->from->lane, &rd->piece);
    r->is_answered_later = true;
}
