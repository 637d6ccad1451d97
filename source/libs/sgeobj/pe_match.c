/* Which parallel environments and how many slots are meant. Owns no data; the form of a pe_list is
 * that of queue_conf(5). */
#include "libs/sgeobj/pe_match.h"

#include <string.h>

#include "libs/uti/dstr.h"
#include "libs/uti/pattern.h"

static const char separators[] = " ,\t";

bool pe_list_has(const char *pe_list, const char *pe)
{
    size_t wanted = strlen(pe);
    for (const char *at = pe_list; at != NULL && *at != '\0';) {
        size_t len = strcspn(at, separators);
        if (len == wanted && len > 0 && memcmp(at, pe, len) == 0)
            return strcasecmp(pe_list, "NONE") != 0;
        at += len + (at[len] != '\0');
    }
    return false;
}

bool pe_list_meets(const char *pe_list, const char *wc_pe)
{
    struct dstr name = DSTR_INIT;
    bool meets = false;
    if (pe_list == NULL || strcasecmp(pe_list, "NONE") == 0)
        return false;
    for (const char *at = pe_list; *at != '\0' && !meets;) {
        size_t len = strcspn(at, separators);
        dstr_clear(&name);
        dstr_addn(&name, at, len);
        meets = len > 0 && pattern_match(wc_pe, dstr_get(&name));
        at += len + (at[len] != '\0');
    }
    dstr_free(&name);
    return meets;
}

uint32_t pe_slots_least(const struct JB_Type *job)
{
    uint32_t least = 1;
    return range_set_min(&job->JB_pe_range, &least) && least > 0 ? least : 1;
}

uint32_t pe_slots_ranges(const struct JB_Type *job)
{
    uint32_t n = 0;
    struct range r;
    for (uint64_t at = 0; range_set_next_run(&job->JB_pe_range, at, &r); at = (uint64_t)r.last + 1)
        n++;
    return n;
}

/* the last of the single numbers from FIRST on that lie STEP apart, with others between */
static uint32_t last_of_stride(const struct range_set *slots, uint32_t first, uint32_t step)
{
    struct range r;
    uint32_t last = first;
    while (range_set_next_run(slots, (uint64_t)last + 1, &r) && r.first == r.last &&
           r.first - last == step)
        last = r.first;
    return last;
}

/* FIRST, a range by itself, is the first of three or more numbers with equal steps: the last of
 * them; else FIRST */
static uint32_t stride_at(const struct range_set *slots, uint32_t first, uint32_t *step)
{
    struct range next;
    if (!range_set_next_run(slots, (uint64_t)first + 1, &next))
        return first;
    *step = next.first - first;
    uint32_t last = last_of_stride(slots, first, *step);
    return last > next.first ? last : first;
}

void pe_slots_text(const struct JB_Type *job, struct dstr *out)
{
    struct range r;
    const char *separator = "";
    for (uint64_t at = 0; range_set_next_run(&job->JB_pe_range, at, &r);
         at = (uint64_t)r.last + 1) {
        uint32_t step = 1;
        if (r.first == r.last)
            r.last = stride_at(&job->JB_pe_range, r.first, &step);
        dstr_addf(out, "%s%u", separator, r.first);
        if (r.last > r.first)
            dstr_addf(out, "-%u", r.last);
        if (step > 1 && r.last > r.first)
            dstr_addf(out, ":%u", step);
        separator = ",";
    }
}
