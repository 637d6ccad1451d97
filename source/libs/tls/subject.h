#ifndef TLS_SUBJECT_H
#define TLS_SUBJECT_H

#include "libs/uti/dstr.h"

#include <sys/types.h>

/* the kind of a peer; a certificate is for one of them, so that neither a host nor a user can pose
 * as the qmaster */
enum tls_side { TLS_QMASTER = 1, TLS_HOST = 2, TLS_USER = 3 };

/* Whom a certificate names: a host by its name, a user as NAME:UID:GID. That text stands in the
 * certificate, in the ledger and in the request of a peer that joins. */
enum {
    SUBJECT_USER_MOST = 64, /* of a user's name; a letter, a digit or "_" is first */
    SUBJECT_BYTES = 256     /* of any subject, with its end */
};

struct subject_user {
    char name[SUBJECT_USER_MOST + 1];
    uid_t uid; /* neither root's nor the last one, which is reserved */
    gid_t gid;
};
/* subject_parse_user - whom TEXT names; false, and U undefined: no user */
bool subject_parse_user(const char *text, struct subject_user *u);
/* subject_is_valid - may a certificate for SIDE name SUBJECT? */
bool subject_is_valid(enum tls_side side, const char *subject);
/* subject_side - TLS_USER or TLS_HOST, as SUBJECT is; 0: neither */
enum tls_side subject_side(const char *subject);
/* what stands before it in a user's certificate; a host's is a name of the kind DNS */
#define SUBJECT_USER_URI "sge-user:"
/* subject_add_text - SUBJECT, a valid one, for people: "host node1", "user alice" */
void subject_add_text(struct dstr *out, const char *subject);

struct certificate { /* what the authority certifies; borrowed */
    /* a host, the qmaster's too, or a user: a subject */
    const char *name;
    enum tls_side side;
    uint64_t from_s, until_s; /* when it holds */
};

#endif
