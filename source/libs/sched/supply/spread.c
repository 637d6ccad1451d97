/* The allocation rules. Owns no data.
 *
 * Each rule says how many slots there are at most (spread_room), of which the greatest wanted
 * number is taken, and then where they are (one function each). Hosts come the best first, and that
 * order decides between hosts that are as good. */
#include "libs/sched/supply/spread.h"

#include <string.h>

#include "libs/sgeobj/pe_match.h"
#include "libs/uti/parse.h"

struct spread_rule spread_rule_read(const char *text)
{
    uint32_t each;
    if (text != NULL && strcasecmp(text, "$fill_up") == 0)
        return (struct spread_rule){ SPREAD_FILL_UP, 0 };
    if (text != NULL && strcasecmp(text, "$round_robin") == 0)
        return (struct spread_rule){ SPREAD_ROUND_ROBIN, 0 };
    if (text != NULL && parse_u32(text, &each) && each > 0)
        return (struct spread_rule){ SPREAD_EACH, each };
    return (struct spread_rule){ SPREAD_ON_ONE, 0 };
}

bool spread_fits(struct spread_rule rule, uint32_t n)
{
    return rule.kind != SPREAD_EACH || n % rule.each == 0;
}

/* ---- how many ---- */
uint64_t spread_room(struct spread_rule rule, const struct spread_site *sites, uint32_t n,
                     uint64_t most)
{
    uint64_t room = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t here = smaller_u64(sites[i].room, SLOTS_OF_TASK_MOST);
        if (rule.kind == SPREAD_ON_ONE)
            room = sites[i].may_lead && here > room ? here : room;
        else if (rule.kind == SPREAD_EACH)
            room += here >= rule.each ? rule.each : 0;
        else
            room += here;
    }
    return smaller_u64(room, most);
}

/* the greatest number of WANTED that is not above ROOM and that RULE allows; 0 if there is none */
static uint32_t best_number(struct spread_rule rule, const struct range_set *wanted, uint64_t room)
{
    uint32_t best = 0, step = rule.kind == SPREAD_EACH ? rule.each : 1;
    struct range r;
    for (uint64_t at = 1; range_set_next_run(wanted, at, &r) && r.first <= room;
         at = (uint64_t)r.last + 1) {
        uint32_t number = (uint32_t)smaller_u64(r.last, room) / step * step;
        best = number >= r.first && number > 0 ? number : best;
    }
    return best;
}

/* ---- where ---- */
static uint32_t slots_in(const struct spread_site *site, uint32_t left)
{
    return (uint32_t)smaller_u64(site->room, left);
}

static void put_on_one(struct spread_site *sites, uint32_t n, uint32_t slots)
{
    for (uint32_t i = 0; i < n; i++)
        if (sites[i].may_lead && sites[i].room >= slots) {
            sites[i].n_slots = slots;
            return;
        }
}

static void put_in_order(struct spread_site *sites, uint32_t n, uint32_t slots)
{
    for (uint32_t i = 0; i < n && slots > 0; i++) {
        sites[i].n_slots = slots_in(&sites[i], slots);
        slots -= sites[i].n_slots;
    }
}

static void put_so_many(struct spread_site *sites, uint32_t n, uint32_t slots, uint32_t each)
{
    for (uint32_t i = 0; i < n && slots > 0; i++)
        if (sites[i].room >= each) {
            sites[i].n_slots = each;
            slots -= each;
        }
}

/* one more for each of the first sites with room, LEFT times */
static void deal_rest(struct spread_site *sites, uint32_t n, uint32_t left)
{
    for (uint32_t i = 0; i < n && left > 0; i++)
        if (sites[i].room > sites[i].n_slots) {
            sites[i].n_slots++;
            left--;
        }
}

/* how many slots the sites hold when none has more than LEVEL */
static uint64_t slots_up_to(const struct spread_site *sites, uint32_t n, uint32_t level)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += smaller_u64(sites[i].room, level);
    return sum;
}

/* After as many whole turns as there are slots for, each site has that many slots or is full; the
 * first of those that are not full get what is left. */
static void put_in_turns(struct spread_site *sites, uint32_t n, uint32_t slots)
{
    uint32_t level = 0, above = slots + 1;
    while (above - level > 1) {
        uint32_t middle = level + (above - level) / 2;
        if (slots_up_to(sites, n, middle) <= slots)
            level = middle;
        else
            above = middle;
    }
    uint64_t dealt = 0;
    for (uint32_t i = 0; i < n; i++)
        dealt += sites[i].n_slots = slots_in(&sites[i], level);
    deal_rest(sites, n, (uint32_t)(slots - dealt));
}

/* the first site that could be the master's goes before the others; false if there is none */
static bool put_master_first(struct spread_rule rule, struct spread_site *sites, uint32_t n)
{
    uint64_t needed = rule.kind == SPREAD_EACH ? rule.each : 1;
    uint32_t i = 0;
    while (i < n && !(sites[i].may_lead && sites[i].room >= needed))
        i++;
    if (i == n)
        return false;
    struct spread_site master = sites[i];
    memmove(&sites[1], &sites[0], i * sizeof *sites);
    sites[0] = master;
    return true;
}

uint32_t spread_slots(struct spread_rule rule, struct spread_site *sites, uint32_t n, uint64_t most,
                      const struct range_set *wanted)
{
    for (uint32_t i = 0; i < n; i++)
        sites[i].n_slots = 0;
    uint32_t slots = best_number(rule, wanted, spread_room(rule, sites, n, most));
    if (slots == 0 || !put_master_first(rule, sites, n))
        return 0;
    if (rule.kind == SPREAD_ON_ONE)
        put_on_one(sites, n, slots);
    else if (rule.kind == SPREAD_FILL_UP)
        put_in_order(sites, n, slots);
    else if (rule.kind == SPREAD_ROUND_ROBIN)
        put_in_turns(sites, n, slots);
    else
        put_so_many(sites, n, slots, rule.each);
    return slots;
}
