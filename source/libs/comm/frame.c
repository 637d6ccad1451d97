/* The 12 bytes in front of every frame. Pure.
 * Invariant: pack makes the same bytes of what unpack accepts. */
#include "libs/comm/frame.h"

#include <string.h>

static void put_u32(uint8_t *at, uint32_t v)
{
    at[0] = (uint8_t)(v >> 24);
    at[1] = (uint8_t)(v >> 16);
    at[2] = (uint8_t)(v >> 8);
    at[3] = (uint8_t)v;
}

static uint32_t get_u32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

void frame_header_pack(const struct frame_header *h, uint8_t out[COMM_HEADER_BYTES])
{
    put_u32(out, h->len);
    put_u32(out + 4, h->serial);
    out[8] = h->kind;
    memset(out + 9, 0, 3);
}

static bool is_padded(const uint8_t in[COMM_HEADER_BYTES])
{
    return in[9] == 0 && in[10] == 0 && in[11] == 0;
}

static struct frame_header fields_of(const uint8_t in[COMM_HEADER_BYTES])
{
    return (struct frame_header){ .len = get_u32(in), .serial = get_u32(in + 4), .kind = in[8] };
}

bool frame_header_is_too_long(const uint8_t in[COMM_HEADER_BYTES], struct frame_header *h)
{
    if (get_u32(in) <= COMM_BODY_MAX || !is_padded(in))
        return false;
    *h = fields_of(in);
    return true;
}

int frame_header_unpack(const uint8_t in[COMM_HEADER_BYTES], struct frame_header *h)
{
    if (get_u32(in) > COMM_BODY_MAX || !is_padded(in))
        return -1;
    *h = fields_of(in);
    return 0;
}
