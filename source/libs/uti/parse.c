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
    const char *end, *last_close;
};

static struct pattern pattern_of(const char *p, const char *end)
{
    return (struct pattern){ end, memrchr(p, ']', (size_t)(end - p)) };
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

static bool set_has(const char *p, const char *close, char c)
{
    const char *q = p + 1;
    bool is_negated = *q == '!' || *q == '^';
    bool is_in = false;
    for (q += is_negated; q < close; q++) {
        unsigned char low = (unsigned char)*q, high = low;
        if (q + 2 < close && q[1] == '-') {
            high = (unsigned char)q[2];
            q += 2;
        }
        if (low <= (unsigned char)c && (unsigned char)c <= high)
            is_in = true;
    }
    return is_in != is_negated;
}

/* how many pattern characters at P match the one character C; 0 = none */
static size_t one_matches(const char *p, const struct pattern *all, char c)
{
    if (*p == '?')
        return 1;
    const char *close = *p == '[' ? set_end(p, all) : NULL;
    if (close != NULL)
        return set_has(p, close, c) ? (size_t)(close - p) + 1 : 0;
    return *p == c ? 1 : 0;
}

/* one alternative, from P; on a mismatch only the last `*` takes one more character, which is
 * enough: what an earlier one could win, the last can win too */
static bool alternative_matches(const char *p, const char *end, const char *name)
{
    struct pattern all = pattern_of(p, end);
    const char *star = NULL, *star_name = NULL;
    while (*name != '\0') {
        size_t n;
        if (p < end && *p == '*') {
            star = ++p;
            star_name = name;
        } else if (p < end && (n = one_matches(p, &all, *name)) > 0) {
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
