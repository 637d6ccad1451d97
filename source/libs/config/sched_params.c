/* The grammars of scheduler parameters: a function for each, in a table. Whether a resource exists
 * only the qmaster knows; to everybody else each name may be one. Source: sched_conf(5) */
#include "libs/config/sched_params.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/config/complex.h"
#include "libs/config/msg_config.h"
#include "libs/config/usage_params.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/parse.h"

/* is what the LEN bytes at NAME are called a resource that is a number? */
static bool is_numeric_resource(const struct CE_Type_list *complex, const char *name, size_t len)
{
    char *own = uti_strndup(name, len);
    const struct CE_Type *ce = complex != NULL ? complex_find(complex, own) : NULL;
    bool may_be_one = complex == NULL && object_name_is_valid(own);
    free(own);
    if (may_be_one)
        return true;
    return ce != NULL && (ce->CE_valtype == COMPLEX_INT || ce->CE_valtype == COMPLEX_TIME ||
                          ce->CE_valtype == COMPLEX_MEMORY || ce->CE_valtype == COMPLEX_DOUBLE);
}

static bool is_decimal(const char *text, size_t len)
{
    double number;
    char *own = uti_strndup(text, len);
    bool is_good = parse_double(own, &number);
    free(own);
    return is_good;
}

/* is TERM, LEN bytes, a number or resource, or either with *factor behind it? */
static bool is_term(const struct CE_Type_list *complex, const char *term, size_t len)
{
    size_t first = 0;
    while (first < len && term[first] != '*')
        first++;
    if (!is_numeric_resource(complex, term, first) && !is_decimal(term, first))
        return false;
    return first == len || is_decimal(term + first + 1, len - first - 1);
}

/* np_load_avg*2+load_short-1 */
static bool is_formula(const struct CE_Type_list *complex, const char *value)
{
    for (const char *at = value;; at++) {
        size_t len = strcspn(at, "+-");
        if (!is_term(complex, at, len))
            return false;
        at += len;
        if (*at == '\0')
            return true;
    }
}

/* the schedulers there are (libs/sched/policy/conf.c) */
#ifdef SCHEDULER_SAMPLES
#define ALGORITHMS "default", "depth_first", "ext_deadline", "ext_mysched", "ext_mysched2"
#else
#define ALGORITHMS "default", "depth_first"
#endif

typedef bool (*setting_fn)(const struct CE_Type_list *complex, const char *name, size_t len,
                           const char *value, size_t value_len);

/* a list of name=value with commas or blanks between, each good for IS_GOOD */
static bool are_settings(const struct CE_Type_list *complex, const char *list, setting_fn is_good)
{
    for (const char *at = list; *at != '\0'; at += strspn(at, ", ")) {
        size_t len = strcspn(at, ", "), name = strcspn(at, "=");
        if (name >= len || !is_good(complex, at, name, at + name + 1, len - name - 1))
            return false;
        at += len;
    }
    return true;
}

static bool is_adjustment(const struct CE_Type_list *complex, const char *name, size_t len,
                          const char *value, size_t value_len)
{
    return is_numeric_resource(complex, name, len) && is_decimal(value, value_len);
}

static bool is_one_of(const char *const *words, size_t n, const char *name, size_t len)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(words[i]) == len && strncmp(words[i], name, len) == 0)
            return true;
    return false;
}

static bool is_usage_weight(const struct CE_Type_list *complex, const char *name, size_t len,
                            const char *value, size_t value_len)
{
    return len <= USAGE_NAME_MOST && value[0] != '-' && is_decimal(value, value_len) &&
           (usage_is_of_hosts(name, len) || is_numeric_resource(complex, name, len));
}

static bool are_usage_weights(const struct CE_Type_list *complex, const char *list)
{
    int n = 0;
    for (const char *at = list; *at != '\0'; at += strspn(at, ", "), n++)
        at += strcspn(at, ", ");
    return n <= USAGE_NAMES_MOST && are_settings(complex, list, is_usage_weight);
}

static bool are_decays(const struct CE_Type_list *complex SGE_UNUSED, const char *list)
{
    return usage_decays_are_valid(list);
}

static bool is_count(const char *text, size_t len)
{
    uint32_t number;
    char *own = uti_strndup(text, len);
    bool is_good = parse_u32(own, &number);
    free(own);
    return is_good;
}

static bool is_param(const struct CE_Type_list *complex SGE_UNUSED, const char *name, size_t len,
                     const char *value SGE_UNUSED, size_t value_len)
{
    static const char frames[] = "DEPTH_FIRST_FRAMES";
    static const char *const known[] = { "DURATION_OFFSET", "JC_FILTER", "MONITOR",
                                         "PE_RANGE_ALG",    "PROFILE",   "RECORD" };
    if (len == sizeof frames - 1 && strncmp(frames, name, len) == 0)
        return is_count(value, value_len);
    return is_one_of(known, ARRAY_LEN(known), name, len) && value_len > 0;
}

/* each policy once at most */
static bool is_hierarchy(const struct CE_Type_list *complex SGE_UNUSED, const char *value)
{
    if (strspn(value, "OFS") != strlen(value))
        return false;
    for (const char *at = value; *at != '\0'; at++)
        if (strchr(at + 1, *at) != NULL)
            return false;
    return true;
}

bool sched_plugin_is_name(const char *name)
{
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.",
                      end[] = ".so";
    size_t len = strlen(name), at_end = sizeof end - 1;
    return len > at_end && len <= SCHED_PLUGIN_NAME_MOST && name[0] != '.' &&
           strspn(name, good) == len && strcmp(name + len - at_end, end) == 0;
}

static bool is_algorithm(const struct CE_Type_list *complex SGE_UNUSED, const char *value)
{
    const char *const known[] = { ALGORITHMS };
    return is_one_of(known, ARRAY_LEN(known), value, strlen(value)) || sched_plugin_is_name(value);
}

static const struct {
    const char *param;
    bool (*is_good)(const struct CE_Type_list *complex, const char *value);
    setting_fn each; /* for each name=value of a list; NULL: is_good is for the whole */
    const char *wants;
} grammars[] = {
    { "load_formula", is_formula, NULL,
      "a sum of resources and numbers, each with *factor if wanted: np_load_avg*2+load_short-1" },
    { "job_load_adjustments", NULL, is_adjustment, "NONE or a list of resource=number" },
    { "usage_weight_list", are_usage_weights, NULL,
      "a list of up to 8 of cpu=number, mem=, io=, wallclock=, slots= and RESOURCE=" },
    { "halflife_decay_list", are_decays, NULL,
      "none or up to 8 entries usage=minutes with colons between, minutes from 0 to 5256000, or "
      "-1" },
    { "policy_hierarchy", is_hierarchy, NULL, "NONE or some of the letters O, F and S, each once" },
    { "algorithm", is_algorithm, NULL,
      "one of the schedulers of sched_conf(5), or the name of a shared object: NAME.so" },
    { "params", NULL, is_param,
      "NONE or a list of DEPTH_FIRST_FRAMES=number, DURATION_OFFSET=, JC_FILTER=, MONITOR=, "
      "PE_RANGE_ALG=, PROFILE= and RECORD=" },
};

int sched_param_check(const char *param, const char *value, const struct CE_Type_list *complex,
                      struct answer *ans)
{
    size_t i = 0;
    while (i < ARRAY_LEN(grammars) && strcmp(grammars[i].param, param) != 0)
        i++;
    if (i == ARRAY_LEN(grammars) || attr_is_none(value))
        return 0;
    bool is_good = grammars[i].each != NULL ? are_settings(complex, value, grammars[i].each)
                                            : grammars[i].is_good(complex, value);
    return is_good ? 0
                   : ans_fail(ans, STATUS_ESYNTAX, MSG_ATTR_VALUE_SSSSS, param, value,
                              grammars[i].wants, "", "");
}
