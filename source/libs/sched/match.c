/* Which queue instances a -q request means. Pure functions on names; the first `@` parts cluster queue from host.
 * Source: sge_types(1) wc_queue_list */
#include "libs/sched/match.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

/* does PATTERN, up to LEN bytes, match the part of NAME of NAME_LEN bytes? */
static bool part_match(const char *pattern, size_t len, const char *name, size_t name_len)
{
    struct dstr p = DSTR_INIT, n = DSTR_INIT;

    dstr_addn(&p, pattern, len);
    dstr_addn(&n, name, name_len);
    bool is_match = pattern_match(dstr_get(&p), dstr_get(&n));
    dstr_free(&p);
    dstr_free(&n);
    return is_match;
}

bool queue_request_match(const char *wc_queue, const char *name)
{
    const char *wanted_host = strchr(wc_queue, '@');
    const char *host = strchr(name, '@');
    size_t cluster_len = host != NULL ? (size_t)(host - name) : strlen(name);

    if (wanted_host == NULL)
        return part_match(wc_queue, strlen(wc_queue), name, cluster_len);
    if (wanted_host[1] == '@' || host == NULL)
        return false;
    if (!part_match(wc_queue, (size_t)(wanted_host - wc_queue), name, cluster_len))
        return false;
    return pattern_match(wanted_host + 1, host + 1);
}

bool queue_requests_match(const struct QR_Type_list *requests, const char *name)
{
    if (requests->n == 0)
        return true;
    for (uint32_t i = 0; i < requests->n; i++)
        if (requests->v[i].QR_name != NULL && queue_request_match(requests->v[i].QR_name, name))
            return true;
    return false;
}
