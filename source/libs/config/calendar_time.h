#ifndef CONFIG_CALENDAR_TIME_H
#define CONFIG_CALENDAR_TIME_H

#include "libs/config/calendar.h"
#include "libs/sgeobj/rows.h"

/* Calendars in time: the state at a second, and the next second at which it differs, in the time
 * zone of the process (TZ). Reads no clock. Source: calendar_conf(5) */

#define CALENDAR_FOR_EVER UINT64_MAX

/* How much of a calendar one call looks at: spans, each counted once for each day. A calendar of
 * usual size is followed for centuries. */
enum { CALENDAR_LOOK_MOST = 200000 };

struct calendar_outlook {
    enum calendar_state state;
    uint64_t until_s; /* the next second at which it differs; CALENDAR_FOR_EVER: there is none */
    /* false: it is the same until then at least, and CALENDAR_LOOK_MOST ended the search */
    bool is_change;
};

/* calendar_look - what CALENDAR says at AT_S, seconds since 1970, and until when
 *
 * Local time decides, second by second: what a clock on the wall skips in spring is skipped, and
 * what it shows twice in autumn applies twice. O(spans log spans) for each day that is looked at,
 * CALENDAR_LOOK_MOST spans at most. */
struct calendar_outlook calendar_look(const struct CAL_Type *calendar, uint64_t at_s);

/* calendar_state_at - the state alone. O(spans log spans) */
enum calendar_state calendar_state_at(const struct CAL_Type *calendar, uint64_t at_s);
/* calendar_stays_on - is it on in all of from_s <= t < until_s? False if it changes more than 1,000
 * times in between */
bool calendar_stays_on(const struct CAL_Type *calendar, uint64_t from_s, uint64_t until_s);

#endif
