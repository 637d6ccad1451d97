/* Readers of the time and memory syntaxes of sge_types(1).
 *
 * Both work in unsigned 64 bits and refuse what does not fit; nothing is rounded up.
 * QUANTITY_INFINITY is never the result of a number. */
#include "libs/config/quantity.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

/* add DIGITS * UNIT to *SUM; the digits end at END. No digits are zero. */
static bool time_part_add(const char *from, const char *end, uint64_t unit, uint64_t *sum)
{
    uint64_t part = 0;
    for (const char *c = from; c < end; c++) {
        if (*c < '0' || *c > '9' || part > (UINT64_MAX / 100 - 9) / 10)
            return false;
        part = part * 10 + (uint64_t)(*c - '0');
    }
    uint64_t scaled;
    return !__builtin_mul_overflow(part, unit, &scaled) &&
           !__builtin_add_overflow(*sum, scaled, sum) && *sum != QUANTITY_INFINITY;
}

bool quantity_time_parse(const char *s, uint64_t *out_s)
{
    if (strcasecmp(s, "INFINITY") == 0) {
        *out_s = QUANTITY_INFINITY;
        return true;
    }
    const char *first = strchr(s, ':');
    const char *second = first != NULL ? strchr(first + 1, ':') : NULL;
    uint64_t sum = 0;
    if (*s == '\0' || (first != NULL && second == NULL))
        return false;
    if (first == NULL) {
        if (!time_part_add(s, s + strlen(s), 1, &sum))
            return false;
    } else if (!time_part_add(s, first, 3600, &sum) ||
               !time_part_add(first + 1, second, 60, &sum) ||
               !time_part_add(second + 1, s + strlen(s), 1, &sum)) {
        return false;
    }
    *out_s = sum;
    return true;
}

/* the factor that a letter stands for; 0 for any other character */
static uint64_t memory_factor(char letter)
{
    static const struct {
        char letter;
        uint64_t factor;
    } factors[] = {
        { 'k', 1000u },
        { 'K', UINT64_C(1) << 10 },
        { 'm', 1000000u },
        { 'M', UINT64_C(1) << 20 },
        { 'g', 1000000000u },
        { 'G', UINT64_C(1) << 30 },
        { 't', UINT64_C(1000000000000) },
        { 'T', UINT64_C(1) << 40 },
    };
    for (size_t i = 0; i < ARRAY_LEN(factors); i++) {
        if (factors[i].letter == letter)
            return factors[i].factor;
    }
    return 0;
}

static bool memory_hex(const char *digits, uint64_t factor, uint64_t *out)
{
    if (strlen(digits) == 0 || strlen(digits) > 15 ||
        strspn(digits, "0123456789abcdefABCDEF") != strlen(digits))
        return false;
    return !__builtin_mul_overflow((uint64_t)strtoull(digits, NULL, 16), factor, out) &&
           *out != QUANTITY_INFINITY;
}

static bool memory_decimal(const char *digits, uint64_t factor, uint64_t *out)
{
    uint64_t whole = 0;
    double fraction = 0;
    if (strspn(digits, "0123456789.") != strlen(digits) || strpbrk(digits, "0123456789") == NULL)
        return false;
    if (strchr(digits, '.') == NULL)
        return parse_u64(digits, &whole) && !__builtin_mul_overflow(whole, factor, out) &&
               *out != QUANTITY_INFINITY;
    if (!parse_double(digits, &fraction) || fraction * (double)factor >= 0x1p63)
        return false;
    *out = (uint64_t)(fraction * (double)factor);
    return true;
}

bool quantity_memory_parse(const char *s, uint64_t *out_bytes)
{
    char digits[40];
    size_t len = strlen(s);
    uint64_t value = 0, factor = 1;
    if (strcasecmp(s, "INFINITY") == 0) {
        *out_bytes = QUANTITY_INFINITY;
        return true;
    }
    if (len == 0 || len >= sizeof digits)
        return false;
    if (memory_factor(s[len - 1]) != 0)
        factor = memory_factor(s[--len]);
    memcpy(digits, s, len);
    digits[len] = '\0';
    bool is_hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    if (!(is_hex ? memory_hex(digits + 2, factor, &value) : memory_decimal(digits, factor, &value)))
        return false;
    *out_bytes = value;
    return true;
}

void quantity_add_memory(double bytes, int digits, struct dstr *out)
{
    static const char units[] = "\0KMGTPE";
    size_t unit = 0;
    while (bytes >= 1024 && unit + 2 < sizeof units) {
        bytes /= 1024;
        unit++;
    }
    dstr_addf(out, "%.*f", digits, bytes);
    if (unit > 0)
        dstr_addc(out, units[unit]);
}
