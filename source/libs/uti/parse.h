#ifndef UTI_PARSE_H
#define UTI_PARSE_H

#include "common/basis.h"

/* parse_u32, parse_u64, parse_i32, parse_double - the number that the whole of S is
 * Blanks, trailing text, a sign of an unsigned number and overflow are refused. Return true and set
 * *out, or false and leave it. Pure, the same in every locale. */
bool parse_u32(const char *s, uint32_t *out) SGE_MUST_USE;
bool parse_u64(const char *s, uint64_t *out) SGE_MUST_USE;
bool parse_i32(const char *s, int32_t *out) SGE_MUST_USE;
bool parse_double(const char *s, double *out) SGE_MUST_USE;

#endif
