/* Splits comma-separated lists. Owns the quoting rule within option arguments. */
#include "libs/uti/list_items.h"

#include <string.h>

#include "libs/uti/dstr.h"

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
