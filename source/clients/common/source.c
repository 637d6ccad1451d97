/* Answers in one piece, for what is small: queues, hosts, configurations. Long lists of jobs are
 * taken part by part. */
#include "clients/common/source.h"

#include <netdb.h>
#include <stddef.h>

#include "clients/common/printable.h"
#include "libs/config/complex.h"
#include "libs/config/object.h"
#include "libs/gdi/cell.h"
#include "libs/gdi/client.h"
#include "libs/gdi/message.h"
#include "libs/uti/answer.h"

struct cleaning {
    answer_part_fn part;
    void *ctx;
};

static int clean_part(void *ctx, const struct GA_Type *part, struct answer *ans)
{
    const struct cleaning *c = ctx;
    if (record_is_printable(&cull_GA_Type, part))
        return c->part(c->ctx, part, ans);
    struct GA_Type clean = { 0 };
    cull_copy(&cull_GA_Type, &clean, part);
    record_make_printable(&cull_GA_Type, &clean);
    int result = c->part(c->ctx, &clean, ans);
    cull_clear(&cull_GA_Type, &clean);
    return result;
}

int source_ask(const struct source *from, struct GR_Type *request, answer_part_fn part, void *ctx,
               struct answer *ans)
{
    if (from->is_raw || part == NULL)
        return from->get(from->state, request, part, ctx, ans);
    struct cleaning c = { .part = part, .ctx = ctx };
    return from->get(from->state, request, clean_part, &c, ans);
}

static int keep_part(void *ctx, const struct GA_Type *part, struct answer *ans SGE_UNUSED)
{
    (void)gather_part(ctx, part);
    return 0;
}

struct GA_Type *source_get_all(const struct source *from, struct GR_Type *request,
                               struct answer *ans)
{
    struct GA_Type *all = cull_new(&cull_GA_Type);
    if (source_ask(from, request, keep_part, all, ans) < 0) {
        cull_delete(&cull_GA_Type, all);
        return NULL;
    }
    return all;
}

struct GA_Type *source_get_target(const struct source *from, enum gdi_target target,
                                  struct answer *ans)
{
    static const char *const all_fields[] = { NULL };
    return source_get_fields(from, target, all_fields, ans);
}

struct GA_Type *source_get_fields(const struct source *from, enum gdi_target target,
                                  const char *const *fields, struct answer *ans)
{
    struct GR_Type request = { 0 };
    cull_set(&request, GR_verb, (uint32_t)GDI_GET);
    cull_set(&request, GR_target, (uint32_t)target);
    for (; *fields != NULL; fields++)
        request_field(&request, *fields);
    struct GA_Type *all = source_get_all(from, &request, ans);
    cull_clear(&cull_GR_Type, &request);
    return all;
}

void request_user(struct GR_Type *request, const char *user)
{
    struct ST_Type *entry = cull_append(request, GR_users);
    cull_set(entry, ST_name, user);
}

void request_field(struct GR_Type *request, const char *field)
{
    struct ST_Type *entry = cull_append(request, GR_fields);
    cull_set(entry, ST_name, field);
}

struct handing {
    answer_part_fn part;
    void *ctx;
    struct answer *ans;
};

static int hand_over(void *ctx, const struct GA_Type *part)
{
    struct handing *h = ctx;
    return h->part != NULL ? h->part(h->ctx, part, h->ans) : 0;
}

static int ask_qmaster(void *state, struct GR_Type *request, answer_part_fn part, void *ctx,
                       struct answer *ans)
{
    struct qmaster_source *q = state;
    struct answer told = ANSWER_INIT;
    struct handing h = { .part = part, .ctx = ctx, .ans = ans };
    int result = gdi_call(q->gdi, request, hand_over, &h, &told);
    bool is_refused = ans_has_error(&told);
    ans_move(ans, &told);
    ans_free(&told);
    return result != 0 || is_refused ? -1 : 0;
}

int source_open(struct qmaster_source *q, const char *program, struct answer *ans)
{
    *q = (struct qmaster_source){ .from = { .get = ask_qmaster, .state = q } };
    q->cell = cell_open(ans);
    bool is_ready = q->cell != NULL && cell_aliases_read(q->cell, ans) == 0;
    q->gdi = is_ready ? gdi_open(q->cell, program, ans) : NULL;
    return q->gdi != NULL ? 0 : -1;
}

void source_close(struct qmaster_source *q)
{
    gdi_close(q->gdi);
    cell_free(q->cell);
    q->gdi = NULL;
    q->cell = NULL;
}

void answer_print_errors(FILE *out, const struct answer *ans, const char *prefix)
{
    uint32_t last = ans->n;
    for (uint32_t i = 0; i < ans->n; i++) {
        if (ans->v[i].quality <= ANSWER_QUALITY_ERROR)
            last = i;
    }
    for (uint32_t i = 0; i < ans->n; i++) {
        if (ans->v[i].quality > ANSWER_QUALITY_ERROR)
            continue;
        const char *before = i < last && ans->v[i].status == STATUS_ENOCONN ? "error: " : prefix;
        if (ans->v[i].quality == ANSWER_QUALITY_CRITICAL)
            before = "critical error: ";
        fprintf(out, "%s%s\n", before, ans->v[i].text);
    }
}

/* ---- the complex ---- */
/* The complex, from the objects that the qmaster sends. Older qmasters send none. */

void complex_of_objects(const struct GA_Type *all, struct CE_Type_list *list)
{
    const struct object_rules *rules = object_rules_of(OBJECT_COMPLEX);
    for (uint32_t i = 0; i < all->GA_texts.n; i++) {
        struct CE_Type *ce = object_record(rules, &all->GA_texts.v[i]);
        cull_copy(&cull_CE_Type, cull_push(list), ce);
        cull_delete(&cull_CE_Type, ce);
    }
    complex_sort(list);
}

int complex_get(const struct source *from, struct CE_Type_list *list, struct answer *ans)
{
    struct GA_Type *all = source_get_target(from, GDI_COMPLEX, ans);
    if (all == NULL)
        return -1;
    complex_of_objects(all, list);
    if (list->n == 0)
        complex_template(list);
    cull_delete(&cull_GA_Type, all);
    return 0;
}

/* ---- names of hosts ---- */
/* Names of hosts that somebody typed. A client may wait for a name service; the qmaster may not. */

bool host_resolves(const char *name)
{
    struct addrinfo *found = NULL;
    if (getaddrinfo(name, NULL, NULL, &found) != 0)
        return false;
    freeaddrinfo(found);
    return true;
}
