/* What places have of resources, as lists, and whether that meets a request. Owns no data.
 * Source: complex(5) */
#include "libs/config/offers.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/config/complex.h"
#include "libs/uti/alloc.h"
#include "libs/uti/host_name.h"
#include "libs/uti/pattern.h"

/* ---- complex_values ---- */
void offers_read(const char *text, struct CE_Type_list *out)
{
    if (text == NULL || attr_is_none(text))
        return;
    for (size_t len; *text != '\0'; text += len + (text[len] == ',')) {
        len = strcspn(text, ",");
        size_t name_len = strcspn(text, "=");
        char *name = uti_strndup(text, name_len);
        char *value = uti_strndup(text + name_len + 1, len - name_len - 1);
        struct CE_Type *offer = cull_push(out);
        cull_set(offer, CE_name, name);
        cull_set(offer, CE_stringval, value);
        free(name);
        free(value);
    }
}

const char *offers_value(const struct CE_Type_list *offers, const char *name)
{
    for (uint32_t i = 0; i < offers->n; i++)
        if (strcmp(offers->v[i].CE_name, name) == 0)
            return offers->v[i].CE_stringval;
    return NULL;
}

/* ---- requests ---- */
bool complex_is_text(uint32_t type)
{
    return type == COMPLEX_STRING || type == COMPLEX_CSTRING || type == COMPLEX_HOST ||
           type == COMPLEX_RESTRING;
}

static char *lower_copy(const char *text)
{
    char *copy = uti_strdup(text);
    for (char *c = copy; *c != '\0'; c++)
        *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    return copy;
}

static bool pattern_means(const char *pattern, const char *text)
{
    return pattern_check(pattern, NULL) == 0 && pattern_match(pattern, text);
}

static bool pattern_means_any_case(const char *pattern, const char *text)
{
    char *small_pattern = lower_copy(pattern), *small_text = lower_copy(text);
    bool is_meant = pattern_means(small_pattern, small_text);
    free(small_pattern);
    free(small_text);
    return is_meant;
}

static bool texts_equal(uint32_t type, const char *wanted, const char *offered)
{
    switch (type) {
    case COMPLEX_CSTRING:
        return pattern_means_any_case(wanted, offered);
    case COMPLEX_HOST:
        return host_name_matches(wanted, offered);
    default:
        return pattern_means(wanted, offered);
    }
}

/* ORDER is that of what is wanted to what is offered: <0, 0 or >0 */
static bool relation_holds(uint32_t relop, int order)
{
    switch (relop) {
    case COMPLEX_EQ:
        return order == 0;
    case COMPLEX_NE:
        return order != 0;
    case COMPLEX_GE:
        return order >= 0;
    case COMPLEX_GT:
        return order > 0;
    case COMPLEX_LE:
        return order <= 0;
    case COMPLEX_LT:
        return order < 0;
    default:
        return true;
    }
}

bool numbers_meet(uint32_t relop, double wanted, double offered)
{
    return relation_holds(relop, (wanted > offered) - (wanted < offered));
}

bool complex_meets(const struct CE_Type *ce, const char *wanted, const char *offered)
{
    double want, have;
    if (complex_is_text(ce->CE_valtype))
        return relation_holds(ce->CE_relop, texts_equal(ce->CE_valtype, wanted, offered) ? 0 : -1);
    if (complex_value_parse(ce, wanted, &want, NULL) != 0 ||
        complex_value_parse(ce, offered, &have, NULL) != 0)
        return false;
    return numbers_meet(ce->CE_relop, want, have);
}
