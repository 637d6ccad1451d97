/* Numbers in texts. Pure: no locale, no state. */
#include "libs/uti/parse.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "libs/uti/c_locale.h"

bool parse_u64(const char *s, uint64_t *out)
{
    uint64_t v = 0;
    if (*s == '\0')
        return false;
    for (; *s != '\0'; s++) {
        if (*s < '0' || *s > '9')
            return false;
        if (__builtin_mul_overflow(v, 10u, &v) ||
            __builtin_add_overflow(v, (unsigned)(*s - '0'), &v))
            return false;
    }
    *out = v;
    return true;
}

bool parse_u32(const char *s, uint32_t *out)
{
    uint64_t v;
    if (!parse_u64(s, &v) || v > UINT32_MAX)
        return false;
    *out = (uint32_t)v;
    return true;
}

bool parse_i32(const char *s, int32_t *out)
{
    bool is_negative = *s == '-';
    uint64_t v;
    if (*s == '-' || *s == '+')
        s++;
    if (!parse_u64(s, &v) || v > (uint64_t)INT32_MAX + is_negative)
        return false;
    *out = (int32_t)(is_negative ? -(int64_t)v : (int64_t)v);
    return true;
}

bool parse_double(const char *s, double *out)
{
    /* strtod also takes blanks, hexadecimal, "inf" and "nan", which are not values here */
    if (*s == '\0' || s[strspn(s, "0123456789.eE+-")] != '\0')
        return false;
    char *end;
    errno = 0;
    double v = strtod_l(s, &end, uti_c_locale());
    if (end == s || *end != '\0' || (errno == ERANGE && isinf(v)))
        return false;
    *out = v;
    return true;
}
