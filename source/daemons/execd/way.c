/* The way to the qmaster. Invariant: a context lives as long as the stream that was made with it:
 * the link asks for a new one only after the last is closed. */
#include "daemons/execd/way.h"

#include <stdlib.h>
#include <unistd.h>

#include "libs/comm/tcp.h"
#include "libs/tls/tls.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"

enum { GREETING_MS = 10000 };

struct way {
    struct tcp_place *place;
    char *papers_dir;
    struct tls_context *tls;
    uint32_t silent_s;
    struct answer why;
};

struct way *way_new(const char *qmaster_host, uint16_t port, const char *papers_dir)
{
    struct way *w = uti_calloc(1, sizeof *w);
    w->place = tcp_place_new(qmaster_host, port);
    w->papers_dir = uti_strdup(papers_dir);
    w->silent_s = TCP_SILENT_S;
    return w;
}

void way_free(struct way *w)
{
    if (w == NULL)
        return;
    tls_context_free(w->tls);
    tcp_place_free(w->place);
    ans_free(&w->why);
    free(w->papers_dir);
    free(w);
}

static struct stream open_stream(void *ctx, const char **why)
{
    struct way *w = ctx;
    struct stream none = STREAM_CLOSED;
    int fd = tcp_place_connect(w->place, why);
    if (fd < 0)
        return none;
    tcp_set_silence(fd, w->silent_s);
    tls_context_free(w->tls);
    ans_free(&w->why);
    w->tls = tls_context_new(w->papers_dir, TLS_HOST, &w->why);
    if (w->tls != NULL)
        return tls_stream(w->tls, fd);
    close(fd);
    *why = ans_first_error(&w->why);
    return none;
}

void way_set_silence(struct way *w, const struct link *k, uint32_t silent_s)
{
    w->silent_s = silent_s;
    if (link_is_up(k))
        tcp_set_silence(link_fd(k), silent_s);
}

struct link_dial way_dial(struct way *w)
{
    return (struct link_dial){ .open = open_stream, .ctx = w, .greeting_ms = GREETING_MS };
}
