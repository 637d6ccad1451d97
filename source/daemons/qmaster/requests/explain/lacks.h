#ifndef QMASTER_REQUESTS_EXPLAIN_LACKS_H
#define QMASTER_REQUESTS_EXPLAIN_LACKS_H

#include "daemons/qmaster/tables/qmaster.h"

struct dstr;

/* does a queue instance refuse a task? */
enum refusal { REFUSES_NOT, REFUSES, REFUSES_BY_LIMIT };

/* lacks_why - append why a task of REQUEST does not find at QI what it asks for (-l), in numbers,
 * as `scheduling info:` shows it; AS_IF_UNUSED: if nothing ran. A limit of who asks is the
 * reason only where there is no other; of a parallel job as if unused never: its environment says
 * so.
 * REFUSES_NOT, and nothing is appended, if it does. O(resources x (log + values)) */
enum refusal lacks_why(struct qmaster *q, struct qinstance *qi, const struct JB_Type *request,
                       bool as_if_unused, struct dstr *why);
/* lacks_limit_numbers - append the numbers of the limit that it was, as -why shows them */
void lacks_limit_numbers(struct qmaster *q, struct qinstance *qi, const struct JB_Type *request,
                         struct dstr *why);

#endif
