/* Looks for the slots of a parallel job host by host, as the scheduler gathers them, and asks the
 * allocation rule. Owns nothing. */
#include "daemons/qmaster/requests/explain/pe_room.h"

#include <stdlib.h>

#include "daemons/qmaster/jobs/bookings.h"
#include "libs/config/access.h"
#include "libs/sched/msg_sched.h"
#include "libs/sgeobj/pe_match.h"
#include "libs/sgeobj/queue_match.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/pattern.h"

bool pe_room_means(const struct pe_room *room, const struct text_object *pe)
{
    return pattern_match(room->request->JB_pe, pe->rec.TX_name);
}

static const struct text_object *first_meant(const struct pe_room *room,
                                             const struct text_object *pe)
{
    while (pe != NULL && !pe_room_means(room, pe))
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
/* the slots that QI has and that find enough there; ENOUGH says for how many its host and
 * the cell have */
static uint64_t slots_of(const struct pe_room *room, struct qinstance *qi, const char *pe,
                         struct slot_room *enough)
{
    struct dstr why = DSTR_INIT;
    bool is_fine = pe_list_has(qi->rec.QU_pe_list, pe) &&
                   room->refuses(room->q, qi, room->request, &why) == REFUSES_NOT;
    dstr_free(&why);
    if (!is_fine)
        return 0;
    *enough = bookings_room(room->q, qi, room->request, pe, room->is_empty);
    return enough->queue;
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
    out->v[out->n++].room = smaller_u64(site->room, enough->host);
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

static void begin_gathering(struct pe_room *room)
{
    room->sites = (struct gathered){ .has_begun = true, .cell = UINT64_MAX };
    walk_begin(&room->q->hosts.walks, &room->sites.hosts, room->q->hosts.all);
}

static const struct host *next_host(struct pe_room *room)
{
    return room->is_cut ? NULL : walk_take(&room->sites.hosts, offsetof(struct host, hh));
}

/* is it for the user of the request? */
static bool pe_admits(const struct pe_room *room, const struct text_object *pe)
{
    const struct PE_Type *record = pe->record;
    return access_admits(&record->PE_user_list, &record->PE_xuser_list,
                         room->request->JB_user_sets);
}

/* IN_SLICES: as long as the slice lasts; true: nothing is left to look at */
static bool gather_on(struct pe_room *room, const struct text_object *pe, bool in_slices)
{
    const struct host *h;
    if (!pe_admits(room, pe))
        return true;
    if (!room->sites.has_begun)
        begin_gathering(room);
    while ((h = next_host(room)) != NULL) {
        room->is_cut = !gather_host(room, h, pe->rec.TX_name, &room->sites);
        if (in_slices && slice_is_over(room->q))
            return false;
    }
    return true;
}

bool pe_room_gather(struct pe_room *room, const struct text_object *pe)
{
    return gather_on(room, pe, true);
}

void pe_room_forget(struct pe_room *room)
{
    walk_end(&room->sites.hosts);
    free(room->sites.v);
    room->sites = (struct gathered){ 0 };
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

static bool lays_out_none(struct pe_room *room, const struct text_object *pe, struct dstr *why)
{
    const struct PE_Type *record = pe->record;
    struct gathered *sites = &room->sites;
    struct spread_rule rule = spread_rule_read(record->PE_allocation_rule);
    uint64_t most = supply_left(pe->slots, RESOURCE_SLOTS, room->is_empty ? TIME_UNUSED : TIME_NOW);
    most = smaller_u64(most, sites->cell);
    if (room->is_cut ||
        spread_slots(rule, sites->v, sites->n, most, &room->request->JB_pe_range) > 0)
        return false;
    say_why(room, pe->rec.TX_name, rule, spread_room(rule, sites->v, sites->n, most), why);
    return true;
}

bool pe_room_refuses(struct pe_room *room, const struct text_object *pe, struct dstr *why)
{
    bool is_refused = true;
    (void)gather_on(room, pe, false);
    if (!pe_admits(room, pe))
        dstr_addf(why, MSG_WHY_PE_ACCESS_S, pe->rec.TX_name);
    else
        is_refused = lays_out_none(room, pe, why);
    pe_room_forget(room);
    return is_refused;
}
