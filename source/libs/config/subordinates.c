/* The grammar of subordinate_list: elements with commas between them, each a queue with a number of
 * slots, or one element with all queues in parentheses. */
#include "libs/config/subordinates.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

static const char slots_word[] = "slots=";
static const char *const orders[] = {
    [SUBORDINATE_SHORTEST_RUN] = "sr", [SUBORDINATE_LONGEST_RUN] = "lr"
};

/* a list that grows */
struct reading {
    struct subordination *list;
    uint32_t cap;
};

static struct subordinate *append_queue(struct reading *r, const char *queue)
{
    struct subordination *l = r->list;
    if (l == NULL || l->n == r->cap) {
        uint32_t n = l != NULL ? l->n : 0, slots = l != NULL ? l->slots : 0;
        r->cap = r->cap * 2 + 4;
        r->list = l = uti_realloc(l, sizeof *l + r->cap * sizeof l->v[0]);
        l->n = n;
        l->slots = slots;
    }
    l->v[l->n] = (struct subordinate){ .queue = uti_strdup(queue) };
    return &l->v[l->n++];
}

static bool is_slotwise(const char *element)
{
    return strncmp(element, slots_word, sizeof slots_word - 1) == 0 && strchr(element, '(') != NULL;
}

static bool order_parse(const char *text, enum subordinate_order *out)
{
    for (size_t i = 0; i < ARRAY_LEN(orders); i++)
        if (strcmp(orders[i], text) == 0) {
            *out = (enum subordinate_order)i;
            return true;
        }
    return false;
}

/* "queue[:seq[:order]]"; TEXT is changed */
static bool read_member(struct reading *r, char *text)
{
    const char *name = strsep(&text, ":"), *seq = strsep(&text, ":"), *order = text;
    if (!object_name_is_valid(name))
        return false;
    struct subordinate *s = append_queue(r, name);
    return (seq == NULL || parse_u32(seq, &s->seq)) &&
           (order == NULL || order_parse(order, &s->order));
}

static bool read_members(struct reading *r, const char *text)
{
    struct dstr word = DSTR_INIT;
    bool is_good = true;
    while (is_good && attr_next_word(&text, ", \t", &word))
        is_good = read_member(r, word.s);
    dstr_free(&word);
    return is_good && r->list != NULL;
}

/* "slots=4(members)" */
static bool read_slotwise(struct reading *r, const char *element)
{
    char *copy = uti_strdup(element), *open = strchr(copy, '('), *close = strchr(copy, ')');
    uint32_t slots;
    bool is_good = close != NULL && close > open && close[1] == '\0';
    if (is_good) {
        *open = *close = '\0';
        is_good = parse_u32(copy + sizeof slots_word - 1, &slots) && slots > 0 &&
                  read_members(r, open + 1);
    }
    if (is_good)
        r->list->slots = slots;
    free(copy);
    return is_good;
}

/* "queue[=slots]" */
static bool read_queuewise(struct reading *r, const char *element)
{
    size_t len = strcspn(element, "=");
    char *name = uti_strndup(element, len);
    uint32_t slots = 0;
    bool is_good = object_name_is_valid(name) &&
                   (element[len] == '\0' || parse_u32(element + len + 1, &slots));
    if (is_good)
        append_queue(r, name)->slots = slots;
    free(name);
    return is_good;
}

static bool read_element(struct reading *r, const char *element)
{
    return (is_slotwise(element) ? read_slotwise : read_queuewise)(r, element);
}

void subordination_free(struct subordination *s)
{
    for (uint32_t i = 0; s != NULL && i < s->n; i++)
        free(s->v[i].queue);
    free(s);
}

bool subordinates_agree(const char *value)
{
    struct dstr word = DSTR_INIT;
    uint32_t n = 0, slotwise = 0;
    for (const char *at = value; attr_next_element(&at, ", \t", &word); n++)
        slotwise += is_slotwise(word.s);
    dstr_free(&word);
    return slotwise == 0 || n == 1;
}

/* the highest number first; those with the same stay in their order */
static void sort_members(struct subordination *l)
{
    for (uint32_t i = 1; i < l->n; i++) {
        struct subordinate moved = l->v[i];
        uint32_t k = i;
        for (; k > 0 && l->v[k - 1].seq < moved.seq; k--)
            l->v[k] = l->v[k - 1];
        l->v[k] = moved;
    }
}

struct subordination *subordination_read(const char *value)
{
    struct reading r = { 0 };
    struct dstr word = DSTR_INIT;
    bool is_good = value != NULL && !attr_is_none(value) && subordinates_agree(value);
    for (const char *at = value; is_good && attr_next_element(&at, ", \t", &word);)
        is_good = read_element(&r, word.s);
    dstr_free(&word);
    if (is_good && r.list != NULL) {
        sort_members(r.list);
        return r.list;
    }
    subordination_free(r.list);
    return NULL;
}

bool subordinate_add(const char *element, struct dstr *out)
{
    struct reading r = { 0 };
    bool is_good = read_element(&r, element);
    if (is_good && !is_slotwise(element))
        dstr_add(out, element);
    else if (is_good) {
        dstr_addf(out, "%s%u(", slots_word, r.list->slots);
        for (uint32_t i = 0; i < r.list->n; i++)
            dstr_addf(out, "%s%s:%u:%s", i > 0 ? ", " : "", r.list->v[i].queue, r.list->v[i].seq,
                      orders[r.list->v[i].order]);
        dstr_addc(out, ')');
    }
    subordination_free(r.list);
    return is_good;
}
