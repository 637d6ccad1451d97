#ifndef COMM_LINE_H
#define COMM_LINE_H

#include <sys/types.h>

#include "libs/comm/frame.h"

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

#endif
