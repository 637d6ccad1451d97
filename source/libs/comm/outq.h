#ifndef COMM_OUTQ_H
#define COMM_OUTQ_H

#include "libs/comm/frame.h"
#include "libs/comm/stream.h"
#include "libs/uti/tree.h"

/* The room's own: frames waiting to be written to one stream. Many leave in one system call. */
struct out_frame {
    STAILQ_ENTRY(out_frame) next;
    uint8_t header[COMM_HEADER_BYTES];
    uint8_t *body; /* owned */
    size_t len;
};
STAILQ_HEAD(out_list, out_frame);

struct outq {
    struct out_list frames;
    size_t sent; /* bytes of the first frame that are written already */
};

/* out_frame_new - header and BODY (taken) as one thing to send */
struct out_frame *out_frame_new(uint8_t kind, uint32_t serial, uint8_t *body, size_t len);
/* out_frame_free - with its body */
void out_frame_free(struct out_frame *f);
/* out_frame_bytes - header and body */
size_t out_frame_bytes(const struct out_frame *f);
/* out_list_free - frees the frames; the list is empty afterwards */
void out_list_free(struct out_list *l);

/* outq_init - empty; end with outq_free */
void outq_init(struct outq *q);
/* outq_free - drops what is not written */
void outq_free(struct outq *q);
/* outq_is_empty - is nothing left to write? */
bool outq_is_empty(const struct outq *q);

/* outq_write - write as much as TO, which does not block, takes now
 *
 *   written  out: bytes that left
 *
 * Returns 1 when all is written, 0 when TO takes no more now (write_wants says what it waits for),
 * -1 with errno. */
int outq_write(struct outq *q, struct stream *to, size_t *written);

#endif
