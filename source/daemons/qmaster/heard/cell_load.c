/* What hosts say of the cell. Invariant: the load values of the host "global" are those of all
 * hosts in `cell_reporters`, put one over the other in that order; a host is in that list as long
 * as it has said any, and may. */
#include "daemons/qmaster/heard/cell_load.h"

#include <string.h>

#include "daemons/qmaster/config/load_state.h"
#include "daemons/qmaster/heard/host_load.h"
#include "daemons/qmaster/heard/msg_heard.h"
#include "daemons/qmaster/tables/qmaster.h"
#include "daemons/qmaster/tables/rights.h"
#include "daemons/qmaster/tables/session.h"
#include "libs/config/host.h"
#include "libs/uti/log.h"

/* the index of NAME; n if it is not there */
static uint32_t find_value(const struct VA_Type_list *l, const char *name)
{
    uint32_t i = 0;
    while (i < l->n && strcmp(l->v[i].VA_variable, name) != 0)
        i++;
    return i;
}

static void take_value(struct EH_Type *rec, const struct VA_Type *va)
{
    struct VA_Type_list *l = &rec->EH_load_list;
    uint32_t at = find_value(l, va->VA_variable);
    if (va->VA_value == NULL && at < l->n)
        cull_remove_at(&cull_VA_Type, (struct cull_list *)l, at);
    else if (va->VA_value != NULL && at < l->n)
        cull_set(&l->v[at], VA_value, va->VA_value);
    else if (va->VA_value != NULL && l->n < CELL_VALUES_MOST)
        cull_copy(&cull_VA_Type, cull_append(rec, EH_load_list), va);
}

/* does what H says count? The log says once why it does not */
static bool is_heard(struct qmaster *q, const struct session *s, struct host *h)
{
    if (h->of_cell.EH_load_list.n == 0)
        return false;
    bool is_allowed = right_to_speak_for_cell(q, &s->who);
    if (!is_allowed && !h->is_cell_refused)
        log_msg(LOG_LEVEL_WARNING, MSG_CELL_LOAD_S, h->rec.EH_name);
    h->is_cell_refused = !is_allowed;
    return is_allowed;
}

/* returns whether that is new */
static bool note_reporter(struct hosts *hosts, struct host *h, bool is_one)
{
    bool is_new = h->is_cell_reporter != is_one;
    if (is_new && is_one)
        TAILQ_INSERT_TAIL(&hosts->cell_reporters, h, in_cell_reporters);
    else if (is_new)
        TAILQ_REMOVE(&hosts->cell_reporters, h, in_cell_reporters);
    h->is_cell_reporter = is_one;
    return is_new;
}

static struct host *host_of_cell(struct hosts *hosts)
{
    struct host *cell = hosts_find(hosts, HOST_OF_CELL);
    if (cell != NULL)
        return cell;
    struct EH_Type *plain = host_template(HOST_OF_CELL);
    cell = hosts_put(hosts, HOST_OF_CELL, plain);
    cull_delete(&cull_EH_Type, plain);
    return cell;
}

static void put_together(struct qmaster *q)
{
    struct host *cell = host_of_cell(&q->hosts);
    const struct host *h;
    host_load_anew(cell);
    TAILQ_FOREACH(h, &q->hosts.cell_reporters, in_cell_reporters)
        host_load_hear(q, cell, &h->of_cell);
    load_state_say(q, cell);
}

void cell_load_hear(struct qmaster *q, const struct session *s, struct host *h,
                    const struct EH_Type *said)
{
    for (uint32_t i = 0; said != NULL && i < said->EH_load_list.n; i++)
        if (said->EH_load_list.v[i].VA_variable != NULL)
            take_value(&h->of_cell, &said->EH_load_list.v[i]);
    bool is_new = note_reporter(&q->hosts, h, is_heard(q, s, h));
    if (is_new || (said != NULL && h->is_cell_reporter))
        put_together(q);
}

void cell_load_end(struct qmaster *q, struct host *h)
{
    cull_clear(&cull_EH_Type, &h->of_cell);
    h->is_cell_refused = false;
    if (note_reporter(&q->hosts, h, false))
        put_together(q);
}
