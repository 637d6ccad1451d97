/* Looks for the slots of a parallel job host by host, as the scheduler gathers them, and asks the
 * allocation rule. Owns nothing. */
#include "daemons/qmaster/requests/pe_room.h"

#include <stdlib.h>

#include "daemons/qmaster/jobs/takings.h"
#include "libs/config/access.h"
#include "libs/sched/msg_sched.h"
#include "libs/sched/spread.h"
#include "libs/sgeobj/pe_match.h"
#include "libs/sgeobj/queue_match.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

static const struct text_object *first_meant(const struct pe_room *room,
                                             const struct text_object *pe)
{
    while (pe != NULL && !pattern_match(room->request->JB_pe, pe->rec.TX_name))
        pe = pe->hh.next;
    return pe;
}

const struct text_object *pe_room_first(const struct pe_room *room)
{
    return first_meant(room, room->q->settings.texts[GDI_PE]);
}

const struct text_object *pe_room_next(const struct pe_room *room, const struct text_object *pe)
{
    return first_meant(room, pe->hh.next);
}

/* ---- gathering ---- */
struct gathered {
    struct spread_site *v; /* owned */
    uint32_t n, cap;
    uint64_t cell; /* for so many slots the cell has enough */
};

static uint64_t less_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* the slots that QI has and that find enough there; ENOUGH says for how many its host and
 * the cell have */
static uint64_t slots_of(const struct pe_room *room, struct qinstance *qi, const char *pe,
                         struct slot_room *enough)
{
    struct dstr why = DSTR_INIT;
    uint32_t all = qi->rec.QU_job_slots, used = room->is_empty ? 0 : qi->rec.QU_slots_used;
    bool is_fine =
        pe_list_has(qi->rec.QU_pe_list, pe) && !room->refuses(room->q, qi, room->request, &why);
    dstr_free(&why);
    if (!is_fine || all <= used)
        return 0;
    *enough = takings_room(room->q, qi, room->request, room->is_empty);
    return less_of(all - used, enough->queue);
}

static bool may_lead(const struct pe_room *room, struct qinstance *qi)
{
    return queue_match_any(&room->request->JB_master_hard_queue_list, qi->rec.QU_full_name,
                           &qi->rec.QU_hostgroups);
}

static void add_site(struct gathered *out, const struct spread_site *site,
                     const struct slot_room *enough)
{
    out->v = uti_vec_grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
    out->v[out->n] = *site;
    out->v[out->n++].room = less_of(site->room, enough->host);
    out->cell = enough->cell;
}

/* false if no more instances may be looked at */
static bool gather_host(struct pe_room *room, const struct host *h, const char *pe,
                        struct gathered *out)
{
    struct spread_site site = { 0 };
    struct slot_room enough = { 0 };
    struct qinstance *qi;
    LIST_FOREACH(qi, &h->instances, in_host) {
        if (room->left == 0)
            return false;
        room->left--;
        uint64_t slots = qinstance_is_there(qi) ? slots_of(room, qi, pe, &enough) : 0;
        site.room += slots;
        site.may_lead |= slots > 0 && may_lead(room, qi);
    }
    if (site.room > 0)
        add_site(out, &site, &enough);
    return true;
}

static void gather_hosts(struct pe_room *room, const char *pe, struct gathered *out)
{
    for (const struct host *h = room->q->hosts.all; h != NULL; h = h->hh.next)
        if (!gather_host(room, h, pe, out)) {
            room->is_cut = true;
            return;
        }
}

/* ---- judging ---- */
static void say_why(const struct pe_room *room, const char *pe, struct spread_rule rule,
                    uint64_t offers, struct dstr *why)
{
    if (offers < pe_slots_least(room->request))
        dstr_addf(why, MSG_WHY_PE_SLOTS_SU, pe, (unsigned)offers);
    else if (rule.kind == SPREAD_EACH && rule.each > 1)
        dstr_addf(why, MSG_WHY_PE_MULTIPLE_SUU, pe, (unsigned)offers, rule.each);
    else
        dstr_addf(why, MSG_WHY_PE_NO_MASTER_S, pe);
}

bool pe_room_refuses(struct pe_room *room, const struct text_object *pe, struct dstr *why)
{
    const struct PE_Type *record = pe->record;
    const char *name = pe->rec.TX_name;
    struct spread_rule rule = spread_rule_read(record->PE_allocation_rule);
    uint64_t used = room->is_empty ? 0 : pe->slots_used;
    uint64_t most = record->PE_slots > used ? record->PE_slots - used : 0;
    struct gathered sites = { .cell = UINT64_MAX };
    if (!access_admits(&record->PE_user_list, &record->PE_xuser_list,
                       room->request->JB_user_sets)) {
        dstr_addf(why, MSG_WHY_PE_ACCESS_S, name);
        return true;
    }
    gather_hosts(room, name, &sites);
    most = less_of(most, sites.cell);
    uint32_t slots = spread_slots(rule, sites.v, sites.n, most, &room->request->JB_pe_range);
    bool is_refused = slots == 0 && !room->is_cut;
    if (is_refused)
        say_why(room, name, rule, spread_room(rule, sites.v, sites.n, most), why);
    free(sites.v);
    return is_refused;
}
