/* Any bytes, in pieces of any size, into the frame reader: whatever comes out was in there. */
#include <stdlib.h>

#include "libs/comm/frame_priv.h"
#include "libs/uti/assert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* the first byte sets the size of the pieces */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct frame_reader r = { 0 };
    struct frame f;
    size_t step = size > 0 ? data[0] + 1u : 1, given = 0, got = 0;
    int rc = 0;
    for (size_t at = 1; rc == 0 && at < size; at += step) {
        struct byte_span in = { data + at, size - at < step ? size - at : step };
        given += in.left;
        while ((rc = frame_reader_next(&r, &in, &f)) > 0) {
            got += COMM_HEADER_BYTES + f.len;
            ASSERT(f.len <= COMM_BODY_MAX && got <= given);
            free(f.body);
        }
    }
    frame_reader_free(&r);
    return 0;
}
