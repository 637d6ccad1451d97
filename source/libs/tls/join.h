#ifndef TLS_JOIN_H
#define TLS_JOIN_H

#include "libs/tls/tls.h"

/* The side of a host or a user who joins. */
#define JOIN_FILE_ABOUT "about" /* what the qmaster says of the cell: lines */

struct join {
    const char *qmaster; /* host:port */
    const char *whom;    /* who we are (subject.h) */
    const char *token;
    /* of the cell's authority (authority_fingerprint): the token is sent to no peer whose
     * certificate another has signed */
    const char *fingerprint;
};
/* join_cell - make a key, and have the qmaster give a certificate for it
 *
 *   dir  gets the files of tls.h and JOIN_FILE_ABOUT; is made, for its owner alone
 *
 * Blocks as long as the qmaster does. SIGPIPE is to be ignored. Returns 0, or -1 with ans. */
int join_cell(const struct join *j, const char *dir, struct answer *ans);

/* join_renew - make a new key, and have QMASTER, host:port, give a certificate for it in place of
 * the one in DIR, which proves who we are
 * The two replace the old ones at once; a failure, or an end in between, leaves those. Blocks as
 * join_cell does. Returns 0, or -1 with ans. */
int join_renew(const char *qmaster, const char *dir, struct answer *ans);

#endif
