#ifndef SGEOBJ_BINDING_H
#define SGEOBJ_BINDING_H

#include "libs/sgeobj/rows.h"

/* Core binding (-binding) as a job asks for it: text, record, checks. Which cores a task gets is
 * for the execd of its host. Pure. Source: submit(1) -binding; captured refusals */
struct dstr;
enum binding_type { BINDING_SET, BINDING_ENV, BINDING_PE }; /* BN_type */
enum { BINDING_PAIRS_MOST = 1024, BINDING_LETTERS_MOST = 8192 };

/* binding_read - fill BN from TEXT: "linear:2", "striding:2:4:0,1", "explicit:0,0:0,1"
 * An amount that is not there is not set: as many cores as the task has slots on its host. Returns
 * NULL, or what is wrong; BN is to be cleared then. */
const char *binding_read(struct BN_Type *bn, const char *text);
/* binding_check - NULL, or what the qmaster refuses in BN, which a client has sent */
const char *binding_check(const struct BN_Type *bn);
/* binding_text - append "set linear:2", "env linear:slots", "pe explicit:0,0" */
void binding_text(const struct BN_Type *bn, struct dstr *out);

enum binding_strategy { BINDING_LINEAR, BINDING_STRIDING, BINDING_EXPLICIT, BINDING_STRATEGIES };
/* binding_strategy - which one BN names; BINDING_STRATEGIES: none that is known */
enum binding_strategy binding_strategy(const struct BN_Type *bn);
/* binding_has_start - does BN say at which socket and core to begin? */
bool binding_has_start(const struct BN_Type *bn);
/* binding_pair_next - the next pair of "0,0:0,1" at *AT, which moves behind it
 * Returns 1 with socket and core, 0 at the end, -1 if there is no pair. */
int binding_pair_next(const char **at, uint32_t *socket, uint32_t *core);

/* binding_letters_are_valid - can LETTERS be a topology, with or without cores in lower case?
 * binding_letters_pairs - append socket,core of each core that is in lower case: "0,1:1,0" of
 * "SCcScC" */
bool binding_letters_are_valid(const char *letters);
void binding_letters_pairs(const char *letters, struct dstr *out);

#endif
