/* The addresses of one host. The owner's thread has the list of what the name service said last; a
 * thread that asks hands its answer over under the lock and ends. Invariant: there is at most one
 * such thread; whoever of the two is last frees what both have. */
#include "libs/comm/tcp_place.h"

#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "libs/comm/tcp.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

enum { STACK_BYTES = 512 * 1024 };

struct tcp_place {
    char *host, *port;
    struct addrinfo *list; /* owned */
    const struct addrinfo *next;
    char why[256];
    pthread_mutex_t lock; /* of what follows */
    bool is_asking;       /* a thread does */
    bool is_abandoned;    /* the owner has gone */
    bool has_answer;
    int answer_rc;
    struct addrinfo *answer;
};

struct tcp_place *tcp_place_new(const char *host, uint16_t port)
{
    struct tcp_place *p = uti_calloc(1, sizeof *p);
    struct dstr number = DSTR_INIT;
    dstr_addf(&number, "%u", (unsigned)port);
    p->host = uti_strdup(host);
    p->port = dstr_take(&number);
    pthread_mutex_init(&p->lock, NULL);
    return p;
}

static void free_list(struct addrinfo *list)
{
    if (list != NULL)
        freeaddrinfo(list);
}

static void place_drop(struct tcp_place *p)
{
    free_list(p->list);
    free_list(p->answer);
    pthread_mutex_destroy(&p->lock);
    free(p->host);
    free(p->port);
    free(p);
}

static int ask_service(const struct tcp_place *p, int flags, struct addrinfo **list)
{
    const struct addrinfo wish = { .ai_socktype = SOCK_STREAM, .ai_flags = flags | AI_NUMERICSERV };
    *list = NULL;
    return getaddrinfo(p->host, p->port, &wish, list);
}

static void *asking_thread(void *ctx)
{
    struct tcp_place *p = ctx;
    struct addrinfo *list;
    int rc = ask_service(p, 0, &list);
    pthread_mutex_lock(&p->lock);
    p->answer = list;
    p->answer_rc = rc;
    p->has_answer = true;
    p->is_asking = false;
    bool is_last = p->is_abandoned;
    pthread_mutex_unlock(&p->lock);
    if (is_last)
        place_drop(p);
    return NULL;
}

void tcp_place_free(struct tcp_place *p)
{
    if (p == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    p->is_abandoned = true;
    bool is_last = !p->is_asking;
    pthread_mutex_unlock(&p->lock);
    if (is_last)
        place_drop(p);
}

static int start_asking(struct tcp_place *p)
{
    pthread_attr_t attr;
    pthread_t thread;
    int rc = pthread_attr_init(&attr);
    if (rc != 0)
        return rc;
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    p->is_asking = true;
    rc = pthread_create(&thread, &attr, asking_thread, p);
    pthread_attr_destroy(&attr);
    if (rc != 0)
        p->is_asking = false;
    return rc;
}

static const char *note_why(struct tcp_place *p, const char *text)
{
    size_t len = strnlen(text, sizeof p->why - 1);
    memcpy(p->why, text, len);
    p->why[len] = '\0';
    return p->why;
}

static void use_list(struct tcp_place *p, struct addrinfo *list)
{
    free_list(p->list);
    p->list = list;
    p->next = list;
}

/* take an answer that has come, or see to it that one comes; NULL unless that failed */
static const char *want_addresses(struct tcp_place *p)
{
    struct addrinfo *list;
    if (ask_service(p, AI_NUMERICHOST, &list) == 0) { /* an address is its own */
        use_list(p, list);
        return NULL;
    }
    pthread_mutex_lock(&p->lock);
    bool has_answer = p->has_answer;
    int rc = has_answer ? p->answer_rc : 0, err = 0;
    list = p->answer;
    p->has_answer = false;
    p->answer = NULL;
    if (!has_answer && !p->is_asking)
        err = start_asking(p);
    pthread_mutex_unlock(&p->lock);
    if (has_answer && rc == 0)
        use_list(p, list);
    if (rc != 0)
        return note_why(p, gai_strerror(rc));
    return err != 0 ? note_why(p, strerror(err)) : NULL;
}

int tcp_place_connect(struct tcp_place *p, const char **why)
{
    *why = p->next == NULL ? want_addresses(p) : NULL;
    const struct addrinfo *a = p->next;
    if (a == NULL)
        return -1;
    p->next = a->ai_next;
    int fd = tcp_connect(a->ai_addr, a->ai_addrlen);
    if (fd < 0)
        *why = note_why(p, strerror(errno));
    return fd;
}
