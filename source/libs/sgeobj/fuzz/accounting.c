/* Fuzz target of accounting_parse: any bytes; what was read must print and read back the same. */
#include <stdlib.h>
#include <string.h>

#include "libs/sgeobj/accounting.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *line = uti_strndup((const char *)data, size);
    struct accounting a, again;
    struct dstr first = DSTR_INIT, second = DSTR_INIT;
    if (accounting_parse(line, &a, NULL) == 1) {
        accounting_line(&a, &first);
        ASSERT(strchr(first.s, '\n') == first.s + first.len - 1);
        char *copy = uti_strndup(first.s, first.len - 1);
        int ret = accounting_parse(copy, &again, NULL);
        ASSERT(ret == 1 || first.s[0] == '#');
        if (ret == 1)
            accounting_line(&again, &second);
        ASSERT(ret != 1 || strcmp(first.s, second.s) == 0);
        free(copy);
    }
    dstr_free(&first);
    dstr_free(&second);
    free(line);
    return 0;
}
