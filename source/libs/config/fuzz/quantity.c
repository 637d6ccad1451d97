/* Hostile text as each kind of number: what is refused leaves the value as it was. */
#include <stdlib.h>

#include "libs/config/quantity.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char *text = uti_strndup((const char *)data, len);
    uint64_t time_s = 7, bytes = 7, taken = 7;
    uint32_t count = 7;
    int32_t whole = 7;
    double any = 7;
    const char *at = text;
    ASSERT(quantity_time_parse(text, &time_s) || time_s == 7);
    ASSERT(quantity_memory_parse(text, &bytes) || bytes == 7);
    ASSERT(quantity_int_parse(text, &whole) || whole == 7);
    ASSERT(quantity_double_parse(text, &any) || (any >= 7 && any <= 7));
    if (quantity_count_parse(text, &count))
        ASSERT(quantity_time_parse(text, &time_s) && time_s == count);
    if (quantity_count_take(&at, &taken))
        ASSERT(at > text && at <= text + len);
    else
        ASSERT(at == text && taken == 7);
    free(text);
    return 0;
}
