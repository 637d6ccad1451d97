/* Which queue instances a wc_queue means. Pure functions on names; the first `@` parts cluster
 * queue from host or host group, whose own name begins with another `@`. */
#include "libs/sgeobj/queue_match.h"

#include <string.h>

#include "libs/uti/dstr.h"
#include "libs/uti/host_name.h"
#include "libs/uti/pattern.h"

/* the place whose host part is compared */
struct place {
    const char *host;
    const struct ST_Type_list *groups;
};

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

/* does WORD, without its `@`, mean a group that the place is in? */
static bool group_word(const void *place, const char *word, size_t len)
{
    const struct ST_Type_list *groups = ((const struct place *)place)->groups;
    bool has_sign = len > 0 && *word == '@';

    for (uint32_t i = 0; groups != NULL && i < groups->n; i++) {
        const char *name = groups->v[i].ST_name;
        if (name != NULL &&
            pattern_word_match(word + has_sign, len - has_sign, name + (*name == '@')))
            return true;
    }
    return false;
}

static bool host_word(const void *place, const char *word, size_t len)
{
    return len > 0 && *word == '@'
               ? group_word(place, word, len)
               : host_name_word_matches(word, len, ((const struct place *)place)->host);
}

static bool some_group_matches(const char *wc_hostgroup, const struct ST_Type_list *groups)
{
    for (uint32_t i = 0; groups != NULL && i < groups->n; i++) {
        const struct ST_Type_list one = { .v = &groups->v[i], .n = 1 };
        const struct place place = { NULL, &one };
        if (pattern_match_words(wc_hostgroup, group_word, &place))
            return true;
    }
    return false;
}

bool queue_host_match(const char *wc_host, const char *host, const struct ST_Type_list *groups)
{
    const struct place place = { host, groups };

    if (*wc_host == '@')
        return some_group_matches(wc_host + 1, groups);
    return pattern_match_words(wc_host, host_word, &place);
}

bool queue_match(const char *wc_queue, const char *name, const struct ST_Type_list *groups)
{
    const char *wanted_host = strchr(wc_queue, '@');
    const char *host = strchr(name, '@');
    size_t cluster_len = host != NULL ? (size_t)(host - name) : strlen(name);

    if (wanted_host == NULL)
        return part_match(wc_queue, strlen(wc_queue), name, cluster_len);
    if (host == NULL || !part_match(wc_queue, (size_t)(wanted_host - wc_queue), name, cluster_len))
        return false;
    return queue_host_match(wanted_host + 1, host + 1, groups);
}

bool queue_match_any(const struct QR_Type_list *wc_queues, const char *name,
                     const struct ST_Type_list *groups)
{
    if (wc_queues->n == 0)
        return true;
    for (uint32_t i = 0; i < wc_queues->n; i++)
        if (wc_queues->v[i].QR_name != NULL && queue_match(wc_queues->v[i].QR_name, name, groups))
            return true;
    return false;
}
