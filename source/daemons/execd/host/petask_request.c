/* Pieces are read to their exact end, as what follows is for the petask. */
#include "daemons/execd/host/petask_request.h"

#include <errno.h>

#include "libs/comm/stream.h"

/* pieces may be a byte each: a turn of the loop takes some of them */
enum { READ_MOST = 64 * 1024, READS_A_TURN = 64 };

/* up to LEN bytes to TO; -1: not now, 0: never */
static ssize_t read_some(struct stream *s, void *to, size_t len)
{
    struct iovec v = { to, len };
    ssize_t n = stream_read(s, &v, 1);
    if (n < 0)
        return errno == EAGAIN ? -1 : 0;
    return n;
}

static enum petask_pieces_state take_header(struct petask_pieces *p)
{
    struct session_frame f;
    p->n_header = 0;
    if (session_header_unpack(p->header, SESSION_DATA_MOST, &f) != 0 ||
        f.kind != SESSION_PETASK_REQUEST)
        return PETASK_PIECES_MALFORMED;
    if (f.len > PETASK_REQUEST_MOST - p->text.len)
        return PETASK_PIECES_LONG;
    p->left = f.len;
    return f.len == 0 ? PETASK_PIECES_WHOLE : PETASK_PIECES_MORE;
}

enum petask_pieces_state petask_pieces_read(struct petask_pieces *p, struct stream *s)
{
    enum petask_pieces_state state = PETASK_PIECES_MORE;
    for (int i = 0; i < READS_A_TURN && state == PETASK_PIECES_MORE; i++) {
        size_t has, wanted = p->left < READ_MOST ? p->left : READ_MOST;
        bool is_header = p->left == 0;
        ssize_t n = is_header
                        ? read_some(s, p->header + p->n_header, sizeof p->header - p->n_header)
                        : read_some(s, dstr_room(&p->text, wanted, &has), wanted);
        if (!is_header)
            dstr_grew(&p->text, n > 0 ? (size_t)n : 0);
        if (n <= 0)
            return n < 0 ? PETASK_PIECES_MORE : PETASK_PIECES_MALFORMED;
        if (!is_header)
            p->left -= (size_t)n;
        else if ((p->n_header += (size_t)n) == sizeof p->header)
            state = take_header(p);
    }
    return state;
}

void petask_pieces_free(struct petask_pieces *p)
{
    dstr_free(&p->text);
    *p = (struct petask_pieces){ .text = DSTR_INIT };
}
