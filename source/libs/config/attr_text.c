/* The file form of configurations, read and printed.
 *
 * Reading turns every `\`+newline, with the blanks round it, into one blank where the text around
 * it needs one: after a comma nothing is put in, so that a printed list reads back as it was.
 * Printing breaks where reading joins. */
#include "libs/config/attr_text.h"

#include <string.h>

#include "libs/uti/dstr.h"

enum { LINE_COLUMNS = 79 };

/* ---- reading ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void trim_end(struct dstr *d)
{
    while (d->len > 0 && is_blank(d->s[d->len - 1]))
        d->s[--d->len] = '\0';
}

/* append one physical line without its newline and move behind it; true if it ends in a backslash
 * (not appended) */
static bool read_physical(struct attr_reader *r, struct dstr *line)
{
    size_t len = strcspn(r->at, "\n");
    const char *from = r->at;
    r->at += len + (r->at[len] == '\n');
    r->line++;
    while (len > 0 && is_blank(from[len - 1]))
        len--;
    bool goes_on = len > 0 && from[len - 1] == '\\';
    dstr_addn(line, from, len - goes_on);
    return goes_on;
}

/* a logical line: continuation lines joined */
static void read_logical(struct attr_reader *r, struct dstr *line)
{
    dstr_clear(line);
    while (read_physical(r, line) && *r->at != '\0') {
        trim_end(line);
        while (is_blank(*r->at))
            r->at++;
        if (line->len > 0 && line->s[line->len - 1] != ',')
            dstr_addc(line, ' ');
    }
    trim_end(line);
}

bool attr_read(struct attr_reader *r, struct dstr *name, struct dstr *value)
{
    struct dstr line = DSTR_INIT;
    bool is_found = false;
    while (!is_found && *r->at != '\0') {
        read_logical(r, &line);
        const char *at = dstr_get(&line) + strspn(dstr_get(&line), " \t");
        if (*at == '\0' || *at == '#')
            continue;
        size_t len = strcspn(at, " \t");
        dstr_clear(name);
        dstr_addn(name, at, len);
        dstr_clear(value);
        dstr_add(value, at + len + strspn(at + len, " \t"));
        is_found = true;
    }
    dstr_free(&line);
    return is_found;
}

/* ---- printing ---- */

/* may a line end after TEXT[at]? Only where read_logical joins to the same again. */
static bool is_break(const char *text, size_t at)
{
    bool is_alone = !is_blank(text[at + 1]) && text[at + 1] != '\0';
    if (text[at] == ',')
        return is_alone;
    return text[at] == ' ' && is_alone && at > 0 && !is_blank(text[at - 1]) && text[at - 1] != ',';
}

/* length of the next piece that must stay together: up to and with a comma or blank outside of
 * brackets */
static size_t piece_len(const char *at)
{
    size_t len = 0;
    int depth = 0;
    for (; at[len] != '\0'; len++) {
        depth += (at[len] == '[') - (at[len] == ']' && depth > 0);
        if (depth == 0 && is_break(at, len))
            return len + 1;
    }
    return len;
}

void attr_print(struct dstr *out, unsigned width, const char *name, const char *value,
                bool is_single)
{
    size_t column = width;
    dstr_addf(out, "%-*s", (int)width, name);
    if (strlen(name) >= width) {
        dstr_addc(out, ' ');
        column = strlen(name) + 1;
    }
    for (const char *at = value; *at != '\0';) {
        size_t len = piece_len(at);
        size_t shown = len - (at[len - 1] == ' ');
        if (!is_single && at != value && column + shown > LINE_COLUMNS) {
            trim_end(out);
            dstr_addf(out, " \\\n%*s", (int)width, "");
            column = width;
        }
        dstr_addn(out, at, len);
        column += len;
        at += len;
    }
    dstr_addc(out, '\n');
}
