/* Sets as bits, 64 members a word. No word outside the window is looked at. */
#include "libs/cull/range_words.h"

#include <string.h>

#include "libs/uti/alloc.h"

struct range_words range_words_new(uint32_t first, uint32_t last)
{
    struct range_words w = { .first = first / RANGE_WORD_BITS,
                             .n = last / RANGE_WORD_BITS - first / RANGE_WORD_BITS + 1 };
    w.v = uti_calloc(w.n, sizeof *w.v);
    return w;
}

/* the index of the first word from I on that differs from SKIP in a bit at or above BIT of word I;
 * n if there is none */
static uint32_t find_differing(const struct range_words *w, uint32_t i, unsigned bit, uint64_t skip,
                               unsigned *at)
{
    uint64_t mask = UINT64_MAX << bit;

    for (; i < w->n; i++, mask = UINT64_MAX) {
        uint64_t bits = (w->v[i] ^ skip) & mask;
        if (bits == 0)
            continue;
        *at = (unsigned)__builtin_ctzll(bits);
        return i;
    }
    return w->n;
}

bool range_words_next(const struct range_words *w, uint64_t from, struct range *out)
{
    uint64_t base = (uint64_t)w->first * RANGE_WORD_BITS;
    uint64_t within = from > base ? from - base : 0;
    unsigned bit = 0, end_bit = 0;

    if (within / RANGE_WORD_BITS >= w->n)
        return false;
    uint32_t i = find_differing(w, (uint32_t)(within / RANGE_WORD_BITS),
                                (unsigned)(within % RANGE_WORD_BITS), 0, &bit);
    if (i == w->n)
        return false;
    uint32_t end = find_differing(w, i, bit, UINT64_MAX, &end_bit);
    out->first = (uint32_t)(base + (uint64_t)i * RANGE_WORD_BITS + bit);
    out->last = (uint32_t)(base + (uint64_t)end * RANGE_WORD_BITS + end_bit - 1);
    return true;
}

/* ---- counting ---- */
/* the bits of A, B and C in two digits: *A becomes the lower one; returns the higher one */
static inline uint64_t add_bits(uint64_t *a, uint64_t b, uint64_t c)
{
    uint64_t either = *a ^ b, carry = (*a & b) | (either & c);

    *a = either ^ c;
    return carry;
}

/* Words are added up as binary numbers with a digit in each of ONES, TWOS and FOURS, so that eight
 * of them need one count of bits, of what carries. */
static uint64_t count_words(const uint64_t *v, uint64_t n)
{
    uint64_t eights = 0, ones = 0, twos = 0, fours = 0, i = 0;

    for (; i + 8 <= n; i += 8) {
        uint64_t a = add_bits(&ones, v[i], v[i + 1]), b = add_bits(&ones, v[i + 2], v[i + 3]);
        uint64_t c = add_bits(&ones, v[i + 4], v[i + 5]), d = add_bits(&ones, v[i + 6], v[i + 7]);
        uint64_t e = add_bits(&twos, a, b), f = add_bits(&twos, c, d);
        eights += range_word_count(add_bits(&fours, e, f));
    }
    uint64_t count = 8 * eights + 4 * range_word_count(fours) + 2 * range_word_count(twos) +
                     range_word_count(ones);
    for (; i < n; i++)
        count += range_word_count(v[i]);
    return count;
}

/* counts on until there are more than MOST */
static uint64_t runs_up_to(const struct range_words *w, uint64_t most)
{
    uint64_t runs = 0, before = 0;

    for (uint32_t i = 0; i < w->n && runs <= most; i++) {
        uint64_t word = w->v[i];
        runs += range_word_count(word & ~(word << 1 | before));
        before = word >> (RANGE_WORD_BITS - 1);
    }
    return runs;
}

uint64_t range_words_runs(const struct range_words *w)
{
    return runs_up_to(w, UINT64_MAX);
}

bool range_words_has_more_runs(const struct range_words *w, uint64_t so_many)
{
    return runs_up_to(w, so_many) > so_many;
}

/* ---- windows within a window ---- */
struct range_words range_words_part(const struct range_words *w, uint32_t first, uint32_t n)
{
    uint64_t end = (uint64_t)w->first + w->n, to = (uint64_t)first + n;
    uint64_t from = first > w->first ? first : w->first;

    if (to > end)
        to = end;
    if (from >= to)
        return (struct range_words){ w->v, w->first, 0 };
    return (struct range_words){ w->v + (from - w->first), (uint32_t)from, (uint32_t)(to - from) };
}

void range_words_trim(struct range_words *w)
{
    while (w->n > 0 && w->v[w->n - 1] == 0)
        w->n--;
    while (w->n > 0 && w->v[0] == 0) {
        w->v++;
        w->first++;
        w->n--;
    }
}

/* ---- the members FIRST..LAST, as far as they are in the window ---- */
struct masks { /* of the words I..I_LAST: `low` of the first, `high` of the last */
    uint64_t i, i_last, low, high;
};

/* false: none of them is in the window */
static bool find_masks(const struct range_words *w, uint32_t first, uint32_t last, struct masks *m)
{
    uint64_t base = (uint64_t)w->first * RANGE_WORD_BITS,
             end = base + (uint64_t)w->n * RANGE_WORD_BITS;

    if (w->n == 0 || last < base || first >= end)
        return false;
    uint64_t from = first > base ? first - base : 0, to = (last < end ? last : end - 1) - base;
    m->i = from / RANGE_WORD_BITS;
    m->i_last = to / RANGE_WORD_BITS;
    m->low = UINT64_MAX << from % RANGE_WORD_BITS;
    m->high = UINT64_MAX >> (RANGE_WORD_BITS - 1 - to % RANGE_WORD_BITS);
    if (m->i == m->i_last)
        m->low = m->high = m->low & m->high;
    return true;
}

void range_words_put(struct range_words *w, uint32_t first, uint32_t last)
{
    struct masks m;

    if (!find_masks(w, first, last, &m))
        return;
    w->v[m.i] |= m.low;
    if (m.i + 1 < m.i_last)
        memset(w->v + m.i + 1, 0xff, (m.i_last - m.i - 1) * sizeof *w->v);
    w->v[m.i_last] |= m.high;
}

void range_words_take_out(struct range_words *w, uint32_t first, uint32_t last)
{
    struct masks m;

    if (!find_masks(w, first, last, &m))
        return;
    w->v[m.i] &= ~m.low;
    if (m.i + 1 < m.i_last)
        memset(w->v + m.i + 1, 0, (m.i_last - m.i - 1) * sizeof *w->v);
    w->v[m.i_last] &= ~m.high;
}

uint64_t range_words_count_in(const struct range_words *w, uint32_t first, uint32_t last)
{
    struct masks m;

    if (!find_masks(w, first, last, &m))
        return 0;
    uint64_t count = range_word_count(w->v[m.i] & m.low);
    if (m.i == m.i_last)
        return count;
    return count + count_words(w->v + m.i + 1, m.i_last - m.i - 1) +
           range_word_count(w->v[m.i_last] & m.high);
}

bool range_words_any_in(const struct range_words *w, uint32_t first, uint32_t last)
{
    struct masks m;

    if (!find_masks(w, first, last, &m))
        return false;
    if ((w->v[m.i] & m.low) != 0 || (w->v[m.i_last] & m.high) != 0)
        return true;
    for (uint64_t i = m.i + 1; i < m.i_last; i++)
        if (w->v[i] != 0)
            return true;
    return false;
}

uint64_t range_words_count(const struct range_words *w)
{
    return count_words(w->v, w->n);
}

bool range_words_meet(const struct range_words *a, const struct range_words *b)
{
    struct range_words x = range_words_part(a, b->first, b->n),
                       y = range_words_part(b, x.first, x.n);

    for (uint32_t i = 0; i < y.n; i++)
        if ((x.v[i] & y.v[i]) != 0)
            return true;
    return false;
}

bool range_words_are_within(const struct range_words *a, const struct range_words *b)
{
    struct range_words theirs = range_words_part(b, a->first, a->n);

    if (theirs.n < a->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if ((a->v[i] & ~theirs.v[i]) != 0)
            return false;
    return true;
}

/* The first N words of W are copied over all the others, in ever longer pieces. */
static void repeat_words(struct range_words *w, uint32_t n)
{
    for (uint32_t done = n, len; done < w->n; done += len) {
        len = done < w->n - done ? done : w->n - done;
        memcpy(w->v + done, w->v, len * sizeof *w->v);
    }
}

/* The pattern repeats after STRIDE words: those are set bit by bit, the rest are copies. Then what
 * is outside FIRST..LAST goes. */
void range_words_stride(struct range_words *w, uint32_t first, uint32_t last, uint32_t stride)
{
    unsigned skipped = first % RANGE_WORD_BITS;
    uint32_t period = stride < w->n ? stride : w->n;

    for (uint64_t at = skipped % stride; at < (uint64_t)period * RANGE_WORD_BITS; at += stride)
        w->v[at / RANGE_WORD_BITS] |= UINT64_C(1) << at % RANGE_WORD_BITS;
    repeat_words(w, period);
    w->v[0] &= UINT64_MAX << skipped;
    w->v[w->n - 1] &= UINT64_MAX >> (RANGE_WORD_BITS - 1 - last % RANGE_WORD_BITS);
}

/* The bits of one word after the other that a stride has: those STRIDE apart, from the least on. */
struct stride_bits {
    uint64_t apart;
    uint32_t least, back, stride;
};

/* as it is for word I of the stride that is congruent to FIRST and has no end */
static struct stride_bits stride_bits_at(uint32_t i, uint32_t first, uint32_t stride)
{
    uint64_t base = (uint64_t)i * RANGE_WORD_BITS;
    struct stride_bits bits = { .back = RANGE_WORD_BITS % stride, .stride = stride };

    for (uint32_t bit = 0; bit < RANGE_WORD_BITS; bit += stride)
        bits.apart |= UINT64_C(1) << bit;
    bits.least = (uint32_t)((first % stride + stride - base % stride) % stride);
    return bits;
}

static uint64_t stride_bits_next(struct stride_bits *b)
{
    uint64_t has = b->least < RANGE_WORD_BITS ? b->apart << b->least : 0;

    b->least = b->least >= b->back ? b->least - b->back : b->least + b->stride - b->back;
    return has;
}

bool range_words_have_stride(const struct range_words *w, uint32_t first, uint32_t stride)
{
    struct stride_bits bits = stride_bits_at(w->first, first, stride);

    for (uint32_t i = 0; i < w->n; i++)
        if ((w->v[i] & ~stride_bits_next(&bits)) != 0)
            return false;
    return true;
}

bool range_words_meet_stride(const struct range_words *w, uint32_t first, uint32_t last,
                             uint32_t stride)
{
    uint32_t i_first = first / RANGE_WORD_BITS, i_last = last / RANGE_WORD_BITS;
    struct range_words part = range_words_part(w, i_first, i_last - i_first + 1);
    struct stride_bits bits = stride_bits_at(part.first, first, stride);

    for (uint32_t i = 0; i < part.n; i++) {
        uint64_t has = stride_bits_next(&bits);
        if (part.first + i == i_first)
            has &= UINT64_MAX << first % RANGE_WORD_BITS;
        if (part.first + i == i_last)
            has &= UINT64_MAX >> (RANGE_WORD_BITS - 1 - last % RANGE_WORD_BITS);
        if ((part.v[i] & has) != 0)
            return true;
    }
    return false;
}
