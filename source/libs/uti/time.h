#ifndef UTI_TIME_H
#define UTI_TIME_H

#include "common/basis.h"

/* Clocks are edges: a daemon's core reads them once a turn and passes the values down. */
uint64_t uti_now_s(void);   /* wall clock, seconds since 1970 */
uint64_t uti_now_ms(void);  /* wall clock, milliseconds since 1970 */
uint64_t uti_mono_us(void); /* monotonic, microseconds */

struct dstr;
/* The formats users know, in local time: "11/20/2026 08:34:08", "Fri Nov 20 08:34:08 2026" and
 * "2026-11-20T08:34:08". They append to OUT. */
void uti_time_us_date(uint64_t at_s, struct dstr *out);
void uti_time_ctime(uint64_t at_s, struct dstr *out);
void uti_time_iso(uint64_t at_s, struct dstr *out);

#endif
