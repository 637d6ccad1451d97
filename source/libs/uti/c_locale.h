#ifndef UTI_C_LOCALE_H
#define UTI_C_LOCALE_H

#include <locale.h>

/* uti_c_locale - the locale in which numbers have a point, whatever the program we live in has set;
 * not to be freed
 * Costs a look at the name: the C library has the locale "C" ready and hands it out, to any
 * thread. */
static inline locale_t uti_c_locale(void)
{
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

#endif
