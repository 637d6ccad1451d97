/* The way to the qmaster. A client on the qmaster's host finds the socket, and looks no further:
 * thousands of them are started. */
#include "libs/gdi/reach.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libs/comm/client.h"
#include "libs/comm/unix_socket.h"
#include "libs/gdi/cell.h"
#include "libs/gdi/msg_gdi.h"
#include "libs/gdi/tunnel.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"

enum { GREETING_MS = 30000 };

static struct comm_client *reach_relay(const struct cell *cell, const char *host, int timeout_ms)
{
    char *relay = cell_relay_socket(cell, host);
    struct comm_client *c = comm_client_open(relay, timeout_ms, NULL);
    free(relay);
    return c;
}

/* NULL, and WHY as it is, if the user has no certificate */
static struct comm_client *reach_by_tunnel(const struct cell *cell, int timeout_ms,
                                           struct answer *why)
{
    char *papers = tunnel_papers(cell);
    struct comm_client *c = NULL;
    if (papers != NULL) {
        ans_free(why);
        struct stream s = tunnel_open(cell, papers, why);
        c = stream_is_open(&s) ? comm_client_over(&s, timeout_ms, why) : NULL;
    }
    free(papers);
    return c;
}

struct comm_client *reach_qmaster(const struct cell *cell, const char *host, int timeout_ms,
                                  struct answer *ans)
{
    struct answer why = ANSWER_INIT;
    struct comm_client *c = comm_client_open(cell->socket, timeout_ms, &why);
    if (c == NULL)
        c = reach_relay(cell, host, timeout_ms);
    if (c == NULL)
        c = reach_by_tunnel(cell, timeout_ms, &why);
    if (c == NULL)
        ans_fail(ans, STATUS_ENOCONN, "%s", ans_first_error(&why));
    ans_free(&why);
    return c;
}

int reach_failed(const struct cell *cell, const char *host, struct answer *ans)
{
    char *papers = tunnel_papers(cell);
    if (papers != NULL)
        ans_fail(ans, STATUS_ENOCONN, MSG_GDI_NO_TUNNEL_SS, papers, host);
    else
        ans_fail(ans, STATUS_ENOCONN, MSG_GDI_UNREACHABLE_SS, cell->socket, host);
    free(papers);
    return -1;
}

/* ---- for a link ---- */

struct reach {
    const struct cell *cell;
    char *relay;
    struct answer why;
};

static struct stream open_any(void *ctx, const char **why)
{
    struct reach *r = ctx;
    int fd = unix_connect(r->cell->socket, 0);
    *why = fd < 0 ? strerror(errno) : NULL;
    if (fd < 0)
        fd = unix_connect(r->relay, 0);
    char *papers = fd < 0 ? tunnel_papers(r->cell) : NULL;
    if (papers == NULL)
        return fd >= 0 ? stream_unix(fd) : (struct stream)STREAM_CLOSED;
    ans_free(&r->why);
    struct stream s = tunnel_open(r->cell, papers, &r->why);
    *why = ans_first_error(&r->why);
    free(papers);
    return s;
}

struct reach *reach_new(const struct cell *cell, const char *host)
{
    struct reach *r = uti_calloc(1, sizeof *r);
    r->cell = cell;
    r->relay = cell_relay_socket(cell, host);
    return r;
}

struct link_dial reach_dial(struct reach *r)
{
    return (struct link_dial){ .open = open_any, .ctx = r, .greeting_ms = GREETING_MS };
}

void reach_free(struct reach *r)
{
    if (r == NULL)
        return;
    ans_free(&r->why);
    free(r->relay);
    free(r);
}
