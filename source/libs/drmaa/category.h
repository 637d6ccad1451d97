#ifndef DRMAA_CATEGORY_H
#define DRMAA_CATEGORY_H

#include "common/basis.h"

/* Job categories: names for options, which the administrator keeps in common/qtask of the cell and
 * users in ~/.qtask. Source: qtask(5) */
struct answer;
struct cell;

struct job_category {
    char *options; /* owned; NULL: none */
};
/* category_find - what NAME (NULL: no category) stands for
 *
 *   home  the user's: an entry of theirs overrides one of the cell, unless that is marked by a `+`
 *         before its name
 *   out   in: { NULL }; options stay NULL if neither file has NAME
 *
 * Returns 0, or -1 with ans: a file cannot be read. */
int category_find(const struct cell *cell, const char *home, const char *name,
                  struct job_category *out, struct answer *ans);
/* category_parse - the same of one text: the options of NAME, new: free(); NULL: it has none.
 *   is_fixed  is there a `+` before it? */
char *category_parse(const char *text, const char *name, bool *is_fixed);

#endif
