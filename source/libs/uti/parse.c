/* Numbers and wildcard patterns in texts of users. Pure: no locale, no state.
 * Source: sge_types(1) wildcard patterns. */
#include "libs/uti/parse.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "libs/uti/answer.h"
#include "libs/uti/c_locale.h"
#include "libs/uti/msg_uti.h"

enum { PATTERN_SHOWN = 32 /* bytes of one that is refused */ };

bool parse_u64(const char *s, uint64_t *out)
{
    uint64_t v = 0;
    if (*s == '\0')
        return false;
    for (; *s != '\0'; s++) {
        if (*s < '0' || *s > '9')
            return false;
        if (__builtin_mul_overflow(v, 10u, &v) ||
            __builtin_add_overflow(v, (unsigned)(*s - '0'), &v))
            return false;
    }
    *out = v;
    return true;
}

bool parse_u32(const char *s, uint32_t *out)
{
    uint64_t v;
    if (!parse_u64(s, &v) || v > UINT32_MAX)
        return false;
    *out = (uint32_t)v;
    return true;
}

bool parse_i32(const char *s, int32_t *out)
{
    bool is_negative = *s == '-';
    uint64_t v;
    if (*s == '-' || *s == '+')
        s++;
    if (!parse_u64(s, &v) || v > (uint64_t)INT32_MAX + is_negative)
        return false;
    *out = (int32_t)(is_negative ? -(int64_t)v : (int64_t)v);
    return true;
}

bool parse_double(const char *s, double *out)
{
    /* strtod also takes blanks, hexadecimal, "inf" and "nan", which are not values here */
    if (*s == '\0' || s[strspn(s, "0123456789.eE+-")] != '\0')
        return false;
    char *end;
    errno = 0;
    double v = strtod_l(s, &end, uti_c_locale());
    if (end == s || *end != '\0' || (errno == ERANGE && isinf(v)))
        return false;
    *out = v;
    return true;
}

/* A pattern, or one alternative of it, which ends at END. No set begins behind its last `]` (NULL:
 * it has none): so a text of nothing but `[` is searched once, not once for each of them. */
struct pattern {
    const char *begin, *end, *last_close;
};

static struct pattern pattern_of(const char *p, const char *end)
{
    return (struct pattern){ p, end, memrchr(p, ']', (size_t)(end - p)) };
}

/* the `]` that closes the set at P (a `[`), or NULL if it is just a character */
static const char *set_end(const char *p, const struct pattern *all)
{
    const char *q = p + 1;
    if (all->last_close == NULL || p > all->last_close)
        return NULL;
    if (q < all->end && (*q == '!' || *q == '^'))
        q++;
    if (q < all->end && *q == ']')
        q++; /* a `]` in front stands for itself */
    return q < all->end ? memchr(q, ']', (size_t)(all->end - q)) : NULL;
}

/* A set is read once, not for each character of a name that a `*` in front of it passes: those of a
 * pattern of at most PATTERN_MOST bytes are kept. */
enum { SET_BYTES_LEAST = 3, SETS_KEPT = PATTERN_MOST / SET_BYTES_LEAST + 1, SET_WORD_BITS = 64 };
struct set {
    const char *close;                 /* its `]` */
    uint64_t has[256 / SET_WORD_BITS]; /* a bit for each character */
};
struct sets {
    bool is_begun;           /* the next is set */
    bool is_read[SETS_KEPT]; /* of those at SET_BYTES_LEAST * i and behind it: no two are so near */
    struct set v[SETS_KEPT + 1]; /* the last is for one that is not kept */
};

static void set_add(struct set *s, unsigned char low, unsigned char high)
{
    for (unsigned w = low / SET_WORD_BITS; low <= high && w <= high / SET_WORD_BITS; w++) {
        uint64_t bits = UINT64_MAX;
        if (w == low / SET_WORD_BITS)
            bits &= UINT64_MAX << low % SET_WORD_BITS;
        if (w == high / SET_WORD_BITS)
            bits &= UINT64_MAX >> (SET_WORD_BITS - 1 - high % SET_WORD_BITS);
        s->has[w] |= bits;
    }
}

static void set_read(struct set *s, const char *p, const char *close)
{
    const char *q = p + 1;
    bool is_negated = *q == '!' || *q == '^';
    *s = (struct set){ .close = close };
    for (q += is_negated; q < close; q++) {
        unsigned char low = (unsigned char)*q, high = low;
        if (q + 2 < close && q[1] == '-') {
            high = (unsigned char)q[2];
            q += 2;
        }
        set_add(s, low, high);
    }
    for (size_t w = 0; is_negated && w < ARRAY_LEN(s->has); w++)
        s->has[w] = ~s->has[w];
}

/* the set at P (a `[`), or NULL if it is just a character */
static const struct set *set_at(struct sets *sets, const struct pattern *all, const char *p)
{
    size_t i = (size_t)(p - all->begin) / SET_BYTES_LEAST;
    if (!sets->is_begun)
        memset(sets->is_read, 0, sizeof sets->is_read);
    sets->is_begun = true;
    if (i < SETS_KEPT && sets->is_read[i])
        return &sets->v[i];
    const char *close = set_end(p, all);
    if (close == NULL)
        return NULL;
    struct set *s = &sets->v[i < SETS_KEPT ? i : SETS_KEPT];
    set_read(s, p, close);
    if (i < SETS_KEPT)
        sets->is_read[i] = true;
    return s;
}

static bool set_has(const struct set *s, unsigned char c)
{
    return ((s->has[c / SET_WORD_BITS] >> c % SET_WORD_BITS) & 1) != 0;
}

/* how many pattern characters at P match the one character C; 0 = none */
static size_t one_matches(struct sets *sets, const char *p, const struct pattern *all, char c)
{
    if (*p == '?')
        return 1;
    const struct set *set = *p == '[' ? set_at(sets, all, p) : NULL;
    if (set != NULL)
        return set_has(set, (unsigned char)c) ? (size_t)(set->close - p) + 1 : 0;
    return *p == c ? 1 : 0;
}

/* one alternative, from P; on a mismatch only the last `*` takes one more character, which is
 * enough: what an earlier one could win, the last can win too */
static bool alternative_matches(const char *p, const char *end, const char *name)
{
    struct pattern all = pattern_of(p, end);
    struct sets sets;
    const char *star = NULL, *star_name = NULL;
    sets.is_begun = false;
    while (*name != '\0') {
        size_t n;
        if (p < end && *p == '*') {
            star = ++p;
            star_name = name;
        } else if (p < end && (n = one_matches(&sets, p, &all, *name)) > 0) {
            p += n;
            name++;
        } else if (star != NULL) {
            p = star;
            name = ++star_name;
        } else {
            return false;
        }
    }
    while (p < end && *p == '*')
        p++;
    return p == end;
}

/* the `|` that ends the alternative at P, or the end of the text */
static const char *alternative_end(const char *p, const struct pattern *all)
{
    while (p < all->end && *p != '|') {
        const char *close = *p == '[' ? set_end(p, all) : NULL;
        p = close != NULL ? close + 1 : p + 1;
    }
    return p;
}

bool pattern_match(const char *pattern, const char *name)
{
    struct pattern all = pattern_of(pattern, pattern + strlen(pattern));
    for (;;) {
        const char *end = alternative_end(pattern, &all);
        if (alternative_matches(pattern, end, name))
            return true;
        if (*end == '\0')
            return false;
        pattern = end + 1;
    }
}

int pattern_check(const char *text, struct answer *ans)
{
    if (text == NULL || strnlen(text, PATTERN_MOST + 1) <= PATTERN_MOST)
        return 0;
    return ans_fail(ans, STATUS_ESEMANTIC, MSG_PATTERN_LONG_ISU, (int)PATTERN_SHOWN, text,
                    (unsigned)PATTERN_MOST);
}

bool pattern_is_wild(const char *pattern)
{
    return strpbrk(pattern, "*?[|") != NULL;
}
