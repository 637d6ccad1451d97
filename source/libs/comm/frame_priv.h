#ifndef COMM_FRAME_PRIV_H
#define COMM_FRAME_PRIV_H

#include <sys/types.h>

#include "libs/comm/frame.h"
#include "libs/comm/stream.h"

/* The room's own: bytes as they come from a stream, cut into frames. All zero = empty; end with
 * frame_reader_free. A body grows with the bytes that are really there, so that a header that
 * promises 256 MiB costs its sender what it costs us. */
typedef uint32_t (*frame_most_fn)(void *ctx, uint8_t kind);
struct frame_reader {
    /* how long a body of a kind may be; NULL: COMM_BODY_MAX. With ctx it stays for all frames */
    frame_most_fn most;
    void *ctx;
    uint8_t header[COMM_HEADER_BYTES];
    uint32_t header_have;
    struct frame_header h; /* valid once the header is whole */
    uint8_t *body;         /* owned */
    size_t have, cap;      /* bytes of the body that are here, and room for */
};
struct byte_span {
    const uint8_t *at;
    size_t left;
};

/* frame_reader_free - drop what has come of a frame; the reader is empty afterwards */
void frame_reader_free(struct frame_reader *r);

/* frame_reader_next - take bytes from IN (borrowed, advanced)
 * Returns 1 with a whole frame in *out (its body is the caller's), 0 when all of IN is used up, -1
 * on a malformed header, or a body that is too long or that memory does not suffice for: end the
 * connection. */
int frame_reader_next(struct frame_reader *r, struct byte_span *in, struct frame *out);

/* frame_reader_limit - after -1: if the body was too long, returns how long it might have been,
 * with its header in H; else COMM_NO_LIMIT */
uint32_t frame_reader_limit(const struct frame_reader *r, struct frame_header *h);
#define COMM_NO_LIMIT UINT32_MAX

/* frame_reader_recv - one read of what there is: the rest of a long body straight to its place, up
 * to FRAME_READ_MOST bytes, and what follows it into SCRATCH
 * A peer that writes on while it is read would keep all others waiting until its message is whole:
 * new memory for 6 MiB, which one read has brought, takes 4 ms on a fast machine and 90 on a slow
 * one.
 *
 *   from     blocking or not
 *   scratch  room for SCRATCH_BYTES
 *   in       out: what landed in scratch; give it to frame_reader_next until that returns 0
 *   is_all   out: there was room left, so that another read now would find nothing
 *
 * Returns the bytes read, 0 at the end of the stream, -1 with errno. */
enum { FRAME_READ_MOST = 256 * 1024 };
ssize_t frame_reader_recv(struct frame_reader *r, struct stream *from, uint8_t *scratch,
                          size_t scratch_bytes, struct byte_span *in, bool *is_all);

#endif
