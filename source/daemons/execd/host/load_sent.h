#ifndef EXECD_HOST_LOAD_SENT_H
#define EXECD_HOST_LOAD_SENT_H

#include "libs/sgeobj/rows.h"

/* Load values of one host as the qmaster has them, so that a report carries only what changed. All
 * zero: it has none. */
struct sent_value;
struct load_sent {
    struct sent_value *v; /* owned */
    uint32_t n, cap, turn;
    bool is_all;
};
/* load_sent_begin - a report begins
 *   is_all  it must carry all values: the other side knows none */
void load_sent_begin(struct load_sent *s, bool is_all);
/* load_sent_put - NAME has VALUE now: HOST gets it if that is news. The first put of a name in a
 * report counts. O(values) */
void load_sent_put(struct load_sent *s, struct EH_Type *host, const char *name, const char *value);
/* load_sent_end - what was not put in this report is no more: HOST gets it without a value. Returns
 * how many entries HOST has. */
uint32_t load_sent_end(struct load_sent *s, struct EH_Type *host);
/* load_sent_free - all zero afterwards */
void load_sent_free(struct load_sent *s);

#endif
