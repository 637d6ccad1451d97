/* Frames waiting to be written. Invariant: sent < bytes of the first frame, 0 when empty. */
#include "libs/comm/outq.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"

enum { VECTORS = 128 };

struct out_frame *out_frame_new(uint8_t kind, uint32_t serial, uint8_t *body, size_t len)
{
    struct out_frame *f = uti_alloc(sizeof *f);
    struct frame_header h = { .len = (uint32_t)len, .serial = serial, .kind = kind };
    frame_header_pack(&h, f->header);
    f->body = body;
    f->len = len;
    return f;
}

size_t out_frame_bytes(const struct out_frame *f)
{
    return COMM_HEADER_BYTES + f->len;
}

void out_frame_free(struct out_frame *f)
{
    free(f->body);
    free(f);
}

static void out_list_drop_first(struct out_list *l)
{
    struct out_frame *f = STAILQ_FIRST(l);
    STAILQ_REMOVE_HEAD(l, next);
    out_frame_free(f);
}

void out_list_free(struct out_list *l)
{
    while (!STAILQ_EMPTY(l))
        out_list_drop_first(l);
}

void outq_init(struct outq *q)
{
    STAILQ_INIT(&q->frames);
    q->sent = 0;
}

void outq_free(struct outq *q)
{
    out_list_free(&q->frames);
    q->sent = 0;
}

bool outq_is_empty(const struct outq *q)
{
    return STAILQ_EMPTY(&q->frames);
}

/* what of DATA..LEN comes after the first *SKIP bytes, which are counted down */
static size_t vector_add(struct iovec *v, void *data, size_t len, size_t *skip)
{
    if (*skip >= len) {
        *skip -= len;
        return 0;
    }
    *v = (struct iovec){ (uint8_t *)data + *skip, len - *skip };
    *skip = 0;
    return 1;
}

static size_t vectors_fill(const struct outq *q, struct iovec v[VECTORS], size_t *bytes)
{
    size_t n = 0, skip = q->sent;
    struct out_frame *f;
    *bytes = 0;
    STAILQ_FOREACH(f, &q->frames, next) {
        if (n + 2 > VECTORS)
            break;
        n += vector_add(&v[n], f->header, COMM_HEADER_BYTES, &skip);
        n += vector_add(&v[n], f->body, f->len, &skip);
    }
    for (size_t i = 0; i < n; i++)
        *bytes += v[i].iov_len;
    return n;
}

static void outq_drop_sent(struct outq *q, size_t n)
{
    q->sent += n;
    struct out_frame *f;
    while ((f = STAILQ_FIRST(&q->frames)) != NULL && q->sent >= out_frame_bytes(f)) {
        q->sent -= out_frame_bytes(f);
        out_list_drop_first(&q->frames);
    }
}

int outq_write(struct outq *q, struct stream *to, size_t *written)
{
    *written = 0;
    while (!outq_is_empty(q)) {
        struct iovec v[VECTORS];
        size_t bytes;
        ssize_t n = stream_write(to, v, (int)vectors_fill(q, v, &bytes));
        if (n < 0)
            return errno == EAGAIN ? 0 : -1;
        *written += (size_t)n;
        outq_drop_sent(q, (size_t)n);
        if ((size_t)n < bytes)
            return 0;
    }
    return 1;
}
