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

struct answer;

/* pattern_match - does NAME match the wildcard PATTERN of sge_types(1)?
 * `*`, `?`, `[...]`, and `|` between alternatives. Case counts. No I/O; linear but for `*`, which
 * costs what follows it, a set counting as one character, times the length of the name: check
 * patterns where they enter. */
bool pattern_match(const char *pattern, const char *name);
/* pattern_check - is TEXT (NULL is fine) short enough for a pattern, or a name? Returns 0, or -1
 * with ans. */
int pattern_check(const char *text, struct answer *ans) SGE_MUST_USE;
enum { PATTERN_MOST = 512 };
/* pattern_is_wild - does it hold any of `* ? [ |` at all (else it is a plain name)? */
bool pattern_is_wild(const char *pattern);

#endif
