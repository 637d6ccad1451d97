#ifndef TLS_LEDGER_H
#define TLS_LEDGER_H

#include "common/basis.h"
#include "libs/tls/tls.h"
#include "libs/uti/dstr.h"

/* The ledger of an authority: DIR/LEDGER_FILE, a line for each certificate that it has issued, and
 * one for each that it has revoked. Lines are only ever added, and each is durable before it
 * takes effect. */
#define LEDGER_FILE "ledger"

/* how long it may become: some 500,000 certificates */
enum { LEDGER_BYTES = 64 * 1024 * 1024 };

struct ledger_entry { /* borrowed from its ledger */
    const char *serial;
    struct certificate about;
    uint64_t revoked_s; /* when; 0: it is not */
};
struct ledger { /* in the order in which they were issued; all zero: no certificates */
    char *text;
    struct ledger_entry *v;
    uint32_t n, cap;
};
/* ledger_read - what the ledger in DIR says; ledger_free afterwards, also of a failure
 * Lines that make no sense are left out: a crash can tear the last. O(lines). Returns 0, or -1 with
 * ans. */
int ledger_read(struct ledger *l, const char *dir, struct answer *ans);
void ledger_free(struct ledger *l);

/* ledger_add_issued - note that the authority in DIR has signed what C says, under SERIAL
 * Any process. Durable when it returns. Returns 0, or -1 with ans: then the certificate must not
 * leave this process. */
int ledger_add_issued(const char *dir, const char *serial, const struct certificate *c,
                      struct answer *ans);

/* ledger_revoke - revoke what the authority in DIR has issued
 *
 *   what   a serial, the name of a host, or that of a user with a ":" behind: all certificates
 *          of that one which still hold
 *   now_s  when
 *
 * Durable when it returns; a qmaster that runs notices within a second. Returns how many are
 * revoked now and were not before, or -1 with ans: STATUS_EUNKNOWN if there was none like it,
 * STATUS_DENIED if it is the qmaster's, which hosts would go on to believe. */
int ledger_revoke(const char *dir, const char *what, uint64_t now_s, struct answer *ans);

struct ledger_line { /* borrowed from its text */
    bool is_revocation;
    const char *serial;
    struct certificate about; /* of what was issued */
    uint64_t at_s;            /* of a revocation */
};
/* ledger_parse_line - what LINE, which is changed for it, says; false: nothing that we know */
bool ledger_parse_line(char *line, struct ledger_line *out);
/* ledger_mend - TEXT has no null bytes afterwards: a crash can leave some, and lines follow them */
void ledger_mend(struct dstr *text);

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
/* revocations_add_lines - lines for a ledger of those that were noted last, MOST of them at most */
void revocations_add_lines(const struct revocations *r, size_t most, struct dstr *out);

#endif
