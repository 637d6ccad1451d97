#ifndef EXECD_HOST_PETASK_REQUEST_H
#define EXECD_HOST_PETASK_REQUEST_H

#include "libs/task/session_frame.h"
#include "libs/uti/dstr.h"

/* The request of a client for a petask, as it comes in pieces. */
struct stream;
struct petask_pieces {
    struct dstr text;
    uint8_t header[SESSION_HEADER_BYTES];
    size_t n_header, left; /* of the header that is there, of the piece that is not */
};
enum petask_pieces_state {
    PETASK_PIECES_MORE,
    PETASK_PIECES_WHOLE,
    PETASK_PIECES_MALFORMED, /* or the client has gone */
    PETASK_PIECES_LONG       /* more than PETASK_REQUEST_MOST */
};
/* petask_pieces_read - some of what S has of it, and nothing that comes behind it; it does not
 * block */
enum petask_pieces_state petask_pieces_read(struct petask_pieces *p, struct stream *s);
void petask_pieces_free(struct petask_pieces *p);

#endif
