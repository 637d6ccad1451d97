#ifndef UTI_DSTR_H
#define UTI_DSTR_H

#include "common/basis.h"

#include <stdarg.h>

/* struct dstr - a string that grows
 * Start with DSTR_INIT, end with dstr_free. `s` may be NULL while empty: read it through
 * dstr_get. */
struct dstr {
    char *s;    /* owned, NUL-terminated when not NULL */
    size_t len; /* bytes without the NUL */
    size_t cap; /* bytes allocated */
};
#define DSTR_INIT                                                                                  \
    {                                                                                              \
        NULL, 0, 0                                                                                 \
    }

/* dstr_add, dstr_addn, dstr_addc - append a text, LEN bytes of one, a byte
 * dstr_addf, dstr_addv - append what printf and vprintf would print */
void dstr_add(struct dstr *d, const char *s);
void dstr_addn(struct dstr *d, const char *s, size_t len);
void dstr_addc(struct dstr *d, char c);
/* dstr_addf, dstr_addv - append as printf does, but decimal numbers have a point in every locale */
void dstr_addf(struct dstr *d, const char *format, ...) SGE_PRINTF(2, 3);
void dstr_addv(struct dstr *d, const char *format, va_list args) SGE_PRINTF(2, 0);
/* dstr_add_decimal - append V with DIGITS behind the point */
void dstr_add_decimal(struct dstr *d, double v, int digits);
/* dstr_extend - LEN bytes more, which the caller writes at once; returns where they begin, until
 * the next change */
char *dstr_extend(struct dstr *d, size_t len);
/* dstr_room - where the next bytes come, HAS of them, at least LEAST; valid until the next change
 * dstr_grew - BYTES of that room, perhaps none, have been written and belong to the text. It comes
 * after dstr_room before anything else reads D. */
char *dstr_room(struct dstr *d, size_t least, size_t *has);
void dstr_grew(struct dstr *d, size_t bytes);
/* dstr_clear - empty it; the memory is kept */
void dstr_clear(struct dstr *d);
/* dstr_get - the text, never NULL; valid until the next change */
const char *dstr_get(const struct dstr *d);
/* dstr_take - the text, never NULL; new: free(); D is empty afterwards */
char *dstr_take(struct dstr *d);
/* dstr_free - D is empty afterwards; NULL is fine */
void dstr_free(struct dstr *d);

/* Characters of UTF-8 in texts that may hold any bytes. Pure. */
struct dstr;

/* utf8_bytes - how many bytes the character at S has (1 to 4), or 0 if these bytes are cut off,
 * longer than the character needs, or no character
 *   S  not at the end of its text */
size_t utf8_bytes(const char *s);
/* utf8_is_valid - are all of TEXT characters? */
bool utf8_is_valid(const char *text);
/* utf8_add_valid - append TEXT with a question mark for each byte that belongs to no character */
void utf8_add_valid(struct dstr *out, const char *text);

#endif
