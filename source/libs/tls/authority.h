#ifndef TLS_AUTHORITY_H
#define TLS_AUTHORITY_H

#include "libs/tls/tls.h"
#include "libs/uti/dstr.h"

/* The cell's authority: a key whose certificate everybody in the cell knows, and which signs the
 * certificates of the qmaster, of hosts and of users. The holder of the key can pose as any of
 * them, so it is the qmaster's user's alone. */

#define AUTHORITY_FILE_KEY "authority.key"

/* authority_make - make an authority: AUTHORITY_FILE_KEY and TLS_FILE_AUTHORITY in DIR,
 * which is made if need be, for its owner alone
 * Returns 0, or -1 with ans: STATUS_EEXIST if DIR has one. */
int authority_make(const char *dir, struct answer *ans);

/* Each certificate is in the ledger of its authority (ledger.h) before anybody has it. */
/* authority_issue - make a key, and have the authority in DIR sign what C says of its owner: the
 * files of tls.h in TO_DIR, which is made if need be; what is there is replaced
 * Returns 0, or -1 with ans. */
int authority_issue(const char *dir, const struct certificate *c, const char *to_dir,
                    struct answer *ans);

/* authority_sign - have the authority in DIR sign what C says of the owner of the key in REQUEST
 *
 *   request  a request for a certificate as PEM, from anybody; nothing but its key counts, which is
 *            on P-256 and has signed it
 *   out      the certificate is added, as PEM
 *
 * Returns 0, or -1 with ans. */
int authority_sign(const char *dir, const struct certificate *c, const char *request,
                   struct dstr *out, struct answer *ans);

/* authority_fingerprint - add the identity of the authority in DIR: the SHA-256 of its
 * certificate, in hexadecimal digits. Returns 0, or -1 with ans. */
int authority_fingerprint(const char *dir, struct dstr *out, struct answer *ans);

/* how long certificates hold, and how long before it is made: clocks differ */
enum { AUTHORITY_DAYS = 3650, CERTIFICATE_DAYS = 365, CLOCK_SKEW_S = 3600 };

#endif
