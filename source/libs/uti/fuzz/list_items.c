/* Hostile text as a list of each kind: no item is empty, none is longer than the text, and names
 * have no commas. */
#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void read_all(struct list_reader r, size_t most, bool is_of_names)
{
    struct dstr item = DSTR_INIT;
    size_t bytes = 0;
    while (list_next(&r, &item)) {
        ASSERT(item.len > 0 && !(is_of_names && strchr(item.s, ',') != NULL));
        bytes += item.len;
    }
    ASSERT(bytes <= most);
    dstr_free(&item);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char *text = uti_strndup((const char *)data, len);
    read_all(list_reader_over(text), len, false);
    read_all(list_reader_over_values(text), len, false);
    read_all(list_reader_over_requests(text), len, false);
    read_all(list_reader_over_names(text), len, true);
    free(text);
    return 0;
}
