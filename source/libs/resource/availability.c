/* What there is of a resource. Owns no data; amounts are counted as amount.h does, so that what is
 * shown is what the qmaster checks. */
#include "libs/resource/availability.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "libs/config/complex.h"
#include "libs/config/cqueue.h"
#include "libs/config/load_values.h"
#include "libs/config/offers.h"
#include "libs/config/qinstance.h"
#include "libs/resource/consumption.h"
#include "libs/resource/supply.h"

#define SLOTS "slots"

const char *const queue_resource_names[] = {
    "tmpdir", "seq_no",  "rerun",   "calendar", "s_rt",   "h_rt",    "s_cpu",
    "h_cpu",  "s_fsize", "h_fsize", "s_data",   "h_data", "s_stack", "h_stack",
    "s_core", "h_core",  "s_rss",   "h_rss",    "s_vmem", "h_vmem",  "min_cpu_interval",
    NULL
};

bool queue_resource_is(const char *name)
{
    for (size_t i = 0; queue_resource_names[i] != NULL; i++)
        if (strcmp(queue_resource_names[i], name) == 0)
            return true;
    return false;
}

const char *available_text(const struct available *a)
{
    return a->said != NULL ? a->said : a->counted;
}

/* ---- what runs out ---- */
struct left {
    char place; /* that has the least; 0: none has any limit */
    bool is_unlimited;
    int64_t amount;
};

static uint64_t taken_of(const struct TK_Type_list *taken, const char *name)
{
    for (uint32_t i = 0; i < taken->n; i++)
        if (taken->v[i].TK_name != NULL && strcmp(taken->v[i].TK_name, name) == 0)
            return taken->v[i].TK_amount;
    return 0;
}

/* the places that offer a resource, as a path */
struct offered {
    struct counted_supply at[3];
    struct supply *members[3];
    uint32_t n;
};

static void add_offer(struct offered *all, enum supply_kind kind, uint64_t capacity,
                      uint64_t booked)
{
    counted_supply(&all->at[all->n], kind, RESOURCE_SLOTS, capacity, booked);
    all->members[all->n] = &all->at[all->n].supply;
    all->n++;
}

static void add_offer_of(struct offered *all, enum supply_kind kind, const struct CE_Type *ce,
                         const struct CE_Type_list *offers, const struct TK_Type_list *taken)
{
    const char *text = offers_value(offers, ce->CE_name);
    if (text != NULL)
        add_offer(all, kind, amount_offered(ce->CE_valtype, text), taken_of(taken, ce->CE_name));
}

static void read_places(const struct offering *o, const struct CE_Type *ce, struct offered *out)
{
    out->n = 0;
    if (o->queue != NULL && strcmp(ce->CE_name, SLOTS) == 0)
        add_offer(out, SUPPLY_QUEUE, o->queue->QU_job_slots, o->queue->QU_slots_used);
    else if (o->queue != NULL)
        add_offer_of(out, SUPPLY_QUEUE, ce, &o->queue->QU_consumable_config_list,
                     &o->queue->QU_taken);
    if (o->host != NULL)
        add_offer_of(out, SUPPLY_HOST, ce, &o->host->EH_consumable_config_list, &o->host->EH_taken);
    if (o->cell != NULL)
        add_offer_of(out, SUPPLY_CELL, ce, &o->cell->EH_consumable_config_list, &o->cell->EH_taken);
}

/* IS_UNUSED: as if nothing were taken */
static struct left least_left(const struct offering *o, const struct CE_Type *ce, bool is_unused)
{
    struct offered places;
    struct shortage least;
    read_places(o, ce, &places);
    if (places.n == 0)
        return (struct left){ 0 };
    struct path path = { places.members, places.n };
    if (!path_left(path, RESOURCE_SLOTS, is_unused ? TIME_UNUSED : TIME_NOW, &least))
        return (struct left){ supply_letter(places.members[0]->kind), true, 0 };
    return (struct left){ supply_letter(least.supply->kind), false, least.left };
}

static void count_left(const struct left *left, const struct CE_Type *ce, struct available *out)
{
    uint64_t units = left->amount < 0 ? -(uint64_t)left->amount : (uint64_t)left->amount;
    const char *sign = left->amount < 0 ? "-" : "";
    *out = (struct available){ .place = left->place, .kind = 'c' };
    if (left->is_unlimited)
        out->said = "infinity";
    else if (ce->CE_valtype == COMPLEX_BOOL)
        out->said = left->amount >= (int64_t)AMOUNT_EXCLUSIVE ? "1" : "0";
    else if (ce->CE_valtype == COMPLEX_DOUBLE)
        (void)snprintf(out->counted, sizeof out->counted, "%s%" PRIu64 ".%06" PRIu64, sign,
                       units / 1000000, units % 1000000);
    else
        (void)snprintf(out->counted, sizeof out->counted, "%s%" PRIu64, sign, units);
}

/* ---- what is reported ---- */
static bool find_load(const struct offering *o, const struct CE_Type *ce, struct available *out)
{
    struct load_value value;
    struct load_source source = { o->host, o->cell, o->complex };
    if (!load_value_find(&source, ce, &value))
        return false;
    bool is_scaled = value.scaled[0] != '\0';
    *out =
        (struct available){ .place = value.is_global ? 'g' : 'h', .kind = is_scaled ? 'L' : 'l' };
    if (is_scaled)
        memcpy(out->counted, value.scaled, sizeof out->counted);
    else
        out->said = value.text;
    return true;
}

static bool find_consumable(const struct offering *o, const struct CE_Type *ce,
                            struct available *out)
{
    struct left left = least_left(o, ce, false);
    if (left.place == '\0')
        return find_load(o, ce, out);
    struct available load;
    bool has_load = find_load(o, ce, &load);
    uint64_t reported = has_load ? amount_offered(ce->CE_valtype, available_text(&load)) : 0;
    if (has_load && (left.is_unlimited || (left.amount >= 0 && reported < (uint64_t)left.amount)))
        *out = load;
    else
        count_left(&left, ce, out);
    return true;
}

/* ---- what is fixed ---- */
static bool say_fixed(struct available *out, char place, const char *text)
{
    if (text != NULL)
        *out = (struct available){ .place = place, .kind = 'f', .said = text };
    return text != NULL;
}

static const char *attribute_of(const struct QU_Type *queue, const char *name)
{
    if (strcmp(name, "qname") == 0)
        return queue->QU_qname;
    if (strcmp(name, "hostname") == 0)
        return queue->QU_qhostname;
    if (!queue_resource_is(name))
        return NULL;
    const char *text = qinstance_setting(queue, name);
    return text != NULL ? text : cqueue_attr_find(name)->rule.initial;
}

static bool queue_says(const struct QU_Type *queue, const char *name, struct available *out)
{
    return queue != NULL &&
           (say_fixed(out, 'q', attribute_of(queue, name)) ||
            say_fixed(out, 'q', offers_value(&queue->QU_consumable_config_list, name)));
}

static bool host_says(const struct EH_Type *host, char place, const char *name,
                      struct available *out)
{
    if (host != NULL && place == 'h' && strcmp(name, "hostname") == 0)
        return say_fixed(out, place, host->EH_name);
    return host != NULL &&
           say_fixed(out, place, offers_value(&host->EH_consumable_config_list, name));
}

bool available_find(const struct offering *o, const struct CE_Type *ce, struct available *out)
{
    const char *name = ce->CE_name;
    if (ce->CE_consumable != COMPLEX_CONSUMABLE_NO)
        return find_consumable(o, ce, out);
    return queue_says(o->queue, name, out) || host_says(o->host, 'h', name, out) ||
           find_load(o, ce, out) || host_says(o->cell, 'g', name, out);
}

bool available_meets(const struct offering *o, const struct CE_Type *ce, const char *wanted,
                     struct available *out)
{
    *out = (struct available){ 0 };
    return available_find(o, ce, out) && complex_meets(ce, wanted, available_text(out));
}

/* ---- as if nothing ran ---- */
/* Numbers of hosts that jobs do not change, and those that are never more than one of these. */
static const struct {
    const char *name, *bound;
} bounds[] = {
    { "num_proc", "num_proc" },
    { "m_socket", "m_socket" },
    { "m_core", "m_core" },
    { "m_thread", "m_thread" },
    { "mem_total", "mem_total" },
    { "mem_free", "mem_total" },
    { "swap_total", "swap_total" },
    { "swap_free", "swap_total" },
    { "virtual_total", "virtual_total" },
    { "virtual_free", "virtual_total" },
};

/* by which the load value FOUND of CE is bounded; NULL: by none */
static const char *bound_of(const struct CE_Type *ce, const struct available *found)
{
    for (size_t i = 0; i < ARRAY_LEN(bounds); i++) {
        if (strcmp(bounds[i].name, ce->CE_name) != 0)
            continue;
        bool is_constant = strcmp(bounds[i].bound, ce->CE_name) == 0;
        bool is_most = ce->CE_relop == COMPLEX_LE || ce->CE_relop == COMPLEX_LT;
        return is_constant || (is_most && found->kind == 'l') ? bounds[i].bound : NULL;
    }
    return NULL;
}

/* FOUND is a load value of CE */
static bool load_could_meet(const struct offering *o, const struct CE_Type *ce, const char *wanted,
                            struct available *found)
{
    const char *bound = bound_of(ce, found);
    const struct CE_Type *by = bound != NULL ? complex_find(o->complex, bound) : NULL;
    struct available most;
    if (by == NULL || !find_load(o, by, &most) || complex_meets(ce, wanted, available_text(&most)))
        return true;
    *found = most;
    found->bound = bound;
    return false;
}

static bool consumable_could_meet(const struct offering *o, const struct CE_Type *ce,
                                  const char *wanted, struct available *out)
{
    struct left all = least_left(o, ce, true);
    struct available load;
    bool has_load = find_load(o, ce, &load);
    if (all.place != '\0')
        count_left(&all, ce, out);
    else if (has_load)
        *out = load;
    if (all.place != '\0' && !all.is_unlimited &&
        all.amount < (int64_t)amount_asked(ce->CE_valtype, wanted))
        return false;
    if (!has_load || load_could_meet(o, ce, wanted, &load))
        return out->place != '\0';
    *out = load;
    return false;
}

bool available_could_meet(const struct offering *o, const struct CE_Type *ce, const char *wanted,
                          struct available *out)
{
    *out = (struct available){ 0 };
    if (ce->CE_consumable != COMPLEX_CONSUMABLE_NO)
        return consumable_could_meet(o, ce, wanted, out);
    if (!available_find(o, ce, out))
        return false;
    bool is_number = (out->kind == 'l' || out->kind == 'L') && !complex_is_text(ce->CE_valtype);
    return is_number ? load_could_meet(o, ce, wanted, out)
                     : complex_meets(ce, wanted, available_text(out));
}
