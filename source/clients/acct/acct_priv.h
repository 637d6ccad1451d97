#ifndef CLIENTS_ACCT_ACCT_PRIV_H
#define CLIENTS_ACCT_ACCT_PRIV_H

#include "clients/acct/acct.h"

/* record_show - one record */
void record_show(struct doc *d, const struct accounting *a);

/* totals_new - sums as Q, which outlives them, groups them; new: totals_free */
struct totals;
struct totals *totals_new(const struct acct_query *q);
void totals_add(struct totals *t, const struct accounting *a);
void totals_show(struct doc *d, struct totals *t);
void totals_free(struct totals *t);

#endif
