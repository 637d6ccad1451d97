/* Resource quotas in the qmaster. Owns the book, and what each task has taken of it (task->quotas).
 *
 * A task keeps the path by which it was counted, and gives back exactly that. What decides about
 * paths has rounds (settings, queues); when one has changed, the next order or question makes the
 * book anew and counts all tasks that run, host by host, as long as its slice lasts; meanwhile
 * tasks that start and end count in the new book, and orders are refused. The same happens after a
 * restart. */
#include "daemons/qmaster/jobs/quotas.h"

#include <stdlib.h>

#include "libs/config/host.h"
#include "libs/config/rqs.h"
#include "libs/resource/consumption.h"
#include "libs/sched/msg_sched.h"
#include "libs/sgeobj/allocation.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

struct quota_state {
    struct quota_book *book;
    uint64_t round;   /* by which it was made; 0: not yet */
    bool is_counting; /* hosts of WALK are to be counted */
    struct walk walk;
};
struct quota_taken {
    uint64_t round; /* of the book in which it counts */
    const struct quota_class *who;
    const struct quota_pe *pe;
    uint32_t n;
    const struct quota_place *at[];
};

/* ---- what is taken ---- */
/* an entry of an allocation */
struct entry {
    uint64_t slots;
    const struct TK_Type_list *taken;
};

static uint64_t amount_of_entry(const void *of, const struct quota_limit *limit)
{
    const struct entry *entry = of;
    if (limit->is_slots)
        return entry->slots;
    const struct TK_Type *tk = cull_find(&cull_TK_Type, entry->taken, limit->resource);
    return tk != NULL ? tk->TK_amount : 0;
}

static struct load_source values_of(struct qmaster *q, const struct host *h)
{
    const struct host *cell = hosts_find(&q->hosts, HOST_OF_CELL);
    return (struct load_source){ h != NULL ? &h->rec : NULL, cell != NULL ? &cell->rec : NULL,
                                 settings_complex(&q->settings) };
}

static const struct quota_place *place_of(struct quota_book *b, const struct qinstance *qi)
{
    return quota_place_of(b->rules, qi->rec.QU_qname, qi->rec.QU_qhostname, &qi->rec.QU_hostgroups);
}

/* ---- books ---- */
static struct quota_taken *taken_new(struct qmaster *q, struct quota_book *b, const struct task *t)
{
    const struct JB_Type *rec = &t->job->rec;
    const struct JG_Type_list *granted = &t->rec.JAT_granted_destin_identifier_list;
    const struct quota_class *who =
        quota_class_of(b->rules, rec->JB_owner, rec->JB_user_sets, rec->JB_project);
    if (who == NULL)
        return NULL;
    struct quota_taken *taken = uti_calloc(1, sizeof *taken + granted->n * sizeof *taken->at);
    *taken = (struct quota_taken){ .round = q->quotas->round,
                                   .who = who,
                                   .pe = quota_pe_of(b->rules, allocation_pe(granted)),
                                   .n = granted->n };
    for (uint32_t i = 0; i < granted->n; i++) {
        const struct qinstance *qi = queues_instance(&q->queues, granted->v[i].JG_qname);
        if (qi == NULL)
            qi = queues_leaving_instance(&q->queues, granted->v[i].JG_qname);
        taken->at[i] = qi != NULL ? place_of(b, qi)
                                  : quota_place_of(b->rules, "", granted->v[i].JG_qhostname, NULL);
    }
    return taken;
}

static void move_taken(struct quota_book *b, const struct task *t, bool is_given)
{
    const struct JG_Type_list *granted = &t->rec.JAT_granted_destin_identifier_list;
    const struct quota_taken *taken = t->quotas;
    for (uint32_t i = 0; i < taken->n; i++) {
        const struct JG_Type *jg = &granted->v[i];
        struct entry entry = { jg->JG_slots, &jg->JG_taken };
        struct quota_demand demand = { amount_of_entry, &entry };
        struct quota_path path = { .who = taken->who, .pe = taken->pe, .at = taken->at[i] };
        if (is_given)
            quota_give(b, &path, &demand, 1, NULL, NULL);
        else
            quota_take(b, &path, &demand, 1);
    }
}

void quotas_book(struct qmaster *q, struct task *t)
{
    if (q->quotas == NULL || q->quotas->book == NULL)
        return;
    t->quotas = taken_new(q, q->quotas->book, t);
    if (t->quotas != NULL)
        move_taken(q->quotas->book, t, false);
}

void quotas_unbook(struct qmaster *q, struct task *t)
{
    if (t->quotas != NULL && q->quotas->book != NULL && t->quotas->round == q->quotas->round)
        move_taken(q->quotas->book, t, true);
    free(t->quotas);
    t->quotas = NULL;
}

void quotas_recount(struct qmaster *q, struct job *job)
{
    if (q->quotas == NULL || q->quotas->book == NULL || job->rare->n_running == 0)
        return;
    for (struct task *t = job_task_first(job, 0); t != NULL; t = job_task_next(t)) {
        if (t->host == NULL)
            continue;
        quotas_unbook(q, t);
        quotas_book(q, t);
    }
}

void quotas_free(struct qmaster *q)
{
    if (q->quotas == NULL)
        return;
    walk_end(&q->quotas->walk);
    quota_book_free(q->quotas->book);
    free(q->quotas);
    q->quotas = NULL;
}

static struct quota_book *book_new(struct qmaster *q)
{
    const struct text_object *all = q->settings.texts[GDI_RQS];
    const struct RQS_Type **sets = uti_alloc((HASH_COUNT(all) + 1) * sizeof *sets);
    uint32_t n = 0;
    for (const struct text_object *t = all; t != NULL; t = t->hh.next)
        if (t->record != NULL)
            sets[n++] = t->record;
    struct quota_rules *rules = quota_rules_new(sets, n, settings_complex(&q->settings));
    free(sets);
    return rules != NULL ? quota_book_new(rules) : NULL;
}

/* those that have started since the book was made count already */
static void count_host(struct qmaster *q, const struct host *h)
{
    struct task *t;
    TAILQ_FOREACH(t, &h->tasks, in_host) {
        if (t->quotas != NULL && t->quotas->round == q->quotas->round)
            continue;
        free(t->quotas);
        t->quotas = NULL;
        quotas_book(q, t);
    }
}

/* true: all of them are counted */
static bool count_on(struct qmaster *q)
{
    struct quota_state *state = q->quotas;
    while (state->is_counting) {
        const struct host *h = walk_take(&state->walk, offsetof(struct host, hh));
        if (h != NULL)
            count_host(q, h);
        else
            state->is_counting = false;
        if (h != NULL && slice_is_over(q))
            return false;
    }
    walk_end(&state->walk);
    return true;
}

static void begin_book(struct qmaster *q, uint64_t round)
{
    struct quota_state *state = q->quotas;
    struct quota_book *old = state->book;
    state->round = round;
    state->book = book_new(q);
    quota_book_free(old);
    walk_end(&state->walk);
    state->is_counting = state->book != NULL;
    if (state->is_counting)
        walk_begin(&q->hosts.walks, &state->walk, q->hosts.all);
}

struct quota_book *quotas_now(struct qmaster *q, bool *is_whole)
{
    const struct settings *s = &q->settings;
    uint64_t round = 1 + s->quota_round + s->complex_round + q->queues.groups_round;
    *is_whole = true;
    if (q->quotas == NULL && s->texts[GDI_RQS] == NULL)
        return NULL;
    if (q->quotas == NULL)
        q->quotas = uti_calloc(1, sizeof *q->quotas);
    if (q->quotas->round != round)
        begin_book(q, round);
    *is_whole = count_on(q);
    return q->quotas->book;
}

/* ---- orders ---- */
static const struct quota_class *class_of(struct quota_book *b, const struct JB_Type *rec)
{
    return rec->JB_owner != NULL
               ? quota_class_of(b->rules, rec->JB_owner, rec->JB_user_sets, rec->JB_project)
               : NULL;
}

/* Places share quotas: those before are taken for the look at the next. */
bool quotas_fit(struct qmaster *q, const struct job *job, const struct places *places)
{
    bool fits;
    struct quota_book *b = quotas_now(q, &fits);
    const struct quota_class *who = b != NULL ? class_of(b, &job->rec) : NULL;
    struct quota_lack lack;
    uint32_t n = 0;
    if (who == NULL || !fits)
        return fits;
    struct quota_path path = {
        .who = who, .pe = quota_pe_of(b->rules, places->pe != NULL ? places->pe->rec.TX_name : NULL)
    };
    for (; fits && n < places->n; n++) {
        const struct place *place = &places->v[n];
        struct entry entry = { place->slots, &place->taken };
        struct quota_demand demand = { amount_of_entry, &entry };
        path.at = place_of(b, place->qi);
        path.values = values_of(q, place->qi->host);
        fits = !quota_lacks(b, &path, &demand, 1, false, &lack);
        quota_take(b, &path, &demand, 1);
    }
    while (n-- > 0) {
        struct entry entry = { places->v[n].slots, &places->v[n].taken };
        struct quota_demand demand = { amount_of_entry, &entry };
        path.at = place_of(b, places->v[n].qi);
        quota_give(b, &path, &demand, 1, NULL, NULL);
    }
    return fits;
}

/* ---- reasons ---- */
/* slots of a request, all on one host */
struct wanted {
    const struct consumption *v;
    uint32_t n, slots;
};

static uint64_t amount_wanted(const void *of, const struct quota_limit *limit)
{
    const struct wanted *wanted = of;
    if (limit->is_slots)
        return wanted->slots;
    for (uint32_t i = 0; i < wanted->n; i++)
        if (strcmp(wanted->v[i].resource->CE_name, limit->resource) == 0)
            return amount_times(wanted->v[i].amount,
                                consumption_times(&wanted->v[i], wanted->slots, true, true));
    return 0;
}

static bool path_of(struct qmaster *q, struct quota_book *b, const struct qinstance *qi,
                    const struct JB_Type *request, const char *pe, struct quota_path *out)
{
    const struct quota_class *who = b != NULL ? class_of(b, request) : NULL;
    if (who == NULL)
        return false;
    *out = (struct quota_path){ .who = who,
                                .pe = quota_pe_of(b->rules, pe),
                                .at = place_of(b, qi),
                                .values = values_of(q, qi->host) };
    return true;
}

bool quotas_lack(struct qmaster *q, const struct qinstance *qi, const struct JB_Type *request,
                 const char *pe, uint32_t slots, bool as_if_unused, struct quota_lack *out,
                 struct dstr *key)
{
    bool is_whole;
    struct quota_book *b = quotas_now(q, &is_whole); /* else what is counted so far */
    struct quota_path path;
    if (!path_of(q, b, qi, request, pe, &path))
        return false;
    const struct CE_Type_list *resources = settings_consumables(&q->settings);
    struct consumption *taken = uti_alloc((resources->n + 1) * sizeof *taken);
    struct wanted wanted = { taken, consumptions_of(resources, request, taken), slots };
    struct quota_demand demand = { amount_wanted, &wanted };
    bool is_short = quota_lacks(b, &path, &demand, 1, as_if_unused, out);
    if (is_short)
        quota_key_text(out->rule, &path, key);
    free(taken);
    return is_short;
}

uint64_t quotas_room(struct qmaster *q, const struct qinstance *qi, const struct JB_Type *request,
                     const char *pe, bool as_if_unused)
{
    struct quota_lack lack;
    struct dstr key = DSTR_INIT;
    uint32_t most;
    if (!range_set_max(&request->JB_pe_range, &most) || most == 0)
        most = 1;
    uint32_t least = 0, greatest = most;
    if (!quotas_lack(q, qi, request, pe, most, as_if_unused, &lack, &key))
        least = most;
    while (least < most) { /* what is taken for each slot, and once, is no simple quotient */
        uint32_t middle = least + (most - least + 1) / 2;
        if (quotas_lack(q, qi, request, pe, middle, as_if_unused, &lack, &key))
            most = middle - 1;
        else
            least = middle;
    }
    dstr_free(&key);
    return least == greatest ? UINT64_MAX : least;
}

static void add_numbers(const struct quota_lack *lack, struct dstr *why)
{
    uint32_t type = lack->limit->ce->CE_valtype;
    dstr_addf(why, " (%s=", lack->limit->resource);
    amount_add_text(type, (int64_t)lack->taken, why);
    dstr_add(why, " of ");
    amount_add_text(type, (int64_t)lack->amount, why);
    dstr_add(why, " used, ");
    amount_add_text(type, (int64_t)lack->wanted, why);
    dstr_add(why, " wanted)");
}

bool quotas_why(struct qmaster *q, const struct qinstance *qi, const struct JB_Type *request,
                bool as_if_unused, bool has_numbers, struct dstr *why)
{
    struct quota_lack lack;
    struct dstr key = DSTR_INIT;
    uint32_t slots = 1;
    const char *pe = request->JB_pe;
    if (pe != NULL && as_if_unused)
        return false;
    if (pe != NULL && (!range_set_min(&request->JB_pe_range, &slots) || slots == 0))
        slots = 1;
    if (pe != NULL && settings_text(&q->settings, GDI_PE, pe) == NULL)
        return false; /* a pattern, which may mean several; or none */
    bool is_short = quotas_lack(q, qi, request, pe, slots, as_if_unused, &lack, &key);
    if (is_short)
        dstr_addf(why, MSG_WHY_QUOTA_SS, dstr_get(&key), lack.rule->label);
    if (is_short && has_numbers)
        add_numbers(&lack, why);
    dstr_free(&key);
    return is_short;
}

bool quotas_is_reason(const char *text)
{
    return strstr(text, MSG_WHY_QUOTA) != NULL;
}

struct load_source quotas_values(struct qmaster *q, const char *host)
{
    return values_of(q, host != NULL ? hosts_find(&q->hosts, host) : NULL);
}
