#ifndef COMM_LINE_FLOW_H
#define COMM_LINE_FLOW_H

#include "common/basis.h"

/* The room's own: the bytes of one line at one of its ends. Each side sends no more than the other
 * has granted, so that what waits here has LINE_WINDOW bytes at most, and a peer that does not read
 * stops one line alone. Pure. */
struct line_flow {
    uint8_t *bytes;      /* those that have come; owned */
    size_t at, end, cap; /* from `at` to `end` they are not taken yet */
    uint32_t may_come;   /* granted to the other side, and not come */
    uint32_t taken;      /* and not granted again */
    uint32_t may_go;     /* granted by the other side, and not sent */
};

/* line_flow_init - of a new line; end with line_flow_free */
void line_flow_init(struct line_flow *f);
void line_flow_free(struct line_flow *f);
/* line_flow_come - LEN bytes have come. 0, or -1: more than were granted */
int line_flow_come(struct line_flow *f, const uint8_t *bytes, size_t len);
/* line_flow_left - how many bytes wait; line_flow_bytes - the first of them */
size_t line_flow_left(const struct line_flow *f);
const uint8_t *line_flow_bytes(const struct line_flow *f);
/* line_flow_take - the first N are taken. Returns how many to grant now; 0: it is not worth a
 * message yet */
uint32_t line_flow_take(struct line_flow *f, size_t n);
/* line_flow_granted - the other side grants N. 0, or -1: more than have gone */
int line_flow_granted(struct line_flow *f, uint32_t n);

#endif
