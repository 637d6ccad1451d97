#ifndef GDI_TURN_REPORT_H
#define GDI_TURN_REPORT_H

#include "libs/gdi/message.h"
#include "libs/uti/turns.h"

/* What the turns of a daemon's threads have cost, on its way to the qmaster, and kept there. */
enum { TURN_THREAD_BYTES = 16, TURN_REPORTS_MOST = 4 };
struct turn_report {
    char thread[TURN_THREAD_BYTES];
    uint64_t n, longest_us, bucket[TURN_BUCKETS];
};
struct turn_reports { /* of one daemon */
    uint32_t n;
    struct turn_report v[TURN_REPORTS_MOST];
};
/* turn_report_of - what C has now, as that of THREAD */
struct turn_report turn_report_of(const struct turn_counts *c, const char *thread);
/* turn_report_fill - REC becomes that report */
void turn_report_fill(const struct turn_counts *c, const char *thread, struct TN_Type *rec);
/* turn_reports_take - REPORTS (new if NULL: free) become what RECS say
 * What breaks a rule is passed over: a name that is too long, a bucket that does not exist, more
 * threads than TURN_REPORTS_MOST. No records: REPORTS stay. */
void turn_reports_take(struct turn_reports **reports, const struct TN_Type_list *recs);

#endif
