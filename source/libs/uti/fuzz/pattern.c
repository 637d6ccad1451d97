/* Hostile text as a pattern and a name, divided by the first newline: a text means its own name,
 * and one that is not wild no other. */
#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"
#include "libs/uti/pattern.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char *text = uti_strndup((const char *)data, len), *name = text;
    const char *pattern = strsep(&name, "\n");
    if (name == NULL)
        name = text;
    ASSERT(pattern_match(pattern, pattern));
    bool is_match = pattern_check(pattern, NULL) == 0 && pattern_match(pattern, name);
    if (!pattern_is_wild(pattern) && strcmp(pattern, name) != 0)
        ASSERT(!is_match);
    free(text);
    return 0;
}
