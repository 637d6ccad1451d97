#ifndef QMASTER_REQUESTS_EXPLAIN_LACKS_H
#define QMASTER_REQUESTS_EXPLAIN_LACKS_H

#include "daemons/qmaster/tables/qmaster.h"

struct dstr;

/* lacks_why - append why a task of REQUEST does not find at QI what it asks for (-l), in numbers,
 * as `scheduling info:` shows it; AS_IF_UNUSED: if nothing ran
 * False, and nothing is appended, if it does. O(resources x (log + values)) */
bool lacks_why(struct qmaster *q, struct qinstance *qi, const struct JB_Type *request,
               bool as_if_unused, struct dstr *why);

#endif
