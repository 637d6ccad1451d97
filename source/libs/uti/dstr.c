/* Growing strings. Invariant: s is NULL with len and cap 0, or s[len] is NUL and len < cap. */
#include "libs/uti/dstr.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"
#include "libs/uti/c_locale.h"

#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* room for MORE bytes and the NUL; capacity doubles */
static void dstr_reserve(struct dstr *d, size_t more)
{
    ASSERT(more < SIZE_MAX - d->len);
    size_t want = d->len + more + 1;
    if (want <= d->cap)
        return;
    size_t cap = d->cap < SIZE_MAX / 2 ? d->cap * 2 : want;
    if (cap < want)
        cap = want < 32 ? 32 : want;
    d->s = uti_realloc(d->s, cap);
    d->cap = cap;
}

char *dstr_room(struct dstr *d, size_t least, size_t *has)
{
    dstr_reserve(d, least);
    *has = d->cap - d->len - 1;
    return d->s + d->len;
}

void dstr_grew(struct dstr *d, size_t bytes)
{
    ASSERT(bytes < d->cap - d->len);
    d->len += bytes;
    d->s[d->len] = '\0';
}

void dstr_add(struct dstr *d, const char *s)
{
    dstr_addn(d, s, strlen(s));
}

char *dstr_extend(struct dstr *d, size_t len)
{
    dstr_reserve(d, len);
    d->len += len;
    d->s[d->len] = '\0';
    return d->s + d->len - len;
}

void dstr_addn(struct dstr *d, const char *s, size_t len)
{
    char *at = dstr_extend(d, len);
    if (len > 0)
        memcpy(at, s, len);
}

void dstr_addc(struct dstr *d, char c)
{
    dstr_addn(d, &c, 1);
}

void dstr_addf(struct dstr *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    dstr_addv(d, format, args);
    va_end(args);
}

/* numbers get a point whatever locale the program has set; what to give to end_point afterwards */
static locale_t begin_point(void)
{
    return *nl_langinfo(RADIXCHAR) != '.' ? uselocale(uti_c_locale()) : (locale_t)0;
}

static void end_point(locale_t was)
{
    if (was != (locale_t)0)
        uselocale(was);
}

void dstr_addv(struct dstr *d, const char *format, va_list args)
{
    locale_t was = begin_point();
    dstr_reserve(d, 64);
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(d->s + d->len, d->cap - d->len, format, args);
    ASSERT(n >= 0);
    if ((size_t)n >= d->cap - d->len) {
        d->s[d->len] = '\0';
        dstr_reserve(d, (size_t)n);
        n = vsnprintf(d->s + d->len, d->cap - d->len, format, again);
        ASSERT(n >= 0 && (size_t)n < d->cap - d->len);
    }
    va_end(again);
    end_point(was);
    d->len += (size_t)n;
}

void dstr_add_decimal(struct dstr *d, double v, int digits)
{
    dstr_addf(d, "%.*f", digits, v);
}

void dstr_clear(struct dstr *d)
{
    d->len = 0;
    if (d->s != NULL)
        d->s[0] = '\0';
}

const char *dstr_get(const struct dstr *d)
{
    return d->s != NULL ? d->s : "";
}

char *dstr_take(struct dstr *d)
{
    char *s = d->s != NULL ? d->s : uti_strdup("");
    *d = (struct dstr)DSTR_INIT;
    return s;
}

void dstr_free(struct dstr *d)
{
    if (d == NULL)
        return;
    free(d->s);
    *d = (struct dstr)DSTR_INIT;
}

/* ---- characters of UTF-8, for XML, JSON and terminals; source: RFC 3629, table 3-7 of Unicode
 * ---- */
/* how many bytes a character of several has, as its FIRST one says; 0 if none begins with that */
static size_t announced_bytes(unsigned char first)
{
    return first >= 0xC2 && first <= 0xDF   ? 2
           : (first & 0xF0) == 0xE0         ? 3
           : first >= 0xF0 && first <= 0xF4 ? 4
                                            : 0;
}

/* the second byte shows spellings that could be shorter, surrogates and what lies above U+10FFFF */
static bool second_suits(unsigned char first, unsigned char second)
{
    switch (first) {
    case 0xE0:
        return second >= 0xA0;
    case 0xED:
        return second <= 0x9F;
    case 0xF0:
        return second >= 0x90;
    case 0xF4:
        return second <= 0x8F;
    default:
        return true;
    }
}

size_t utf8_bytes(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80)
        return 1;
    size_t len = announced_bytes(s[0]);
    for (size_t i = 1; i < len; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    return len > 0 && second_suits(s[0], s[1]) ? len : 0;
}

bool utf8_is_valid(const char *text)
{
    for (size_t len; *text != '\0'; text += len) {
        len = utf8_bytes(text);
        if (len == 0)
            return false;
    }
    return true;
}

void utf8_add_valid(struct dstr *out, const char *text)
{
    for (size_t len; *text != '\0'; text += len > 0 ? len : 1) {
        len = utf8_bytes(text);
        dstr_addn(out, len > 0 ? text : "?", len > 0 ? len : 1);
    }
}
