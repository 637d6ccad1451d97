/* Any frames as the beginning of a connection: first byte whether we listen, then pieces of kind,
 * length and body. */
#include <stdlib.h>
#include <string.h>

#include "libs/gdi/hello.h"
#include "libs/uti/alloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void send_nowhere(void *ctx, uint8_t kind, uint32_t serial, uint8_t *body, size_t len)
{
    (void)ctx;
    (void)kind;
    (void)serial;
    (void)len;
    free(body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    struct gdi_peer *p = gdi_peer_new(data[0] & 1);
    int rc = 0;
    for (size_t at = 1; rc == 0 && at + 3 <= size;) {
        size_t want = (size_t)data[at + 1] << 8 | data[at + 2];
        size_t len = size - at - 3 < want ? size - at - 3 : want;
        struct frame f = { .kind = data[at], .body = uti_alloc(len), .len = len };
        memcpy(f.body, data + at + 3, len);
        at += 3 + len;
        rc = gdi_peer_take(p, &f, send_nowhere, NULL, NULL);
        while (gdi_peer_next(p, &f))
            free(f.body);
    }
    gdi_peer_free(p);
    return 0;
}
