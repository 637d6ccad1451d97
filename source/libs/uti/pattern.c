/* Patterns for names. Pure: no locale, no state. Source: sge_types(1) Patterns. */
#include "libs/uti/pattern.h"

#include <string.h>

#include "libs/uti/answer.h"
#include "libs/uti/msg_uti.h"

enum { PATTERN_SHOWN = 32 /* bytes of one that is refused */ };

/* ---- words ---- */
/* A pattern, or one word of it, which ends at END. No set begins behind its last `]` (NULL:
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

/* On a mismatch only the last `*` takes one more character, which is enough: what an earlier one
 * could win, the last can win too. */
bool pattern_word_match(const char *word, size_t len, const char *name)
{
    const char *p = word, *end = word + len, *star = NULL, *star_name = NULL;
    struct pattern all = pattern_of(p, end);
    struct sets sets;
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

bool pattern_word_is_wild(const char *word, size_t len)
{
    return memchr(word, '*', len) != NULL || memchr(word, '?', len) != NULL ||
           memchr(word, '[', len) != NULL;
}

/* ---- expressions ---- */
/* `|` binds least, then `&`, then `!`. Each word is compared once at most: those that cannot change
 * the result any more are passed over. */
enum { GROUPS_DEEP_MOST = 32 };
struct expression {
    struct pattern all;
    const char *at;
    unsigned depth; /* of parentheses */
    bool is_wrong;
    pattern_word_fn *means;
    const void *ctx;
};

static bool any_of(struct expression *e, bool is_needed);

/* the end of the word at E: operators count outside of sets; a `)` that closes nothing does not */
static const char *word_end(const struct expression *e)
{
    const char *p = e->at;
    while (p < e->all.end && *p != '|' && *p != '&' && (*p != ')' || e->depth == 0)) {
        const char *close = *p == '[' ? set_end(p, &e->all) : NULL;
        p = close != NULL ? close + 1 : p + 1;
    }
    return p;
}

/* an empty word is one between `|`, and nowhere else */
static bool may_be_empty(const struct expression *e)
{
    return (e->at == e->all.begin || e->at[-1] == '|') && (*e->at == '\0' || *e->at == '|');
}

static bool word_means(struct expression *e, bool is_needed)
{
    const char *end = word_end(e);
    size_t len = (size_t)(end - e->at);
    if (len == 0 && !may_be_empty(e))
        e->is_wrong = true;
    bool means = is_needed && !e->is_wrong && e->means(e->ctx, e->at, len);
    e->at = end;
    return means;
}

static bool group_means(struct expression *e, bool is_needed)
{
    e->at++;
    if (e->depth++ == GROUPS_DEEP_MOST) {
        e->is_wrong = true;
        return false;
    }
    bool means = any_of(e, is_needed);
    e->is_wrong = e->is_wrong || *e->at != ')';
    if (!e->is_wrong)
        e->at++;
    e->depth--;
    return means;
}

static bool one_means(struct expression *e, bool is_needed)
{
    bool is_negated = false;
    for (; *e->at == '!'; e->at++)
        is_negated = !is_negated;
    bool means = *e->at == '(' ? group_means(e, is_needed) : word_means(e, is_needed);
    return means != is_negated;
}

static bool all_of(struct expression *e, bool is_needed)
{
    bool means = one_means(e, is_needed);
    while (!e->is_wrong && *e->at == '&') {
        e->at++;
        bool next = one_means(e, is_needed && means);
        means = means && next;
    }
    return means;
}

static bool any_of(struct expression *e, bool is_needed)
{
    bool means = all_of(e, is_needed);
    while (!e->is_wrong && *e->at == '|') {
        e->at++;
        bool next = all_of(e, is_needed && !means);
        means = means || next;
    }
    return means;
}

static bool is_expression(const char *pattern)
{
    return *pattern == '!' || *pattern == '(' || strpbrk(pattern, "|&") != NULL;
}

bool pattern_match_words(const char *pattern, pattern_word_fn *means, const void *ctx)
{
    size_t len = strlen(pattern);
    if (!is_expression(pattern))
        return means(ctx, pattern, len);
    struct expression e = {
        .all = pattern_of(pattern, pattern + len), .at = pattern, .means = means, .ctx = ctx
    };
    bool is_meant = any_of(&e, true);
    return is_meant && !e.is_wrong && e.at == e.all.end;
}

static bool is_name(const void *name, const char *word, size_t len)
{
    return pattern_word_match(word, len, name);
}

bool pattern_match(const char *pattern, const char *name)
{
    return strcmp(pattern, name) == 0 || pattern_match_words(pattern, is_name, name);
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
    return is_expression(pattern) || strpbrk(pattern, "*?[") != NULL;
}
