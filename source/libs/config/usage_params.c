/* Which usage counts for the share tree, and how it decays. Source: sched_conf(5). */
#include "libs/config/usage_params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

enum { S_PER_HOUR = 3600, S_PER_MINUTE = 60, HALFLIFE_MOST = 5256000 /* ten years, in minutes */ };
const char *const usage_names_always[USAGE_NAMES_ALWAYS] = { "cpu", "mem", "io" };

bool usage_is_of_hosts(const char *name, size_t len)
{
    static const char *const names[] = { "cpu", "mem", "io", "wallclock", "slots" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strlen(names[i]) == len && strncmp(names[i], name, len) == 0)
            return true;
    return false;
}

/* the LEN bytes at TEXT as a number */
static bool number_at(const char *text, size_t len, double *out)
{
    char *own = uti_strndup(text, len);
    bool is_one = parse_double(own, out);
    free(own);
    return is_one;
}

/* ---- halflife_decay_list: name=minutes, with colons between ---- */

struct decay_entry {
    const char *name;
    size_t len;
    double minutes;
    bool is_good;
};

/* the entry at *AT, which moves on to the next one; false at the end */
static bool take_decay(const char **at, struct decay_entry *out)
{
    *at += strspn(*at, ":, ");
    if (**at == '\0')
        return false;
    size_t len = strcspn(*at, ":, "), name = strcspn(*at, "=");
    *out = (struct decay_entry){ .name = *at, .len = name };
    if (name > 0 && name < len)
        out->is_good = number_at(*at + name + 1, len - name - 1, &out->minutes) &&
                       name <= USAGE_NAME_MOST && (out->minutes == -1 || out->minutes >= 0) &&
                       out->minutes <= HALFLIFE_MOST;
    *at += len;
    return true;
}

bool usage_decays_are_valid(const char *value)
{
    struct decay_entry entry;
    int n = 0;
    if (attr_is_none(value))
        return true;
    for (const char *at = value; take_decay(&at, &entry); n++)
        if (!entry.is_good || n >= USAGE_NAMES_MOST)
            return false;
    return true;
}

double usage_halftime_s(const struct usage_params *params, const char *name)
{
    struct decay_entry entry;
    for (const char *at = params->decays; take_decay(&at, &entry);)
        if (entry.is_good && strlen(name) == entry.len && strncmp(entry.name, name, entry.len) == 0)
            return entry.minutes * S_PER_MINUTE;
    return params->halftime_h * S_PER_HOUR;
}

/* ---- usage_weight_list ---- */

static void put_weight(struct UA_Type_list *out, const char *name, size_t len, const double *weight)
{
    uint32_t i = 0;
    while (i < out->n &&
           (strlen(out->v[i].UA_name) != len || strncmp(out->v[i].UA_name, name, len) != 0))
        i++;
    if (i == out->n && i >= USAGE_NAMES_ALWAYS + 2 * USAGE_NAMES_MOST)
        return;
    if (i == out->n) {
        struct dstr text = DSTR_INIT;
        struct UA_Type *figure = cull_push(out);
        dstr_addn(&text, name, len);
        cull_set(figure, UA_name, dstr_get(&text));
        cull_set(figure, UA_value, 0);
        dstr_free(&text);
    }
    if (weight != NULL)
        cull_set(&out->v[i], UA_value, *weight);
}

void usage_weights_read(const struct usage_params *params, struct UA_Type_list *out)
{
    const char *list = params->weights;
    struct decay_entry entry;
    for (size_t i = 0; i < USAGE_NAMES_ALWAYS; i++)
        put_weight(out, usage_names_always[i], strlen(usage_names_always[i]), NULL);
    for (const char *at = list; !attr_is_none(list) && *at != '\0'; at += strspn(at, ", ")) {
        size_t len = strcspn(at, ", "), name = strcspn(at, "=");
        double weight = 0;
        if (name > 0 && name < len && name <= USAGE_NAME_MOST &&
            number_at(at + name + 1, len - name - 1, &weight))
            put_weight(out, at, name, &weight);
        at += len;
    }
    for (const char *at = params->decays; take_decay(&at, &entry);)
        if (entry.is_good)
            put_weight(out, entry.name, entry.len, NULL);
}

/* ---- decay ---- */

double usage_decayed(double value, double halftime_s, double seconds)
{
    if (halftime_s < 0)
        return 0;
    return halftime_s > 0 && seconds > 0 ? value * exp2(-seconds / halftime_s) : value;
}

/* the integral of 2^(-(S-t)/H) over t from 0 to S, divided by S */
double usage_spread(double value, double halftime_s, double seconds)
{
    double x = halftime_s > 0 ? seconds / halftime_s * M_LN2 : 0;
    return x > 1e-9 ? value * -expm1(-x) / x : value;
}
