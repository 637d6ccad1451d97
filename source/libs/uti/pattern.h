#ifndef UTI_PATTERN_H
#define UTI_PATTERN_H

#include "common/basis.h"

/* The one language of patterns, for names of all kinds. Words with `*`, `?` and `[...]`, joined by
 * `|` (or) and `&` (and), with `!` (not) in front and parentheses around. Case counts. A `!` or `(`
 * inside a word is an ordinary character.
 * Source: sge_types(1) Patterns */
struct answer;

/* pattern_match - does PATTERN mean NAME? A text always means the name that it is; what is no
 * expression ("a&", "!", "(a") means nothing else. No I/O; linear but for `*`, which costs what
 * follows it in its word, a set counting as one character, times the length of the name: check
 * patterns where they enter. */
bool pattern_match(const char *pattern, const char *name);

/* pattern_match_words - what PATTERN says, if MEANS selects its words
 *   word  LEN bytes, in which only `*`, `?` and sets are left
 * Each word is asked for once at most. False if PATTERN is no expression. */
typedef bool pattern_word_fn(const void *ctx, const char *word, size_t len);
bool pattern_match_words(const char *pattern, pattern_word_fn *means, const void *ctx);
/* pattern_word_match - does one word mean NAME?
 * pattern_word_is_wild - does it hold any of `* ? [`? */
bool pattern_word_match(const char *word, size_t len, const char *name);
bool pattern_word_is_wild(const char *word, size_t len);

/* pattern_check - is TEXT (NULL is fine) short enough for a pattern, or a name? Returns 0, or -1
 * with ans. */
int pattern_check(const char *text, struct answer *ans) SGE_MUST_USE;
enum { PATTERN_MOST = 512 };
/* pattern_is_wild - may it mean other names than the one that it is? */
bool pattern_is_wild(const char *pattern);

#endif
