#ifndef CLI_DATE_H
#define CLI_DATE_H

#include "common/basis.h"

/* date_parse - a date_time of sge_types(1), [[CC]YY]MMDDhhmm[.SS], in local time
 *   now_s  gives the year where TEXT has none
 * YY 69-99 are years of the twentieth century. Returns true and sets *out (seconds since 1970), or
 * false: not of this form, or no such day or time. */
bool date_parse(const char *text, uint64_t now_s, uint64_t *out) SGE_MUST_USE;

#endif
