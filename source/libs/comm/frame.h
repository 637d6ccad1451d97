#ifndef COMM_FRAME_H
#define COMM_FRAME_H

#include "common/basis.h"

/* A frame is what comm moves: a header of 12 bytes and a body it never looks into.
 *   u32be body length | u32be serial | u8 kind | 3 zero bytes
 * A body over COMM_BODY_MAX or a non-zero pad ends the connection. */
enum { COMM_HEADER_BYTES = 12, COMM_BODY_MAX = 256 * 1024 * 1024 };

struct frame {
    uint8_t kind;
    uint32_t serial;
    uint8_t *body; /* owned by the holder of the frame: free() */
    size_t len;
};
struct frame_header {
    uint32_t len, serial;
    uint8_t kind;
};

/* frame_header_pack - the bytes of a header */
void frame_header_pack(const struct frame_header *h, uint8_t out[COMM_HEADER_BYTES]);
/* frame_header_unpack - returns 0, or -1 if the bytes are not a header of this protocol */
int frame_header_unpack(const uint8_t in[COMM_HEADER_BYTES], struct frame_header *h);
/* frame_header_is_too_long - is a body over COMM_BODY_MAX all that is wrong with it? H is filled
 * then */
bool frame_header_is_too_long(const uint8_t in[COMM_HEADER_BYTES], struct frame_header *h);

#endif
