/* The urgency of requests. Owns struct urgencies. */
#include "libs/resource/urgency.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "libs/config/complex.h"
#include "libs/config/object.h"
#include "libs/resource/consumption.h"
#include "libs/sgeobj/object_kind.h"
#include "libs/sgeobj/pe_match.h"
#include "libs/uti/alloc.h"
#include "libs/uti/parse.h"

struct urgency_rule {
    char *name;
    bool is_of_slot;
    double weight;
};
struct urgency_pe {
    char *name, *slots;
};

/* ---- resources ---- */
static double weight_of(const struct CE_Type *row)
{
    double weight;
    return row->CE_urgency_weight != NULL && parse_double(row->CE_urgency_weight, &weight) ? weight
                                                                                           : 0;
}

static uint32_t rule_index(const struct urgencies *u, const char *name)
{
    uint32_t i = 0;
    while (i < u->n_rules && strcmp(u->rules[i].name, name) != 0)
        i++;
    return i;
}

static void rule_remove(struct urgencies *u, uint32_t i)
{
    free(u->rules[i].name);
    u->rules[i] = u->rules[--u->n_rules];
}

static bool rule_set(struct urgencies *u, const char *name, double weight, bool is_of_slot)
{
    uint32_t i = rule_index(u, name);
    struct urgency_rule *rule = i < u->n_rules ? &u->rules[i] : NULL;
    if (rule == NULL && weight == 0)
        return false;
    if (weight == 0) {
        rule_remove(u, i);
        return true;
    }
    if (rule == NULL) {
        u->rules = uti_vec_grow(u->rules, &u->rules_cap, u->n_rules + 1, sizeof *u->rules);
        rule = &u->rules[u->n_rules++];
        *rule = (struct urgency_rule){ .name = uti_strdup(name) };
    }
    bool changes = rule->weight != weight || rule->is_of_slot != is_of_slot;
    rule->weight = weight;
    rule->is_of_slot = is_of_slot;
    return changes;
}

static bool slot_set(struct urgencies *u, double weight)
{
    bool changes = u->of_slot != weight;
    u->of_slot = weight;
    return changes;
}

static bool put_resource(struct urgencies *u, const char *name, const struct CE_Type *row)
{
    double weight = row != NULL ? weight_of(row) : 0;
    if (strcmp(name, "slots") == 0)
        return slot_set(u, weight);
    return rule_set(u, name, weight,
                    row != NULL && row->CE_consumable == COMPLEX_CONSUMABLE_YES &&
                        row->CE_relop != COMPLEX_EXCL);
}

/* ---- environments ---- */
static void pe_remove(struct urgencies *u, uint32_t i)
{
    free(u->pes[i].name);
    free(u->pes[i].slots);
    memmove(&u->pes[i], &u->pes[i + 1], (--u->n_pes - i) * sizeof *u->pes);
}

static void pe_insert(struct urgencies *u, uint32_t i, const char *name, const char *slots)
{
    u->pes = uti_vec_grow(u->pes, &u->pes_cap, u->n_pes + 1, sizeof *u->pes);
    memmove(&u->pes[i + 1], &u->pes[i], (u->n_pes++ - i) * sizeof *u->pes);
    u->pes[i] = (struct urgency_pe){ uti_strdup(name), uti_strdup(slots) };
}

/* SLOTS NULL: it has gone. All of them are kept, as a pattern may match each. */
static bool put_pe(struct urgencies *u, const char *name, const char *slots)
{
    uint32_t i = 0;
    while (i < u->n_pes && strcmp(u->pes[i].name, name) < 0)
        i++;
    bool is_known = i < u->n_pes && strcmp(u->pes[i].name, name) == 0;
    if (is_known && slots != NULL && strcmp(u->pes[i].slots, slots) == 0)
        return false;
    if (is_known)
        pe_remove(u, i);
    if (slots != NULL)
        pe_insert(u, i, name, slots);
    return is_known || slots != NULL;
}

/* ---- objects ---- */
bool urgencies_put(struct urgencies *u, const struct TX_Type *object)
{
    bool changes = false;
    if (object->TX_kind != OBJECT_COMPLEX && object->TX_kind != OBJECT_PE)
        return false;
    const struct object_rules *rules = object_rules_of(object->TX_kind);
    void *record = object_record(rules, object);
    if (object->TX_kind == OBJECT_COMPLEX) {
        changes = put_resource(u, object->TX_name, record);
    } else {
        const char *slots = ((const struct PE_Type *)record)->PE_urgency_slots;
        changes = put_pe(u, object->TX_name, slots != NULL ? slots : "min");
    }
    cull_delete(rules->type, record);
    return changes;
}

bool urgencies_drop(struct urgencies *u, const struct TX_Type *object)
{
    if (object->TX_kind == OBJECT_COMPLEX)
        return put_resource(u, object->TX_name, NULL);
    return object->TX_kind == OBJECT_PE && put_pe(u, object->TX_name, NULL);
}

void urgencies_free(struct urgencies *u)
{
    while (u->n_rules > 0)
        rule_remove(u, u->n_rules - 1);
    while (u->n_pes > 0)
        pe_remove(u, u->n_pes - 1);
    free(u->rules);
    free(u->pes);
    *u = (struct urgencies){ 0 };
}

/* ---- of a job ---- */
static const char *slots_rule(const struct urgencies *u, const char *wc_pe)
{
    for (uint32_t i = 0; i < u->n_pes; i++)
        if (pe_list_meets(u->pes[i].name, wc_pe))
            return u->pes[i].slots;
    return "min";
}

static double slots_average(const struct range_set *numbers)
{
    double sum = 0, n = 0;
    struct range r;
    for (uint64_t at = 0; at <= UINT32_MAX && range_set_next_run(numbers, at, &r);
         at = (uint64_t)r.last + 1) {
        double count = (double)r.last - r.first + 1;
        sum += count * ((double)r.first + r.last) / 2;
        n += count;
    }
    return n > 0 ? sum / n : 1;
}

static double slots_of(const struct urgencies *u, const struct JB_Type *job)
{
    uint32_t least, most, number;
    if (job->JB_pe == NULL || !range_set_min(&job->JB_pe_range, &least) ||
        !range_set_max(&job->JB_pe_range, &most))
        return 1;
    if (least == most)
        return least;
    const char *rule = slots_rule(u, job->JB_pe);
    if (strcasecmp(rule, "max") == 0)
        return most;
    if (strcasecmp(rule, "avg") == 0)
        return slots_average(&job->JB_pe_range);
    return parse_u32(rule, &number) ? number : least;
}

static double amount_of(const struct CE_Type *wanted)
{
    bool is_number = wanted->CE_valtype == COMPLEX_INT || wanted->CE_valtype == COMPLEX_DOUBLE ||
                     wanted->CE_valtype == COMPLEX_TIME || wanted->CE_valtype == COMPLEX_MEMORY ||
                     wanted->CE_valtype == COMPLEX_RSMAP;
    if (!is_number || wanted->CE_stringval == NULL)
        return 1;
    double amount = (double)amount_asked(wanted->CE_valtype, wanted->CE_stringval);
    return wanted->CE_valtype == COMPLEX_DOUBLE ? amount / AMOUNT_PARTS_OF_DOUBLE : amount;
}

double urgency_of(const struct urgencies *u, const struct JB_Type *job)
{
    if (u->n_rules == 0 && u->of_slot == 0)
        return 0;
    double slots = slots_of(u, job), sum = u->of_slot * slots;
    for (uint32_t i = 0; i < u->n_rules && job->JB_hard_resource_list.n > 0; i++) {
        const struct urgency_rule *rule = &u->rules[i];
        const struct CE_Type *wanted =
            cull_find(&cull_CE_Type, &job->JB_hard_resource_list, rule->name);
        if (wanted != NULL)
            sum += rule->weight * amount_of(wanted) * (rule->is_of_slot ? slots : 1);
    }
    return sum > URGENCY_MOST ? URGENCY_MOST : sum < -URGENCY_MOST ? -URGENCY_MOST : sum;
}
