#ifndef TLS_TLS_PRIV_H
#define TLS_TLS_PRIV_H

#include <openssl/ssl.h>
#include <pthread.h>
#include <sys/stat.h>

#include "libs/tls/subject.h"
#include "libs/tls/tls.h"
#include "libs/uti/dstr.h"

/* The room's inside: what streams need of their context. */

/* one record of TLS at most; many small frames leave as one */
enum { TLS_RECORD_BYTES = 16 * 1024 };

struct revocations;
struct tls_context {
    BIO_METHOD *method; /* bytes to and from a descriptor, without SIGPIPE */
    enum tls_side side;
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
    struct revocations *revocations; /* owned; NULL: there are none to know of */
    bool is_ledger_lost;             /* it could not be read when we last looked, */
    uint64_t looked_us;              /* which was then */
    /* what is about to be written, from several places; of the one thread whose streams are greeted
     */
    uint8_t gathered[TLS_RECORD_BYTES];
};

/* tls_bio_method - new: BIO_meth_free. A BIO with it has the stream as its data. */
BIO_METHOD *tls_bio_method(void);
/* tls_verify - OpenSSL asks whether a certificate that it has looked at will do: notes in the
 * stream why not */
int tls_verify(int is_good, X509_STORE_CTX *store);
/* tls_set_algorithms - CTX, of either side, knows TLS 1.3 and these groups, ciphers and signatures
 * alone; false: the library lacks one
 * tls_count_message - OpenSSL has a message of a stream's connection: those that the other end may
 * send at will are counted
 * tls_read_some - SSL_read_ex, but a message of the handshake does not end it; RC as its. No more
 * than UPDATES_MOST of those are taken. */
bool tls_set_algorithms(SSL_CTX *ctx);
void tls_count_message(int is_ours, int version, int kind, const void *message, size_t len,
                       SSL *ssl, void *ctx);
int tls_read_some(SSL *ssl, void *to, size_t room, size_t *got);
/* tls_take_error - what OpenSSL has to say of its last failure; new: free() it. Its queue is empty
 * afterwards. */
char *tls_take_error(void);
/* tls_crypto_failed - WHAT cannot be made, and OpenSSL says why: -1 with ans */
int tls_crypto_failed(const char *what, struct answer *ans);
/* tls_add_serial - the serial of CERTIFICATE, likewise; false without memory */
bool tls_add_serial(struct dstr *out, const X509 *certificate);
/* tls_refuses - why the certificate SERIAL is not accepted by C; borrowed, NULL: its owner may
 */
const char *tls_refuses(const struct tls_context *c, const char *serial);
/* tls_look_at_ledger - as it is now; what goes wrong is in the log, once. Like tls_refuses under
 * ledger_lock.
 * tls_look_at_papers - of a qmaster: they are renewed when it is time, and read again when they are
 * not what they were. Under papers_lock. */
void tls_look_at_ledger(struct tls_context *c);
void tls_look_at_papers(struct tls_context *c);
/* tls_add_fingerprint - the SHA-256 of CERTIFICATE in hexadecimal digits; false without memory */
bool tls_add_fingerprint(struct dstr *out, const X509 *certificate);

struct tls_proof {       /* of who is at the other end; owned */
    char *name, *serial; /* the name is a subject (subject.h) */
    bool is_user;
    uint64_t from_s, until_s; /* when it begins to hold, and when it ends */
};
/* proof_read - what CERTIFICATE, which has been accepted, proves; proof_free afterwards. false, and
 * P unchanged: it names no user.
 * proof_name - the first subject in CERTIFICATE that is one; new, NULL if there is none */
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

/* Who has renewed a certificate when: a host that was taken over does not fill the ledger. */
struct renewer;
enum { RENEWAL_PAUSE_S = 10 };
/* renewers_note - NAME renews at NOW_S; false: it has done so within RENEWAL_PAUSE_S */
bool renewers_note(struct renewer **all, const char *name, uint64_t now_s);
void renewers_free(struct renewer **all);

/* One who has no certificate and wants to join (join_serve.c), in place of a name that it proves.
 * Its connection never gets beyond the greeting. */
struct joiner;
/* joiner_watch - a peer that offers the protocol of joining to CTX, the qmaster's, needs no
 * certificate; *tls_joiner(ssl), NULL before, is the joiner from then on */
void joiner_watch(SSL_CTX *ctx);
struct joiner **tls_joiner(const SSL *ssl);
struct tls_context *tls_context_of(const SSL *ssl);
void joiner_free(struct joiner *j);
/* joiner_step - go on, after the handshake of SSL, with the authority in DIR
 *
 *   rc   what the last call of SSL has returned, if that is not 1: SSL_get_error knows more
 *   why  added to when it is over: what has become of it
 *
 * Returns 1 when it is over, 0 when SSL wants more. */
int joiner_step(struct joiner *j, SSL *ssl, const char *dir, int *rc, struct dstr *why);

#endif
