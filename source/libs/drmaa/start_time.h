#ifndef DRMAA_START_TIME_H
#define DRMAA_START_TIME_H

#include "common/basis.h"

/* start_time_parse - a partial timestamp of DRMAA: [[[[CC]YY/]MM/]DD] hh:mm[:ss] [{-|+}UU:uu]
 *
 *   now_s  what is missing is taken from there, such that the time lies ahead; local time without
 *          an offset
 *
 * Returns START_TIME_GOOD and sets *out (seconds since 1970), or leaves it: not of this form, or of
 * this form and no such day or time. Source: drmaa_attributes(3) */
enum start_time_end { START_TIME_GOOD = 0, START_TIME_NO_FORM, START_TIME_NO_TIME };
enum start_time_end start_time_parse(const char *text, uint64_t now_s, uint64_t *out) SGE_MUST_USE;

#endif
