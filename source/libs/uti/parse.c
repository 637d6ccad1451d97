/* Numbers in texts. Pure: no locale, no state. */
#include "libs/uti/parse.h"
#include "libs/uti/alloc.h"
#include "libs/uti/c_locale.h"
#include "libs/uti/dstr.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool parse_u64(const char *s, uint64_t *out)
{
    uint64_t v = 0;
    if (*s == '\0')
        return false;
    for (; *s != '\0'; s++) {
        if (*s < '0' || *s > '9')
            return false;
        if (__builtin_mul_overflow(v, 10u, &v) ||
            __builtin_add_overflow(v, (unsigned)(*s - '0'), &v))
            return false;
    }
    *out = v;
    return true;
}

bool parse_u32(const char *s, uint32_t *out)
{
    uint64_t v;
    if (!parse_u64(s, &v) || v > UINT32_MAX)
        return false;
    *out = (uint32_t)v;
    return true;
}

bool parse_i32(const char *s, int32_t *out)
{
    bool is_negative = *s == '-';
    uint64_t v;
    if (*s == '-' || *s == '+')
        s++;
    if (!parse_u64(s, &v) || v > (uint64_t)INT32_MAX + is_negative)
        return false;
    *out = (int32_t)(is_negative ? -(int64_t)v : (int64_t)v);
    return true;
}

bool parse_double(const char *s, double *out)
{
    /* strtod also takes blanks, hexadecimal, "inf" and "nan", which are not values here */
    if (*s == '\0' || s[strspn(s, "0123456789.eE+-")] != '\0')
        return false;
    char *end;
    errno = 0;
    double v = strtod_l(s, &end, uti_c_locale());
    if (end == s || *end != '\0' || (errno == ERANGE && isinf(v)))
        return false;
    *out = v;
    return true;
}

/* ---- comma-separated lists, with the quoting rule of option arguments ---- */
struct list_reader list_reader_over(const char *text)
{
    return (struct list_reader){ .at = text, .has_quotes = true };
}

struct list_reader list_reader_over_values(const char *text)
{
    return (struct list_reader){ .at = text, .has_quotes = true, .keeps_ends = true };
}

struct list_reader list_reader_over_requests(const char *text)
{
    return (struct list_reader){ .at = text, .has_quotes = true, .has_blanks = true };
}

struct list_reader list_reader_over_names(const char *text)
{
    return (struct list_reader){ .at = text };
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* what the blanks at AT, inside an item, are */
enum blanks { ORDINARY, IGNORED, LAST };

static enum blanks blanks_at(const struct list_reader *r, const char *at)
{
    if (r->keeps_ends || is_blank(at[-1])) /* only the first of them is looked at */
        return ORDINARY;
    char next = at[strspn(at, " \t")];
    if (next == '\0' || next == ',')
        return LAST;
    if (!r->has_blanks)
        return ORDINARY;
    return next == '=' || at[-1] == '=' ? IGNORED : LAST;
}

static bool is_closed_quote(const char *at)
{
    return (*at == '"' || *at == '\'') && strchr(at + 1, *at) != NULL;
}

/* The item at R, which is no blank; R moves behind it and the comma. */
static void take_item(struct list_reader *r, struct dstr *out)
{
    bool is_value_start = true, is_quoted = false;
    const char *at = r->at;
    while (*at != '\0' && *at != ',') {
        is_quoted = r->has_quotes && (is_quoted || is_value_start);
        if (is_quoted && is_closed_quote(at)) {
            const char *close = strchr(at + 1, *at);
            dstr_addn(out, at + 1, (size_t)(close - at - 1));
            at = close + 1;
            is_value_start = false;
            continue;
        }
        enum blanks blanks = is_blank(*at) ? blanks_at(r, at) : ORDINARY;
        if (blanks != ORDINARY)
            at += strspn(at, " \t");
        if (blanks == LAST)
            break;
        if (blanks == IGNORED)
            continue;
        is_quoted = is_quoted && !is_value_start;
        is_value_start = *at == '=' && memchr(dstr_get(out), '=', out->len) == NULL;
        dstr_addc(out, *at++);
    }
    r->at = *at == ',' ? at + 1 : at;
}

bool list_next(struct list_reader *r, struct dstr *out)
{
    dstr_clear(out);
    while (out->len == 0) {
        r->at += strspn(r->at, " \t,");
        if (*r->at == '\0')
            return false;
        take_item(r, out);
    }
    return true;
}

/* ---- lists of names ---- */

void name_list_add(struct name_list *list, const char *name, size_t len)
{
    list->v = uti_vec_grow(list->v, &list->cap, list->n + 1, sizeof *list->v);
    list->v[list->n++] = uti_strndup(name, len);
}

static void add_items(struct name_list *list, struct list_reader r)
{
    struct dstr item = DSTR_INIT;
    while (list_next(&r, &item))
        name_list_add(list, dstr_get(&item), item.len);
    dstr_free(&item);
}

void name_list_split(struct name_list *list, const char *names)
{
    add_items(list, list_reader_over_names(names));
}

void name_list_split_requests(struct name_list *list, const char *requests)
{
    add_items(list, list_reader_over_requests(requests));
}

bool name_list_has(const struct name_list *list, const char *name)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (strcmp(list->v[i], name) == 0)
            return true;
    }
    return false;
}

void name_list_free(struct name_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        free(list->v[i]);
    free(list->v);
    *list = (struct name_list){ 0 };
}
