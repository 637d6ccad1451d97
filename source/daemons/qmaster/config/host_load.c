/* Values are kept in the order in which they came first, as qhost -F shows them. A report says them
 * in that order, so that the place behind the last one is where the next is looked for first. */
#include "daemons/qmaster/config/host_load.h"

#include <string.h>

#include "daemons/qmaster/config/msg_config.h"
#include "daemons/qmaster/tables/qmaster.h"
#include "libs/uti/log.h"

static size_t cost_of(const struct VA_Type *va)
{
    return strlen(va->VA_variable) + (va->VA_value != NULL ? strlen(va->VA_value) : 0);
}

/* the index of NAME, looked for from FROM on, and then before it; n if it is not there */
static uint32_t find_value(const struct VA_Type_list *l, const char *name, uint32_t from)
{
    for (uint32_t i = from; i < l->n; i++)
        if (strcmp(l->v[i].VA_variable, name) == 0)
            return i;
    for (uint32_t i = 0; i < from && i < l->n; i++)
        if (strcmp(l->v[i].VA_variable, name) == 0)
            return i;
    return l->n;
}

static bool is_allowed(const struct host *h, const struct VA_Type *va, bool is_known, size_t freed)
{
    return (is_known || h->rec.EH_load_list.n < LOAD_VALUES_MOST) &&
           strlen(va->VA_variable) <= LOAD_NAME_MOST && strlen(va->VA_value) <= LOAD_VALUE_MOST &&
           h->load_bytes - freed + cost_of(va) <= LOAD_BYTES_MOST;
}

/* the place of the value VA, or where it was; returns false if it is beyond a limit */
static bool take_value(struct host *h, const struct VA_Type *va, uint32_t *at)
{
    struct VA_Type_list *l = &h->rec.EH_load_list;
    *at = find_value(l, va->VA_variable, *at);
    bool is_known = *at < l->n;
    size_t freed = is_known ? cost_of(&l->v[*at]) : 0;
    if (va->VA_value == NULL) {
        if (is_known)
            cull_remove_at(&cull_VA_Type, (struct cull_list *)l, *at);
        h->load_bytes -= freed;
        h->has_other_load |= is_known;
        return true;
    }
    if (!is_allowed(h, va, is_known, freed))
        return false;
    h->has_other_load |= !is_known || strcmp(l->v[*at].VA_value, va->VA_value) != 0;
    struct VA_Type *mine = is_known ? &l->v[*at] : cull_append(&h->rec, EH_load_list);
    cull_copy(&cull_VA_Type, mine, va);
    h->load_bytes += cost_of(va) - freed;
    ++*at;
    return true;
}

void host_load_hear(struct qmaster *q, struct host *h, const struct EH_Type *said)
{
    uint32_t at = 0;
    bool is_all = said->EH_load_list.n <= LOAD_SAID_MOST;
    for (uint32_t i = 0; i < said->EH_load_list.n && i < LOAD_SAID_MOST; i++)
        if (said->EH_load_list.v[i].VA_variable != NULL)
            is_all = take_value(h, &said->EH_load_list.v[i], &at) && is_all;
    if (!is_all && !h->is_load_cut)
        log_msg(LOG_LEVEL_WARNING, MSG_LOAD_CUT_SUU, h->rec.EH_name, (unsigned)LOAD_VALUES_MOST,
                (unsigned)LOAD_BYTES_MOST);
    h->is_load_cut = h->is_load_cut || !is_all;
    if (cull_has(said, EH_processors))
        cull_set(&h->rec, EH_processors, said->EH_processors);
    cull_set(&h->rec, EH_lt_heard_from, q->now_s);
}

void host_load_anew(struct host *h)
{
    cull_list_clear(&cull_VA_Type, &h->rec.EH_load_list);
    h->load_bytes = 0;
    h->has_other_load = true;
    h->is_load_cut = false;
}
