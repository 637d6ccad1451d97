/* Requests for resources. Owns the words for a value that is not of its resource's type. */
#include "libs/config/job_resources.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libs/config/complex.h"
#include "libs/config/msg_config.h"
#include "libs/config/offers.h"
#include "libs/config/quantity.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

#define SLOTS "slots"

const struct job_limit job_limits[] = {
    { "s_rt", true },     { "h_rt", true },     { "s_cpu", true },   { "h_cpu", true },
    { "s_fsize", false }, { "h_fsize", false }, { "s_data", false }, { "h_data", false },
    { "s_stack", false }, { "h_stack", false }, { "s_core", false }, { "h_core", false },
    { "s_rss", false },   { "h_rss", false },   { "s_vmem", false }, { "h_vmem", false },
};
const unsigned job_limits_n = ARRAY_LEN(job_limits);

bool job_limit_is_one(const char *name)
{
    for (unsigned i = 0; i < job_limits_n; i++)
        if (strcmp(job_limits[i].name, name) == 0)
            return true;
    return false;
}

static const char *const value_words[] = {
    [COMPLEX_INT] = "an integer", [COMPLEX_TIME] = "a time",     [COMPLEX_MEMORY] = "a memory",
    [COMPLEX_BOOL] = "a boolean", [COMPLEX_DOUBLE] = "a double", [COMPLEX_RSMAP] = "an integer",
};

static int check_one(const struct CE_Type *ce, const char *value, struct answer *ans)
{
    double unused;
    if (strcmp(ce->CE_name, SLOTS) == 0)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_RESOURCE_SLOTS);
    if (ce->CE_requestable == COMPLEX_REQUEST_NO)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_RESOURCE_NOT_REQUESTABLE_S, ce->CE_name);
    if (value == NULL || complex_value_parse(ce, value, &unused, NULL) == 0)
        return 0;
    const char *words =
        ce->CE_valtype < ARRAY_LEN(value_words) ? value_words[ce->CE_valtype] : NULL;
    return ans_fail(ans, STATUS_ESYNTAX, MSG_RESOURCE_VALUE_SS, ce->CE_name,
                    words != NULL ? words : "a valid");
}

/* a number without the blanks around it */
static void keep_number(struct CE_Type *request, const char *value)
{
    struct dstr text = DSTR_INIT;
    dstr_add(&text, value + strspn(value, " \t"));
    while (text.len > 0 && strchr(" \t", text.s[text.len - 1]) != NULL)
        text.s[--text.len] = '\0';
    cull_set(request, CE_stringval, dstr_get(&text));
    dstr_free(&text);
}

/* Times are kept in seconds, as they are shown and accounted; other values as they were given. */
static void keep_value(struct CE_Type *request, const struct CE_Type *ce)
{
    double number = 0;
    if (ce->CE_valtype == COMPLEX_BOOL && request->CE_stringval == NULL)
        cull_set(request, CE_stringval, "TRUE");
    cull_set(request, CE_name, ce->CE_name);
    cull_set(request, CE_valtype, ce->CE_valtype);
    if (request->CE_stringval == NULL ||
        complex_value_parse(ce, request->CE_stringval, &number, NULL) != 0)
        return;
    cull_set(request, CE_doubleval, number);
    uint64_t seconds;
    if (!complex_is_text(ce->CE_valtype))
        keep_number(request, request->CE_stringval);
    if (ce->CE_valtype == COMPLEX_TIME && quantity_time_parse(request->CE_stringval, &seconds) &&
        seconds != QUANTITY_INFINITY) {
        struct dstr text = DSTR_INIT;
        dstr_addf(&text, "%" PRIu64, seconds);
        cull_set(request, CE_stringval, dstr_get(&text));
        dstr_free(&text);
    }
}

/* the last request for a resource replaces those before it, and takes the place of the first.
 * O(complex + requested) */
static void merge_equal(const struct CE_Type_list *complex, struct CE_Type_list *requested)
{
    uint32_t *at = uti_calloc((size_t)complex->n + 1, sizeof *at), kept = 0;
    for (uint32_t i = 0; i < requested->n; i++) {
        const struct CE_Type *ce = complex_find(complex, requested->v[i].CE_name);
        uint32_t *first = &at[ce - complex->v]; /* 0: not requested before */
        struct CE_Type one = requested->v[i];
        if (*first == 0)
            *first = ++kept;
        else
            cull_clear(&cull_CE_Type, &requested->v[*first - 1]);
        requested->v[*first - 1] = one;
    }
    requested->n = kept;
    free(at);
}

int job_resources_check(const struct CE_Type_list *complex, struct CE_Type_list *requested,
                        struct answer *ans)
{
    for (uint32_t i = 0; i < requested->n; i++) {
        const char *name = requested->v[i].CE_name;
        const struct CE_Type *ce = name == NULL ? NULL : complex_find(complex, name);
        if (ce == NULL)
            return ans_fail(ans, STATUS_EUNKNOWN, MSG_RESOURCE_UNKNOWN_S, name == NULL ? "" : name);
        if (check_one(ce, requested->v[i].CE_stringval, ans) != 0)
            return -1;
    }
    for (uint32_t i = 0; i < requested->n; i++)
        keep_value(&requested->v[i], complex_find(complex, requested->v[i].CE_name));
    merge_equal(complex, requested);
    return 0;
}
