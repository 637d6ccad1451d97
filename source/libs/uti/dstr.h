#ifndef UTI_DSTR_H
#define UTI_DSTR_H

#include <stdarg.h>

#include "common/basis.h"

/* struct dstr - a string that grows
 * Start with DSTR_INIT, end with dstr_free. `s` may be NULL while empty: read it through dstr_get. */
struct dstr {
    char *s;    /* owned, NUL-terminated when not NULL */
    size_t len; /* bytes without the NUL */
    size_t cap; /* bytes allocated */
};
#define DSTR_INIT                                                                                  \
    {                                                                                              \
        NULL, 0, 0                                                                                 \
    }

void dstr_add(struct dstr *d, const char *s);
void dstr_addn(struct dstr *d, const char *s, size_t len);
void dstr_addc(struct dstr *d, char c);
void dstr_addf(struct dstr *d, const char *format, ...) SGE_PRINTF(2, 3);
void dstr_addv(struct dstr *d, const char *format, va_list args) SGE_PRINTF(2, 0);
void dstr_clear(struct dstr *d);            /* empty, memory kept */
const char *dstr_get(const struct dstr *d); /* never NULL; valid until the next change */
char *dstr_take(struct dstr *d);            /* never NULL; new: free() it; d is empty afterwards */
void dstr_free(struct dstr *d);             /* NULL is fine */

#endif
