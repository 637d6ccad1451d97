#ifndef CONFIG_CALENDAR_H
#define CONFIG_CALENDAR_H

/* Calendars: the texts of `year` and `week` (calendar_conf(5)) as spans. Pure. */
struct answer;

/* CA_state */
enum calendar_state { CALENDAR_ON = 0, CALENDAR_OFF = 1, CALENDAR_SUSPENDED = 2 };

/* the most spans of a year or a week */
enum { CALENDAR_SPANS_MOST = 10000 };

/* calendar_read_year, calendar_read_week - append the spans of VALUE to the record, a CAL_Type
 * that has its name
 * Returns 0, or -1 with one line in ans for the first thing that is wrong (the record has the
 * spans before it). */
int calendar_read_year(void *calendar, const char *value, struct answer *ans);
int calendar_read_week(void *calendar, const char *value, struct answer *ans);

#endif
