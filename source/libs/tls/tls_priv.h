#ifndef TLS_TLS_PRIV_H
#define TLS_TLS_PRIV_H

#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <pthread.h>
#include <sys/stat.h>

#include "libs/tls/subject.h"
#include "libs/tls/tls.h"
#include "libs/uti/dstr.h"

/* The room's inside. From the top: tls_stream.c (connections as streams), context.c (what all of a
 * process have in common), join_serve.c (peers that join), tls_conn.c (what OpenSSL calls for a
 * connection) and authority.c, papers.c. */

/* one record of TLS at most; many small frames leave as one */
enum { TLS_RECORD_BYTES = 16 * 1024 };

struct answer;
struct joiner;
struct renewer;
struct revocations;
struct tls_context {
    BIO_METHOD *method; /* bytes to and from a descriptor, without SIGPIPE */
    enum tls_side side;
    bool accepts, is_of_peers;
    char *dir;           /* owned: our papers */
    char *authority_dir; /* owned; NULL: joining is off */
    pthread_mutex_t papers_lock;
    SSL_CTX *ctx;            /* made anew when the papers change */
    struct stat key_as_read; /* the file they were read from */
    uint64_t renew_at_s;     /* ours */
    /* one joins at a time: a token is used once */
    pthread_mutex_t join_lock;
    struct renewer *renewers; /* owned: of others */
    pthread_mutex_t ledger_lock;
    struct revocations *revocations; /* owned; NULL: no ledger is read */
    bool is_ledger_lost;             /* it could not be read when we last looked, */
    uint64_t looked_us;              /* which was then */
    /* what is about to be written, from several places; of the one thread whose streams are greeted
     */
    uint8_t gathered[TLS_RECORD_BYTES];
};

/* ---- papers.c: keys and certificates ---- */

struct tls_proof {       /* of who is at the other end; owned */
    char *name, *serial; /* the name is a subject (subject.h) */
    bool is_user;
    uint64_t from_s, until_s; /* when it begins to hold, and when it ends */
};
/* tls_take_error - what OpenSSL has to say of its last failure; new: free() it. Its queue is empty
 * afterwards. */
char *tls_take_error(void);
/* tls_crypto_failed - WHAT cannot be made, and OpenSSL says why: -1 with ans
 * tls_read_failed - PATH cannot be read: likewise */
int tls_crypto_failed(const char *what, struct answer *ans);
int tls_read_failed(const char *path, struct answer *ans);
/* tls_add_fingerprint - the SHA-256 of CERTIFICATE in hexadecimal digits; false without memory
 * tls_add_serial - the serial of CERTIFICATE, likewise */
bool tls_add_fingerprint(struct dstr *out, const X509 *certificate);
bool tls_add_serial(struct dstr *out, const X509 *certificate);
/* proof_read - what CERTIFICATE, which has been accepted, proves; proof_free afterwards. false, and
 * P unchanged: it names no user.
 * proof_name - the first subject in CERTIFICATE that is one; new; NULL: no such name */
bool proof_read(struct tls_proof *p, const X509 *certificate);
char *proof_name(const X509 *certificate);
void proof_free(struct tls_proof *p);
/* proof_renewal_at - when its certificate is to be renewed: before that it is not */
uint64_t proof_renewal_at(const struct tls_proof *p);
/* papers_read_proof - of the certificate in DIR; proof_free afterwards. Returns 0, or -1 with
 * ans. */
int papers_read_proof(const char *dir, struct tls_proof *p, struct answer *ans);
/* tls_load_papers - CTX gets the files of tls.h in DIR. Returns 0, or -1 with ans. */
int tls_load_papers(SSL_CTX *ctx, const char *dir, struct answer *ans);

/* the files of one who has a certificate, and of the authority */
struct papers { /* borrowed */
    X509 *authority, *certificate;
    EVP_PKEY *key;
};
/* papers_write - the files of tls.h in DIR, which is made if need be, for its owner alone; what is
 * there is replaced, key and certificate at once. An authority of NULL stays as it is there.
 * Returns 0, or -1 with ans. */
int papers_write(const char *dir, const struct papers *p, struct answer *ans);
/* papers_write_certificate, papers_write_key - one of them as NAME in DIR, the key for its owner
 * alone. Return 0, or -1 with ans. */
int papers_write_certificate(const char *dir, const char *name, X509 *x, struct answer *ans);
int papers_write_key(const char *dir, const char *name, const EVP_PKEY *key, struct answer *ans);

/* ---- tls_conn.c ---- */

struct tls {
    struct tls_context *context; /* borrowed */
    SSL *ssl;
    int fd;
    int err;                  /* of the last system call that failed */
    struct tls_proof peer;    /* empty until the greeting is done */
    struct subject_user user; /* of that, if it is one */
    size_t n_revoked;         /* when we last looked whether its certificate is */
    char *why;                /* owned; NULL: nothing has failed */
    size_t n_received;        /* bytes, until the greeting is done */
    uint32_t n_updates;       /* KeyUpdates, in all */
    struct joiner *joiner;    /* owned; NULL: it has a certificate, or should have one */
    bool is_greeted;          /* both ends know each other */
    bool is_lost;             /* nothing can be said to the other end any more */
    bool is_dry;              /* the descriptor had no more bytes */
    bool is_cut;              /* the descriptor has no more bytes */
    bool is_ended;            /* nor will it say more: it has closed */
};
/* tls_of - the connection that SSL is of */
struct tls *tls_of(const SSL *ssl);
/* tls_bio_method - new: BIO_meth_free. A BIO with it has the connection as its data. */
BIO_METHOD *tls_bio_method(void);
/* tls_verify - OpenSSL asks whether a certificate that it has looked at will do: notes in the
 * connection why not
 * tls_count_message - OpenSSL has a message of a connection: those that the other end may send at
 * will are counted */
int tls_verify(int is_good, X509_STORE_CTX *store);
void tls_count_message(int is_ours, int version, int kind, const void *message, size_t len,
                       SSL *ssl, void *ctx);
/* tls_read_some - SSL_read_ex, but a message of the handshake does not end it; RC as its. No more
 * than UPDATES_MOST of those are taken.
 * tls_has_updated_too_often - were there more? The connection is of no use any more then. */
int tls_read_some(SSL *ssl, void *to, size_t room, size_t *got);
bool tls_has_updated_too_often(struct tls *t);
/* tls_note_why - why T has failed; the first reason stays */
void tls_note_why(struct tls *t, const char *format, ...) SGE_PRINTF(2, 3);
/* tls_fail_as - what a call that returned RC means: 0 the other end has closed, else -1 with errno,
 * and *WANTS for EAGAIN */
int tls_fail_as(struct tls *t, int rc, enum stream_want *wants);
/* tls_find_revocation - why the certificate of T's other end does not hold any more; borrowed,
 * NULL: it does */
const char *tls_find_revocation(struct tls *t);

/* ---- context.c ---- */

/* tls_speaks_of_peers - was the protocol of peers agreed on for SSL? */
bool tls_speaks_of_peers(const SSL *ssl);

/* tls_set_algorithms - CTX, of either side, knows TLS 1.3 and these groups, ciphers and signatures
 * alone; false: the library lacks one */
bool tls_set_algorithms(SSL_CTX *ctx);
/* tls_look_at_papers - of a qmaster, which renews them when it is time, and of peers: they are read
 * again when they are not what they were. Under papers_lock. */
void tls_look_at_papers(struct tls_context *c);

/* ---- join_serve.c ---- */

/* Who has renewed a certificate when: a host that was taken over does not fill the ledger. */
enum { RENEWAL_PAUSE_S = 10 };
/* renewers_note - NAME renews at NOW_S; false: it has done so within RENEWAL_PAUSE_S */
bool renewers_note(struct renewer **all, const char *name, uint64_t now_s);
void renewers_free(struct renewer **all);

/* One who has no certificate and wants to join (join_serve.c), in place of a name that it proves.
 * Its connection never gets beyond the greeting. */
/* joiner_watch - a peer that offers the protocol of joining to CTX, the qmaster's, needs no
 * certificate; its connection's `joiner`, NULL before, is there from then on */
void joiner_watch(SSL_CTX *ctx);
void joiner_free(struct joiner *j);
/* joiner_step - go on, after the handshake of SSL, with the authority in DIR
 *
 *   rc   what the last call of SSL has returned, if that is not 1: SSL_get_error knows more
 *   why  added to when it is over: what has become of it
 *
 * Returns 1 when it is over, 0 when SSL wants more. */
int joiner_step(struct joiner *j, SSL *ssl, const char *dir, int *rc, struct dstr *why);

#endif
