/* The reader of a sensor's lines. What is malformed is skipped and counted, never guessed at: a
 * sensor that prints nonsense costs a line's memory and no value that others rely on. */
#include "daemons/execd/host/sensor_text.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"

void sensor_values_free(struct sensor_values *l)
{
    for (uint32_t i = 0; i < l->n; i++) {
        free(l->v[i].host);
        free(l->v[i].name);
        free(l->v[i].value);
    }
    free(l->v);
    *l = (struct sensor_values){ 0 };
}

static bool is_word(const char *text, size_t len)
{
    bool is_good = len > 0 && len <= SENSOR_NAME_MOST;
    for (size_t i = 0; is_good && i < len; i++)
        is_good = (unsigned char)text[i] > ' ' && text[i] != 0x7f;
    return is_good;
}

static bool is_printable(const char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            return false;
    return true;
}

/* "HOST:NAME:VALUE"; the value may have colons of its own */
static bool add_value(struct sensor_values *l, const char *line)
{
    size_t host = strcspn(line, ":");
    const char *name = line + host + (line[host] != '\0');
    size_t name_len = strcspn(name, ":");
    if (!is_word(line, host) || !is_word(name, name_len) || name[name_len] != ':' ||
        !is_printable(name + name_len + 1) || l->n >= SENSOR_VALUES_MOST)
        return false;
    l->v = uti_vec_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
    l->v[l->n++] = (struct sensor_value){ uti_strndup(line, host), uti_strndup(name, name_len),
                                          uti_strdup(name + name_len + 1) };
    return true;
}

static void note_bad(struct sensor_text *t, const char *line)
{
    if (t->n_bad++ == 0)
        dstr_add(&t->bad, line);
}

/* one whole line, without blanks around it; returns whether it ended a report */
static bool take_line(struct sensor_text *t, const char *line)
{
    if (strcmp(line, "begin") == 0) {
        sensor_values_free(&t->coming);
        t->is_begun = true;
    } else if (strcmp(line, "end") == 0 && t->is_begun) {
        sensor_values_free(&t->whole);
        t->whole = t->coming;
        t->coming = (struct sensor_values){ 0 };
        t->is_begun = false;
        return true;
    } else if (*line != '\0' && (!t->is_begun || !add_value(&t->coming, line))) {
        note_bad(t, line);
    }
    return false;
}

/* TEXT without the blanks around it; changes it */
static const char *trim_blanks(char *text)
{
    size_t len = strlen(text);
    while (len > 0 && strchr(" \t\r", text[len - 1]) != NULL)
        text[--len] = '\0';
    return text + strspn(text, " \t");
}

static bool end_line(struct sensor_text *t)
{
    size_t len = t->line.len;
    char *text = dstr_take(&t->line);
    bool is_whole = len <= SENSOR_LINE_MOST && strlen(text) == len, is_end = false;
    if (is_whole)
        is_end = take_line(t, trim_blanks(text));
    else
        note_bad(t, text);
    free(text);
    return is_end;
}

/* of a line too long one byte more is kept than it may have, which tells */
static void add_bytes(struct sensor_text *t, const char *data, size_t n)
{
    size_t room = SENSOR_LINE_MOST + 1 - t->line.len;
    dstr_addn(&t->line, data, n < room ? n : room);
}

uint32_t sensor_text_add(struct sensor_text *t, const char *data, size_t n)
{
    uint32_t n_whole = 0;
    while (n > 0) {
        const char *newline = memchr(data, '\n', n);
        size_t len = newline != NULL ? (size_t)(newline - data) : n;
        add_bytes(t, data, len);
        if (newline == NULL)
            break;
        n_whole += end_line(t);
        data += len + 1;
        n -= len + 1;
    }
    return n_whole;
}

void sensor_text_free(struct sensor_text *t)
{
    sensor_values_free(&t->whole);
    sensor_values_free(&t->coming);
    dstr_free(&t->line);
    dstr_free(&t->bad);
    *t = (struct sensor_text){ 0 };
}
