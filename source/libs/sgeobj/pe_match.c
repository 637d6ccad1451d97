/* Which parallel environments are meant. Owns no data; the form of a pe_list is that of
 * queue_conf(5). */
#include "libs/sgeobj/pe_match.h"

#include <string.h>

#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

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
