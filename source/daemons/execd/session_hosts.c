/* Two contexts, since all greeted streams of one belong to one thread and each context is for one
 * side. Invariant: the relay, which uses them, is freed before them. Source: sge_execd(8). */
#include "daemons/execd/session_hosts.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "daemons/execd/host/msg_host.h"
#include "daemons/execd/host/session_relay.h"
#include "libs/comm/stream.h"
#include "libs/task/session_frame.h"
#include "libs/tls/ledger.h"
#include "libs/tls/tls.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/log.h"

struct session_hosts {
    struct session_relay *relay;
    struct tls_context *accepting, *dialling;
    void (*came)(void *ctx, int fd, const struct session_first *first);
    void *ctx;
    char *ledger; /* the file that is written; NULL: the authority's is read */
    pthread_mutex_t lock;
    char *revoked; /* what it is to say; NULL: nothing new */
};

static void on_came(void *ctx, int fd, const struct session_first *first)
{
    const struct session_hosts *h = ctx;
    h->came(h->ctx, fd, first);
}

static struct stream accept_stream(void *ctx, int fd)
{
    return tls_stream(((struct session_hosts *)ctx)->accepting, fd);
}

static struct stream dial_stream(void *ctx, int fd)
{
    return tls_stream(((struct session_hosts *)ctx)->dialling, fd);
}

/* what the qmaster has said is on disk before the next connection is looked at */
static void write_ledger(void *ctx)
{
    struct session_hosts *h = ctx;
    struct answer ans = ANSWER_INIT;
    pthread_mutex_lock(&h->lock);
    char *text = h->revoked;
    h->revoked = NULL;
    pthread_mutex_unlock(&h->lock);
    if (text != NULL && file_replace(h->ledger, text, strlen(text), 0600, &ans) != 0)
        log_answer(&ans);
    ans_free(&ans);
    free(text);
}

void session_hosts_revoke(struct session_hosts *h, const char *text, size_t len)
{
    if (h->ledger == NULL)
        return;
    pthread_mutex_lock(&h->lock);
    free(h->revoked);
    h->revoked = uti_strndup(text, len);
    pthread_mutex_unlock(&h->lock);
    session_relay_wake(h->relay);
}

static const struct session_relay_ops relay_ops = {
    .came = on_came, .accept = accept_stream, .dial = dial_stream, .woken = write_ledger
};

struct session_hosts *session_hosts_new(struct loop *l, const struct session_port *place,
                                        void (*came)(void *ctx, int fd,
                                                     const struct session_first *first),
                                        void *ctx, struct answer *ans)
{
    struct session_hosts *h = uti_calloc(1, sizeof *h);
    h->came = came;
    h->ctx = ctx;
    h->ledger = place->writes_ledger ? path_join(place->ledger_dir, LEDGER_FILE) : NULL;
    pthread_mutex_init(&h->lock, NULL);
    h->accepting = tls_context_of_peers(place->papers_dir, TLS_HOST, true, ans);
    if (h->accepting != NULL)
        h->dialling = tls_context_of_peers(place->papers_dir, TLS_HOST, false, ans);
    if (h->dialling != NULL && tls_heed_ledger(h->accepting, place->ledger_dir, ans) == 0 &&
        tls_heed_ledger(h->dialling, place->ledger_dir, ans) == 0)
        h->relay = session_relay_new(l, place->port, &relay_ops, h, ans);
    if (h->relay != NULL)
        return h;
    session_hosts_free(h);
    return NULL;
}

void session_hosts_free(struct session_hosts *h)
{
    if (h == NULL)
        return;
    session_relay_free(h->relay);
    tls_context_free(h->accepting);
    tls_context_free(h->dialling);
    pthread_mutex_destroy(&h->lock);
    free(h->revoked);
    free(h->ledger);
    free(h);
}

static void refuse_session(struct stream *near, unsigned most)
{
    uint8_t header[SESSION_HEADER_BYTES];
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, MSG_SESSION_RELAYS_U, most);
    session_header_pack(SESSION_REFUSED, text.len, header);
    struct iovec v[] = { { header, sizeof header }, { text.s, text.len } };
    (void)stream_write(near, v, ARRAY_LEN(v));
    stream_close(near);
    dstr_free(&text);
}

void session_hosts_carry(struct session_hosts *h, struct stream *near,
                         const struct session_first *first, const char *host)
{
    unsigned most = 0;
    if (!session_relay_send(h->relay, near, first, host, &most))
        refuse_session(near, most);
}

void session_hosts_set_silence(struct session_hosts *h, uint32_t silent_s)
{
    session_relay_set_silence(h->relay, silent_s);
}

void session_hosts_close(struct session_hosts *h)
{
    session_relay_close(h->relay);
}

bool session_hosts_is_empty(struct session_hosts *h)
{
    return session_relay_is_empty(h->relay);
}
