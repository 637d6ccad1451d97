/* Any text as a bootstrap file. */
#include <stdlib.h>

#include "libs/gdi/cell.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/assert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bootstrap b = BOOTSTRAP_INIT;
    struct answer ans = ANSWER_INIT;
    char *text = uti_strndup((const char *)data, size);
    int rc = bootstrap_parse(text, "bootstrap", &b, &ans);
    ASSERT((rc == 0) == (b.binary_path != NULL) && (rc == 0) == !ans_has_error(&ans));
    bootstrap_free(&b);
    ans_free(&ans);
    free(text);
    return 0;
}
