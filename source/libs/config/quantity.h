#ifndef CONFIG_QUANTITY_H
#define CONFIG_QUANTITY_H

#include "common/basis.h"

/* Numbers, times and amounts of memory as people and programs write them: sge_types(1), Numbers.
 * Pure. Blanks around a number do not count, and it may be written "+60", "60.", "1.5" or "6e+1".
 * All return true and set *out, or false and leave it. */

/* quantity_double_parse - any number
 * quantity_int_parse - a whole one, which may be negative
 * quantity_count_parse - a whole one that is not negative: "12", "12.0" */
bool quantity_double_parse(const char *s, double *out) SGE_MUST_USE;
bool quantity_int_parse(const char *s, int32_t *out) SGE_MUST_USE;
bool quantity_count_parse(const char *s, uint32_t *out) SGE_MUST_USE;
/* quantity_count_take - the digits of a number that is not negative at *AT, perhaps behind blanks
 * and a plus; *AT moves behind them. UINT64_MAX stands for all that do not fit. */
bool quantity_count_take(const char **at, uint64_t *out) SGE_MUST_USE;

/* INFINITY (in any case) is this value of a time or memory. */
#define QUANTITY_INFINITY UINT64_MAX

/* quantity_time_parse - a time_specifier in seconds: "3600", "1:0:0", "0:90:", ":30:", "INFINITY"
 * Each of hours, minutes and seconds may be missing and may exceed 59. Fractions of seconds are
 * rounded up. */
bool quantity_time_parse(const char *s, uint64_t *out_s) SGE_MUST_USE;

/* quantity_memory_parse - a memory_specifier in bytes: "512", "0x200", "10M", "1.5G", "4e+09",
 * "INFINITY". K M G T count by 1024, k m g t by 1000. Fractions are cut to whole bytes. */
bool quantity_memory_parse(const char *s, uint64_t *out_bytes) SGE_MUST_USE;

/* quantity_add_memory - append BYTES in the largest unit that leaves it above one, with DIGITS
 * digits after the point: "1.500G" */
struct dstr;
void quantity_add_memory(double bytes, int digits, struct dstr *out);

#endif
