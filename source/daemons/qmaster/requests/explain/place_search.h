#ifndef QMASTER_REQUESTS_EXPLAIN_PLACE_SEARCH_H
#define QMASTER_REQUESTS_EXPLAIN_PLACE_SEARCH_H

#include "daemons/qmaster/requests/explain/pe_room.h"

/* A look at all places where a job could run, for what keeps it from each, in slices: a cell has
 * tens of thousands of queue instances, and everybody may ask. Places that come and go meanwhile
 * are met or passed over (tables/walk.h). Changes nothing. */
struct place_search {
    enum { SEARCH_NEW, SEARCH_QUEUES, SEARCH_PES, SEARCH_DONE } stage;
    struct ST_Type_list found; /* a text for each reason; of queue instances, the first 20 */
    bool is_refused;           /* when done: nothing takes the job */
    uint32_t known, dropped;   /* queue instances so far, and those that refuse */
    uint32_t n_by_limit;       /* of these, those where nothing but a limit of who asks refuses */
    bool has_numbers;          /* set before the first step: texts of such limits have numbers */
    struct walk queues, pes;
    struct pe_room room;
    const struct text_object *gathering; /* what ROOM has begun with */
}; /* all zero: not begun. It stays where it is until place_search_end. */

/* place_search_step - look for so long as the slice lasts (slice.h), at one place at least
 *
 *   request  what is asked for now; it may have changed since the last step
 *
 * True: it is done. O(places looked at). */
bool place_search_step(struct qmaster *q, struct place_search *s, const struct JB_Type *request);
/* place_search_end - S is all zero afterwards, and may have been before */
void place_search_end(struct place_search *s);

#endif
