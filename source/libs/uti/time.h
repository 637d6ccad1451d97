#ifndef UTI_TIME_H
#define UTI_TIME_H

#include "common/basis.h"

/* Clocks are edges: a daemon's core reads them once a turn and passes the values down. */

/* uti_now_s, uti_now_ms - wall clock, seconds and milliseconds since 1970
 * uti_mono_us - monotonic clock, microseconds */
uint64_t uti_now_s(void);
uint64_t uti_now_ms(void);
uint64_t uti_mono_us(void);
/* uti_sleep_ms - rest for MS milliseconds, or until a signal comes; for threads that wait before
 * another try */
void uti_sleep_ms(unsigned ms);

struct dstr;
/* The formats users know, in local time; appended to OUT.
 * uti_time_us_date - "11/20/2026 08:34:08"
 * uti_time_ctime - "Fri Nov 20 08:34:08 2026"
 * uti_time_iso - "2026-11-20T08:34:08" */
void uti_time_us_date(uint64_t at_s, struct dstr *out);
void uti_time_ctime(uint64_t at_s, struct dstr *out);
void uti_time_iso(uint64_t at_s, struct dstr *out);

#endif
