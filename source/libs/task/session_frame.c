/* Frames of a session. Invariants: a reader has room for one whole frame, so that it is full only
 * when one is there; a writer takes the next frame when the last has gone. So a peer that does not
 * read costs two buffers. */
#include "libs/task/session_frame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/uti/alloc.h"
#include "libs/uti/parse.h"

enum { BUFFER_BYTES = SESSION_HEADER_BYTES + SESSION_DATA_MOST };

void session_header_pack(enum session_kind kind, size_t len, uint8_t out[SESSION_HEADER_BYTES])
{
    out[0] = (uint8_t)kind;
    for (int i = 1; i < SESSION_HEADER_BYTES; i++)
        out[i] = (uint8_t)(len >> 8 * (SESSION_HEADER_BYTES - 1 - i));
}

int session_header_unpack(const uint8_t in[SESSION_HEADER_BYTES], size_t most,
                          struct session_frame *out)
{
    size_t len = (size_t)in[1] << 24 | (size_t)in[2] << 16 | (size_t)in[3] << 8 | in[4];
    if (in[0] < SESSION_CLIENT || in[0] >= SESSION_KINDS || len > most)
        return -1;
    *out = (struct session_frame){ .kind = (enum session_kind)in[0], .len = len };
    return 0;
}

/* ---- in ---- */

void session_reader_init(struct session_reader *r)
{
    *r = (struct session_reader){ .bytes = uti_alloc(BUFFER_BYTES) };
}

void session_reader_free(struct session_reader *r)
{
    free(r->bytes);
    *r = (struct session_reader){ 0 };
}

/* what has been taken makes room */
static void drop_taken(struct session_reader *r)
{
    if (r->taken == 0)
        return;
    memmove(r->bytes, r->bytes + r->taken, r->n - r->taken);
    r->n -= r->taken;
    r->taken = 0;
}

int session_reader_fill(struct session_reader *r, int fd)
{
    drop_taken(r);
    if (r->n == BUFFER_BYTES)
        return 1;
    ssize_t n = read(fd, r->bytes + r->n, BUFFER_BYTES - r->n);
    if (n > 0)
        r->n += (size_t)n;
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    return n > 0 ? 1 : -1;
}

int session_reader_next(struct session_reader *r, struct session_frame *out)
{
    drop_taken(r);
    if (r->n < SESSION_HEADER_BYTES)
        return 0;
    if (session_header_unpack(r->bytes, SESSION_DATA_MOST, out) != 0)
        return -1;
    if (r->n < SESSION_HEADER_BYTES + out->len)
        return 0;
    out->data = r->bytes + SESSION_HEADER_BYTES;
    r->taken = SESSION_HEADER_BYTES + out->len;
    return 1;
}

/* ---- out ---- */

void session_writer_init(struct session_writer *w)
{
    *w = (struct session_writer){ .bytes = uti_alloc(BUFFER_BYTES) };
}

void session_writer_free(struct session_writer *w)
{
    free(w->bytes);
    *w = (struct session_writer){ 0 };
}

bool session_writer_is_empty(const struct session_writer *w)
{
    return w->at == w->n;
}

uint8_t *session_writer_room(struct session_writer *w)
{
    return w->bytes + SESSION_HEADER_BYTES;
}

void session_writer_put(struct session_writer *w, enum session_kind kind, size_t len)
{
    session_header_pack(kind, len, w->bytes);
    w->n = SESSION_HEADER_BYTES + len;
    w->at = 0;
}

int session_writer_flush(struct session_writer *w, int fd)
{
    while (w->at < w->n) {
        ssize_t n = send(fd, w->bytes + w->at, w->n - w->at, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            return errno == EAGAIN ? 0 : -1;
        if (n > 0)
            w->at += (size_t)n;
    }
    return 1;
}

/* ---- the first frame ---- */

size_t session_hello(enum session_kind kind, const char *const *texts, unsigned n,
                     uint8_t out[SESSION_HEADER_BYTES + SESSION_HELLO_MOST])
{
    size_t len = 0;
    for (unsigned i = 0; i < n; i++) {
        size_t bytes = strlen(texts[i]) + 1;
        if (bytes > SESSION_HELLO_MOST - len)
            return 0;
        memcpy(out + SESSION_HEADER_BYTES + len, texts[i], bytes);
        len += bytes;
    }
    session_header_pack(kind, len, out);
    return SESSION_HEADER_BYTES + len;
}

bool session_hello_texts(const uint8_t *data, size_t len, const char **texts, unsigned n)
{
    const char *at = (const char *)data;
    for (unsigned i = 0; i < n; i++) {
        const char *end = len > 0 ? memchr(at, '\0', len) : NULL;
        if (end == NULL)
            return false;
        texts[i] = at;
        len -= (size_t)(end + 1 - at);
        at = end + 1;
    }
    return len == 0;
}

/* ---- requests for petasks ---- */

/* the text at *AT, which is behind it then; NULL: there is none that ends before END */
static const char *next_text(const char **at, const char *end)
{
    const char *text = *at, *nul = text < end ? memchr(text, '\0', (size_t)(end - text)) : NULL;
    if (nul == NULL)
        return NULL;
    *at = nul + 1;
    return text;
}

static uint32_t count_texts(const char *data, size_t len)
{
    uint32_t n = 0;
    for (size_t i = 0; i < len; i++)
        n += data[i] == '\0';
    return n;
}

bool petask_request_read(struct petask_request *request, const char *data, size_t len)
{
    const char *at = data, *end = data + len, *directory, *count, *text;
    uint32_t n_texts = count_texts(data, len), n_words;
    *request = (struct petask_request){ 0 };
    bool is_whole = len > 0 && data[len - 1] == '\0' && (directory = next_text(&at, end)) != NULL &&
                    (count = next_text(&at, end)) != NULL && parse_u32(count, &n_words) &&
                    n_words > 0 && n_words <= n_texts - 2 && n_texts <= PETASK_TEXTS_MOST;
    if (!is_whole)
        return false;
    *request = (struct petask_request){ .directory = directory,
                                        .words = uti_calloc(n_texts, sizeof(const char *)),
                                        .variables = uti_calloc(n_texts, sizeof(const char *)) };
    while ((text = next_text(&at, end)) != NULL) {
        if (request->n_words < n_words)
            request->words[request->n_words++] = text;
        else
            request->variables[request->n_variables++] = text;
    }
    return true;
}

void petask_request_free(struct petask_request *request)
{
    free(request->words);
    free(request->variables);
    *request = (struct petask_request){ 0 };
}
