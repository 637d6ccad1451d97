#ifndef SHOW_QUOTA_TABLE_H
#define SHOW_QUOTA_TABLE_H

#include "libs/doc/doc.h"
#include "libs/resource/quota.h"
#include "libs/sgeobj/rows.h"

/* What is taken of resource quotas. Source: qquota(1), schemas/qquota.*. */

/* struct quota_usage - what is taken of one limit; borrows from the record that it was read from */
struct quota_usage {
    const char *rule, *resource, *limit, *value;
    const char *limit_number, *value_number;
    const char *filters[QUOTA_FILTERS]; /* as written, or the value; NULL: none */
    bool is_expanded[QUOTA_FILTERS];
    uint32_t place, at; /* of the rule among all; of the record in the answer */
};

/* quota_usage_read - from record TX, which is the AT-th of the answer. Returns false if it is not
 * complete, of another release */
bool quota_usage_read(struct quota_usage *u, const struct TX_Type *tx, uint32_t at);
/* quota_usage_compare - for qsort: by rule, then by values, then as they came */
int quota_usage_compare(const void *left, const void *right);

/* struct quota_table - a listing under way; its document is borrowed */
struct quota_table {
    struct doc *doc;
    uint32_t n; /* lines so far */
};
void quota_table_begin(struct quota_table *t);
void quota_table_line(struct quota_table *t, const struct quota_usage *u);
/* quota_table_end - the document itself stays open */
void quota_table_end(struct quota_table *t);

#endif
