#ifndef COMM_LINE_H
#define COMM_LINE_H

#include "common/basis.h"
#include "libs/comm/frame.h"

#include <sys/types.h>

/* The room's own: lines, the connections of a host's users that travel over the one connection of
 * that host. The relay (relay.h) is the side at which the users are, the server (lines.c) the
 * other. Frames of these kinds belong to the line that their serial numbers:
 *
 *   OPEN   relay -> server   a new line, and who is at its end: u32be uid, gid and pid, name of
 *                            the user, 0, name of the group, 0
 *   DATA   both              bytes of it, as they would go over a socket of its own
 *   GRANT  both              u32be: as many more bytes may come. A new line has LINE_WINDOW
 *   END    both              nothing more is sent or received on it
 *
 * A side that has said END has forgotten the line. So what comes for a line that is not there was
 * on its way meanwhile, and is dropped. Numbers are the relay's, each used once. */
enum line_frame {
    LINE_OPEN = 0xf0,
    LINE_DATA = 0xf1,
    LINE_GRANT = 0xf2,
    LINE_END = 0xf3,
};
enum { LINE_WINDOW = 64 * 1024, LINE_NAME_MOST = 255, LINES_OF_HOST = 512 };

struct line_user { /* who is at the relay's end, as the kernel there says */
    uid_t uid;
    gid_t gid;
    pid_t pid;
    const char *user, *group;
};

/* line_has_kind - is KIND one of those above? */
bool line_has_kind(uint8_t kind);
/* line_body_most - how many bytes a body of such a KIND may have */
uint32_t line_body_most(uint8_t kind);
/* line_user_pack - the body of OPEN, new: free(); its length in *LEN. Names beyond LINE_NAME_MOST
 * are cut. */
uint8_t *line_user_pack(const struct line_user *who, size_t *len);
/* line_user_unpack - the other way; WHO's names are borrowed from BODY
 * Returns 0, or -1: it is not the body of an OPEN, or a name is empty, too long, or has control
 * characters; that of a user has no blanks either. */
int line_user_unpack(const uint8_t *body, size_t len, struct line_user *who);
/* line_grant_pack, line_grant_unpack - the body of GRANT, new: free(); 0 or -1 */
uint8_t *line_grant_pack(uint32_t bytes, size_t *len);
int line_grant_unpack(const uint8_t *body, size_t len, uint32_t *bytes);

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
