#ifndef UTI_C_LOCALE_H
#define UTI_C_LOCALE_H

#include <locale.h>

/* uti_c_locale - the locale in which numbers have a point, whatever locale the program has set;
 * never freed
 * Costs a comparison of names: the C library keeps the locale "C" ready for any thread. */
static inline locale_t uti_c_locale(void)
{
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

#endif
