/* What a host may say of a line: who is at its end, and any order of bytes, grants and takings.
 * What comes out of a line is what came in, and never more than the window waits. */
#include <stdlib.h>
#include <string.h>

#include "libs/comm/line.h"
#include "libs/uti/assert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* whoever is read can be packed, and is the same when read again */
static void read_user(const uint8_t *data, size_t size)
{
    struct line_user who, again;
    size_t len;
    if (line_user_unpack(data, size, &who) != 0)
        return;
    uint8_t *body = line_user_pack(&who, &len);
    ASSERT(line_user_unpack(body, len, &again) == 0);
    ASSERT(who.uid == again.uid && who.gid == again.gid && who.pid == again.pid);
    ASSERT(strcmp(who.user, again.user) == 0 && strcmp(who.group, again.group) == 0);
    free(body);
}

/* one act for each three bytes: what, and how much of it; -1 when the host has broken the rules */
static int act_once(struct line_flow *f, const uint8_t *act, uint8_t *in, uint8_t *out)
{
    size_t n = (size_t)act[1] << 8 | act[2];
    uint8_t bytes[1 << 8];
    if (act[0] % 3 == 0) {
        n %= sizeof bytes;
        for (size_t i = 0; i < n; i++)
            bytes[i] = (uint8_t)(*in + i);
        if (line_flow_come(f, bytes, n) != 0)
            return -1;
        *in = (uint8_t)(*in + n);
        return 0;
    }
    if (act[0] % 3 == 1)
        return line_flow_granted(f, (uint32_t)n << act[0] % 16);
    n = n < line_flow_left(f) ? n : line_flow_left(f);
    for (size_t i = 0; i < n; i++)
        ASSERT(line_flow_bytes(f)[i] == (uint8_t)(*out + i));
    *out = (uint8_t)(*out + n);
    (void)line_flow_take(f, n);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct line_flow f;
    uint8_t in = 0, out = 0;
    read_user(data, size);
    line_flow_init(&f);
    for (size_t at = 0; at + 3 <= size && act_once(&f, data + at, &in, &out) == 0; at += 3)
        ASSERT(f.may_come + f.taken + line_flow_left(&f) == LINE_WINDOW && f.may_go <= LINE_WINDOW);
    line_flow_free(&f);
    return 0;
}
