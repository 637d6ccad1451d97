#ifndef CONFIG_RQS_H
#define CONFIG_RQS_H

#include "common/basis.h"

/* Resource quota sets: the text of a `limit` (resource_quota(5)) as a rule. Pure. */
struct answer;

/* rqs_read_limit - append the rule that VALUE says to the record, an RQS_Type that has its name
 * Returns 0, or -1 with one line in ans for the first thing that is wrong (the record may have a
 * part of the rule). */
int rqs_read_limit(void *rqs, const char *value, struct answer *ans);

/* rqs_amount_read - the number that TEXT is: "2", "1G", "1:0:0", or, depending on a host,
 * "$num_proc*2-1": a sum of products, quotients too
 *
 *   variable  the number that the host has for a resource
 *
 * False, and nothing in *OUT, if it is not a number. O(length) */
typedef double rqs_variable_fn(const void *ctx, const char *resource);
bool rqs_amount_read(const char *text, rqs_variable_fn *variable, const void *ctx, double *out);

#endif
