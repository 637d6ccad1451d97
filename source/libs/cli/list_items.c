/* Splits comma-separated lists. Owns the quoting rule within option arguments. */
#include "libs/cli/list_items.h"

#include <string.h>

#include "libs/uti/dstr.h"

struct list_reader list_reader_over(const char *text)
{
    return (struct list_reader){ text, *text == '\0', false };
}

struct list_reader list_reader_over_values(const char *text)
{
    return (struct list_reader){ text, *text == '\0', true };
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* does the item end with the blanks that begin at AT? Asked of the first of them alone. */
static bool are_last(const char *at)
{
    const char *end = at + strspn(at, " \t");
    return !is_blank(at[-1]) && (*end == '\0' || *end == ',');
}

static bool is_closed_quote(const char *at)
{
    return (*at == '"' || *at == '\'') && strchr(at + 1, *at) != NULL;
}

bool list_next(struct list_reader *r, struct dstr *out)
{
    dstr_clear(out);
    if (r->is_done)
        return false;
    bool is_value_start = true, is_quoted = false;
    const char *at = r->at + strspn(r->at, " \t");
    while (*at != '\0' && *at != ',') {
        is_quoted = is_quoted || is_value_start;
        if (is_quoted && is_closed_quote(at)) {
            const char *close = strchr(at + 1, *at);
            dstr_addn(out, at + 1, (size_t)(close - at - 1));
            at = close + 1;
            is_value_start = false;
            continue;
        }
        if (!r->keeps_ends && is_blank(*at) && are_last(at)) {
            at += strspn(at, " \t");
            break;
        }
        is_quoted = is_quoted && !is_value_start;
        is_value_start = *at == '=' && memchr(dstr_get(out), '=', out->len) == NULL;
        dstr_addc(out, *at++);
    }
    r->is_done = *at == '\0';
    r->at = r->is_done ? at : at + 1;
    return true;
}
