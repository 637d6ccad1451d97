/* Chosen values by name. Invariant: each name is there once, and neither names nor values have
 * control characters. */
#include "libs/view/preferences.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"

struct preferences {
    struct {
        char *name, *value; /* owned */
    } v[PREFERENCES_MOST];
    unsigned n;
};

struct preferences *preferences_new(void)
{
    return uti_calloc(1, sizeof(struct preferences));
}

void preferences_free(struct preferences *p)
{
    for (unsigned i = 0; p != NULL && i < p->n; i++) {
        free(p->v[i].name);
        free(p->v[i].value);
    }
    free(p);
}

static unsigned find_name(const struct preferences *p, const char *name, size_t length)
{
    unsigned i = 0;
    while (i < p->n && (strlen(p->v[i].name) != length || strncmp(p->v[i].name, name, length) != 0))
        i++;
    return i;
}

/* false: there is no room */
static bool set_value(struct preferences *p, const char *name, size_t name_length,
                      const char *value, size_t length)
{
    unsigned i = find_name(p, name, name_length);
    if (i == PREFERENCES_MOST)
        return false;
    if (i == p->n)
        p->v[p->n++].name = uti_strndup(name, name_length);
    free(p->v[i].value);
    p->v[i].value = uti_strndup(value, length);
    return true;
}

static bool is_clean(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
            return false;
    return true;
}

static bool take_line(struct preferences *p, const char *line, size_t length)
{
    size_t name = strspn(line, NAME_LETTERS);
    if (length == 0 || line[0] == '#')
        return true;
    if (name == 0 || name >= length || line[name] != ':' || !is_clean(line, length))
        return false;
    const char *value = line + name + 1;
    value += strspn(value, " ");
    return set_value(p, line, name, value,
                     value < line + length ? (size_t)(line + length - value) : 0);
}

void preferences_read(struct preferences *p, const char *text, struct dstr *wrong)
{
    for (unsigned number = 1; *text != '\0'; number++) {
        size_t length = strcspn(text, "\n");
        if (!take_line(p, text, length))
            dstr_addf(wrong, "%s%u", wrong->len > 0 ? ", " : "", number);
        text += length + (text[length] == '\n');
    }
}

const char *preferences_get(const struct preferences *p, const char *name)
{
    unsigned i = find_name(p, name, strlen(name));
    return i < p->n ? p->v[i].value : NULL;
}

void preferences_set(struct preferences *p, const char *name, const char *value)
{
    (void)set_value(p, name, strlen(name), value, strlen(value));
}

void preferences_text(const struct preferences *p, struct dstr *out)
{
    for (unsigned i = 0; i < p->n; i++)
        dstr_addf(out, "%s: %s\n", p->v[i].name, p->v[i].value);
}
