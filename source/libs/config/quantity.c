/* Readers of numbers as people and programs write them: sge_types(1), Numbers.
 *
 * Whole numbers are exact in unsigned 64 bits; others are read as doubles. What does not fit is
 * refused. QUANTITY_INFINITY is never the result of a number. */
#include "libs/config/quantity.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

#define DOUBLE_FITS 0x1p63 /* less than this is an uint64_t, and not QUANTITY_INFINITY */
enum { NUMBER_BYTES = 64 };
static const char blanks[] = " \t";

/* S without the blanks around it; false: nothing is left, or too much for a number */
static bool number_trim(const char *s, char out[NUMBER_BYTES])
{
    s += strspn(s, blanks);
    size_t len = strlen(s);
    while (len > 0 && strchr(blanks, s[len - 1]) != NULL)
        len--;
    if (len == 0 || len >= NUMBER_BYTES)
        return false;
    memcpy(out, s, len);
    out[len] = '\0';
    return true;
}

/* the whole number that TEXT is: digits, perhaps with a plus */
static bool digits_read(const char *text, uint64_t *out)
{
    return parse_u64(text + (*text == '+'), out) && *out != QUANTITY_INFINITY;
}

/* TEXT, which is no negative number, as a double */
static bool fraction_read(const char *text, double *out)
{
    return *text != '-' && parse_double(text, out);
}

/* ---- numbers ---- */
bool quantity_double_parse(const char *s, double *out)
{
    char text[NUMBER_BYTES];
    return number_trim(s, text) && parse_double(text, out);
}

bool quantity_int_parse(const char *s, int32_t *out)
{
    char text[NUMBER_BYTES];
    return number_trim(s, text) && parse_i32(text, out);
}

bool quantity_count_parse(const char *s, uint32_t *out)
{
    char text[NUMBER_BYTES];
    uint64_t whole;
    double number;
    if (!number_trim(s, text))
        return false;
    if (!digits_read(text, &whole)) {
        if (!fraction_read(text, &number) || number >= DOUBLE_FITS)
            return false;
        whole = (uint64_t)number;
        if (number > (double)whole)
            return false;
    }
    if (whole > UINT32_MAX)
        return false;
    *out = (uint32_t)whole;
    return true;
}

bool quantity_count_take(const char **at, uint64_t *out)
{
    const char *digit = *at + strspn(*at, blanks);
    uint64_t n = 0;
    digit += *digit == '+';
    if (*digit < '0' || *digit > '9')
        return false;
    for (; *digit >= '0' && *digit <= '9'; digit++)
        if (__builtin_mul_overflow(n, 10u, &n) ||
            __builtin_add_overflow(n, (uint64_t)(*digit - '0'), &n))
            n = UINT64_MAX;
    *at = digit;
    *out = n;
    return true;
}

/* ---- time ---- */
/* rounded up, so that a limit is not shorter than it was said to be */
static bool seconds_read(const char *text, uint64_t *out)
{
    double number;
    if (digits_read(text, out))
        return true;
    if (!fraction_read(text, &number) || number >= DOUBLE_FITS)
        return false;
    *out = (uint64_t)number;
    *out += number > (double)*out;
    return true;
}

/* add the UNITs that TEXT says to *SUM; no digits are zero */
static bool time_part_add(const char *text, uint64_t unit, uint64_t *sum)
{
    uint64_t part = 0;
    if (*text != '\0' && !(unit == 1 ? seconds_read(text, &part) : digits_read(text, &part)))
        return false;
    return !__builtin_mul_overflow(part, unit, &part) && !__builtin_add_overflow(*sum, part, sum) &&
           *sum != QUANTITY_INFINITY;
}

bool quantity_time_parse(const char *s, uint64_t *out_s)
{
    char text[NUMBER_BYTES];
    uint64_t sum = 0;
    if (!number_trim(s, text))
        return false;
    char *first = strchr(text, ':'), *second = first != NULL ? strchr(first + 1, ':') : NULL;
    if (strcasecmp(text, "INFINITY") == 0) {
        sum = QUANTITY_INFINITY;
    } else if (first == NULL) {
        if (!seconds_read(text, &sum))
            return false;
    } else {
        if (second == NULL)
            return false;
        *first = *second = '\0';
        if (!time_part_add(text, 3600, &sum) || !time_part_add(first + 1, 60, &sum) ||
            !time_part_add(second + 1, 1, &sum))
            return false;
    }
    *out_s = sum;
    return true;
}

/* ---- memory ---- */
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

static bool memory_decimal(const char *number, uint64_t factor, uint64_t *out)
{
    double fraction = 0;
    if (digits_read(number, out) && !__builtin_mul_overflow(*out, factor, out) &&
        *out != QUANTITY_INFINITY)
        return true;
    if (!fraction_read(number, &fraction) || fraction * (double)factor >= DOUBLE_FITS)
        return false;
    *out = (uint64_t)(fraction * (double)factor);
    return true;
}

bool quantity_memory_parse(const char *s, uint64_t *out_bytes)
{
    char text[NUMBER_BYTES];
    uint64_t value = 0, factor = 1;
    if (!number_trim(s, text))
        return false;
    if (strcasecmp(text, "INFINITY") == 0) {
        *out_bytes = QUANTITY_INFINITY;
        return true;
    }
    char *last = text + strlen(text) - 1;
    if (memory_factor(*last) != 0) {
        factor = memory_factor(*last);
        *last = '\0';
    }
    bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (!(is_hex ? memory_hex(text + 2, factor, &value) : memory_decimal(text, factor, &value)))
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
