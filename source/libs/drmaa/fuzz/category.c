/* Hostile text as a qtask file: what is found for a name is part of one line of it; an entry that
 * is fixed is there. */
#include <stdlib.h>
#include <string.h>

#include "libs/drmaa/job.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first line is the name, the others are the file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *name = uti_strndup((const char *)data, size);
    char *text = strchr(name, '\n');
    bool is_fixed = false;
    if (text != NULL) {
        *text++ = '\0';
        char *found = category_parse(text, name, &is_fixed);
        ASSERT(found == NULL || strchr(found, '\n') == NULL);
        ASSERT(found == NULL || strstr(text, found) != NULL);
        ASSERT(found != NULL || !is_fixed);
        free(found);
    }
    free(name);
    return 0;
}
