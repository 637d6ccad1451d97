#ifndef CULL_RANGE_WORDS_H
#define CULL_RANGE_WORDS_H

#include <endian.h>
#include <string.h>

#include "libs/cull/range.h"

/* A window of a set as bits: bit b of word w stands for member 64 * (first + w) + b. Seen within
 * the room only. Work on a set of many runs costs a fraction of a nanosecond for each member this
 * way. */
enum { RANGE_WORD_BITS = 64 };
struct range_words {
    uint64_t *v; /* owned, unless said otherwise */
    uint32_t first, n;
};
/* range_word_put, range_word_get - a word as 8 bytes, the least significant first: one instruction
 * on most machines */
static inline void range_word_put(uint8_t *at, uint64_t word)
{
    word = htole64(word);
    memcpy(at, &word, sizeof word);
}
static inline uint64_t range_word_get(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return le64toh(word);
}
/* range_word_count - how many bits are set. Counts pairs, fours and eights of bits at once: without
 * a compiler's option for newer processors the builtin is a call for each word. */
static inline uint32_t range_word_count(uint64_t word)
{
    word -= (word >> 1) & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + ((word >> 2) & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)((word * UINT64_C(0x0101010101010101)) >> 56);
}
/* range_words_new - all zero, with room for the members FIRST..LAST; free with free(w.v) */
struct range_words range_words_new(uint32_t first, uint32_t last);
/* range_words_next - the first run with a member >= FROM, cut at FROM */
bool range_words_next(const struct range_words *w, uint64_t from, struct range *out);
/* range_words_runs - how many maximal runs there are */
uint64_t range_words_runs(const struct range_words *w);
/* range_words_has_more_runs - are there more than SO_MANY? Looks no further than that */
bool range_words_has_more_runs(const struct range_words *w, uint64_t so_many);
/* range_words_stride - set FIRST, FIRST + STRIDE ... up to LAST; W is the window of FIRST..LAST and
 * empty. O(words) */
void range_words_stride(struct range_words *w, uint32_t first, uint32_t last, uint32_t stride);
/* range_words_have_stride - is each bit one of FIRST, FIRST + STRIDE ..., as FIRST is? STRIDE > 0.
 * O(words), stops at the first that is not */
bool range_words_have_stride(const struct range_words *w, uint32_t first, uint32_t stride);
/* range_words_meet_stride - is a bit of FIRST, FIRST + STRIDE ... up to LAST set? O(words there) */
bool range_words_meet_stride(const struct range_words *w, uint32_t first, uint32_t last,
                             uint32_t stride);
/* range_words_put - set the members FIRST..LAST, of which some may lie outside W */
void range_words_put(struct range_words *w, uint32_t first, uint32_t last);
/* range_words_take_out - the same, to clear them
 * range_words_any_in - is one of them set?
 * range_words_count_in - how many are? */
void range_words_take_out(struct range_words *w, uint32_t first, uint32_t last);
bool range_words_any_in(const struct range_words *w, uint32_t first, uint32_t last);
uint64_t range_words_count_in(const struct range_words *w, uint32_t first, uint32_t last);
/* range_words_count - how many bits are set in all */
uint64_t range_words_count(const struct range_words *w);
/* range_words_part - borrows what W has of the N words from FIRST on; n is 0 if that is nothing */
struct range_words range_words_part(const struct range_words *w, uint32_t first, uint32_t n);
/* range_words_trim - words of 0 at both ends leave the window */
void range_words_trim(struct range_words *w);
/* range_words_meet - is a bit set in both?
 * range_words_are_within - is each bit of A set in B, too? */
bool range_words_meet(const struct range_words *a, const struct range_words *b);
bool range_words_are_within(const struct range_words *a, const struct range_words *b);

#endif
