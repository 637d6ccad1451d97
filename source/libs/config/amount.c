/* Amounts of resources that run out. Whole numbers up to AMOUNT_MOST are exact as doubles, which is
 * what values are read as (complex.h). */
#include "libs/config/amount.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libs/config/complex.h"
#include "libs/config/quantity.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

enum { PARTS_OF_A_DOUBLE = 1000000 };

uint64_t amount_asked(uint32_t type, const char *text)
{
    const struct CE_Type resource = { .CE_name = "", .CE_valtype = type };
    double number;
    if (complex_value_parse(&resource, text, &number, NULL) != 0)
        return 0;
    if (type == COMPLEX_BOOL)
        return number > 0 ? AMOUNT_EXCLUSIVE : 0;
    if (type == COMPLEX_DOUBLE)
        number *= PARTS_OF_A_DOUBLE;
    /* false for NaN as well */
    if (!(number > 0))
        return 0;
    if (number >= (double)AMOUNT_MOST)
        return AMOUNT_MOST;
    uint64_t whole = (uint64_t)number;
    whole += number - (double)whole >= 0.5;
    return whole > 0 ? whole : 1;
}

uint64_t amount_offered(uint32_t type, const char *text)
{
    if (type == COMPLEX_BOOL)
        return amount_asked(type, text) > 0 ? AMOUNT_EXCLUSIVE : AMOUNT_EXCLUSIVE - 1;
    char *number = type == COMPLEX_RSMAP ? uti_strndup(text, strcspn(text, "(")) : NULL;
    uint64_t amount = amount_asked(type, number != NULL ? number : text);
    free(number);
    return amount >= AMOUNT_MOST ? AMOUNT_UNLIMITED : amount;
}

void amount_add_text(uint32_t type, int64_t amount, struct dstr *out)
{
    uint64_t units = amount < 0 ? -(uint64_t)amount : (uint64_t)amount;
    if (type == COMPLEX_BOOL)
        units = amount >= (int64_t)AMOUNT_EXCLUSIVE;
    else if (amount < 0)
        dstr_addc(out, '-');
    if (type == COMPLEX_MEMORY)
        quantity_add_memory((double)units, 3, out);
    else if (type == COMPLEX_DOUBLE)
        dstr_add_decimal(out, (double)units / PARTS_OF_A_DOUBLE, 6);
    else
        dstr_addf(out, "%" PRIu64, units);
}

uint64_t amount_times(uint64_t amount, uint64_t times)
{
    return times > 0 && amount > AMOUNT_MOST / times ? AMOUNT_MOST : amount * times;
}

uint64_t amount_sum(uint64_t a, uint64_t b)
{
    return a < AMOUNT_MOST && b < AMOUNT_MOST - a ? a + b : AMOUNT_MOST;
}
