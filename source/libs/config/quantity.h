#ifndef CONFIG_QUANTITY_H
#define CONFIG_QUANTITY_H

#include "common/basis.h"

/* The time and memory syntaxes of sge_types(1). Pure. INFINITY (in any case) is the value below. */
#define QUANTITY_INFINITY UINT64_MAX

/* quantity_time_parse - a time_specifier in seconds: "3600", "1:0:0", "0:90:", ":30:", "INFINITY"
 * Each of hours, minutes and seconds may be missing and may exceed 59. Returns true and sets *out,
 * or false and leaves it. */
bool quantity_time_parse(const char *s, uint64_t *out_s) SGE_MUST_USE;

/* quantity_memory_parse - a memory_specifier in bytes: "512", "0x200", "10M", "1.5G", "INFINITY"
 * K M G T count by 1024, k m g t by 1000. Fractions are cut to whole bytes. Returns as above. */
bool quantity_memory_parse(const char *s, uint64_t *out_bytes) SGE_MUST_USE;

/* quantity_add_memory - append BYTES in the largest unit that leaves it above one, with DIGITS
 * digits after the point: "1.500G" */
struct dstr;
void quantity_add_memory(double bytes, int digits, struct dstr *out);

#endif
