#ifndef TLS_REVOCATIONS_H
#define TLS_REVOCATIONS_H

#include "common/basis.h"

/* Which certificates an authority has revoked, as a process that runs for years knows it: it reads
 * what the ledger has more than before. */
struct answer;
struct revocations;

/* revocations_new - of the authority in DIR. Returns new: revocations_free; NULL with ans. */
struct revocations *revocations_new(const char *dir, struct answer *ans);
void revocations_free(struct revocations *r);
/* revocations_refresh - read what is new; one stat(2) if nothing is
 * Returns 0, or -1 with ans: what was known before is still known, and only then. */
int revocations_refresh(struct revocations *r, struct answer *ans);
/* revocations_has - is the certificate with SERIAL revoked? O(1)
 * revocations_count - how many are; it only ever grows */
bool revocations_has(const struct revocations *r, const char *serial);
size_t revocations_count(const struct revocations *r);

#endif
