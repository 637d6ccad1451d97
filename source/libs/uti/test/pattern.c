/* Patterns for names: sge_types(1). */
#include "libs/uti/pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/test/random_text.h"

static void patterns_match_as_described(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *name;
        bool is_match;
    } cases[] = {
        { "", "", true },
        { "", "a", false },
        { "a", "a", true },
        { "a", "A", false },
        { "a", "ab", false },
        { "*", "", true },
        { "*", "anything", true },
        { "a*", "a", true },
        { "a*c", "abbbc", true },
        { "a*c", "abbbd", false },
        { "*a*b*", "xxaxxbxx", true },
        { "*ab", "aab", true },
        { "?", "", false },
        { "?", "x", true },
        { "??", "x", false },
        { "[abc]", "b", true },
        { "[abc]", "d", false },
        { "[a-c]x", "bx", true },
        { "[!a-c]", "b", false },
        { "[^a-c]", "d", true },
        { "[]]", "]", true },
        { "[!]]", "]", false },
        { "[a-]", "-", true },
        { "[", "[", true },
        { "a[b", "a[b", true },
        { "a|b", "b", true },
        { "a|b", "a|b", true },
        { "a|b", "a|c", false },
        { "a|*", "zz", true },
        { "x|", "", true },
        { "[|]", "|", true },
        { "[a|b]c", "|c", true },
        { "rend*|comp?", "comp1", true },
        { "[\x80-\xff]", "\xc3", true },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        if (pattern_match(cases[i].pattern, cases[i].name) != cases[i].is_match)
            fail_msg("\"%s\" against \"%s\"", cases[i].pattern, cases[i].name);
    }
}

static void many_stars_cost_no_exponential_time(void **state)
{
    (void)state;
    char pattern[201], name[2001];
    for (size_t i = 0; i < 200; i += 2) {
        pattern[i] = '*';
        pattern[i + 1] = 'a';
    }
    pattern[199] = 'b';
    pattern[200] = '\0';
    memset(name, 'a', 2000);
    name[2000] = '\0';
    assert_false(pattern_match(pattern, name));
}

/* 2,000 characters that begin a set which never ends, against as many: quadratic, not cubic */
static void sets_that_do_not_end_cost_little(void **state)
{
    enum { LEN = 2000 };
    char pattern[LEN + 2], name[LEN + 1];
    (void)state;
    memset(pattern, '[', sizeof pattern - 1);
    memset(name, '[', LEN);
    pattern[LEN + 1] = name[LEN] = '\0';
    assert_false(pattern_match(pattern, name));
    assert_true(pattern_match(pattern + 1, name));
    pattern[0] = '*';
    pattern[LEN] = 'x';
    clock_t before = clock();
    for (int i = 0; i < 10; i++)
        assert_false(pattern_match(pattern, name));
    assert_true(clock() - before < 5 * CLOCKS_PER_SEC); /* of this process; once it was minutes */
}

/* Patterns of the greatest length, as a hostile list has them by the ten thousand, against a name
 * of that length: were a set read for each character, as it was once, this would take minutes. */
static void a_set_is_read_once_however_long_the_name_is(void **state)
{
    enum { TIMES = 200000 };
    char pattern[PATTERN_MOST + 1], name[PATTERN_MOST + 1];
    (void)state;
    memset(pattern, 'b', PATTERN_MOST);
    memset(name, 'a', PATTERN_MOST);
    memcpy(pattern, "*[", 2);
    pattern[PATTERN_MOST - 1] = ']';
    pattern[PATTERN_MOST] = name[PATTERN_MOST] = '\0';
    for (int i = 0; i < TIMES; i++)
        assert_false(pattern_match(pattern, name));
    name[PATTERN_MOST - 1] = 'b';
    assert_true(pattern_match(pattern, name));
}

/* beyond that length sets are not kept, and mean the same */
static void long_patterns_mean_the_same(void **state)
{
    enum { SETS = 1000 };
    static char pattern[6 * SETS + 2], name[2 * SETS + 1];
    (void)state;
    for (int i = 0; i < SETS; i++) {
        memcpy(pattern + 6 * i, "[a-c]?", 6);
        memcpy(name + 2 * i, "bz", 2);
    }
    assert_true(pattern_match(pattern, name));
    name[2 * SETS - 2] = 'd';
    assert_false(pattern_match(pattern, name));
    pattern[6 * SETS] = '*';
    assert_false(pattern_match(pattern, name));
}

static void patterns_have_a_limit_that_is_named(void **state)
{
    char text[PATTERN_MOST + 2];
    struct answer ans = ANSWER_INIT;
    (void)state;
    memset(text, 'p', sizeof text - 1);
    text[PATTERN_MOST + 1] = '\0';
    assert_int_equal(pattern_check(text + 1, NULL), 0);
    assert_int_equal(pattern_check(NULL, NULL), 0);
    assert_int_equal(pattern_check(text, &ans), -1);
    assert_string_equal(ans_first_error(&ans),
                        "denied: \"pppppppppppppppppppppppppppppppp...\" is longer than 512 bytes, "
                        "the limit for names and patterns");
    ans_free(&ans);
}

static void expressions_join_words(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *name;
        bool is_match;
    } cases[] = {
        { "!a", "a", false },
        { "!a", "b", true },
        { "!a", "", true },
        { "!!a", "a", true },
        { "!(a|b)", "b", false },
        { "!(a|b)", "c", true },
        { "!(bad*|old*)", "older", false },
        { "!(bad*|old*)", "new", true },
        { "a*&*z", "az", true },
        { "a*&*z", "ab", false },
        { "(a.q|b.q)&!b.q", "a.q", true },
        { "(a.q|b.q)&!b.q", "b.q", false },
        { "a|b&c", "a", true }, /* & binds more than | */
        { "(a|b)&c", "a", false },
        { "!a&!b", "c", true },
        { "!a|b", "b", true },
        { "((a))", "a", true },
        { "[(&|]", "&", true },
        { "![a-c]*", "bx", false },
        { "a!b", "a!b", true }, /* ordinary characters inside of a word */
        { "a(b", "a(b", true },
        { "a)", "a)", true },
        { "a*)", "ab)", true },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        if (pattern_match(cases[i].pattern, cases[i].name) != cases[i].is_match)
            fail_msg("\"%s\" against \"%s\"", cases[i].pattern, cases[i].name);
    }
}

static void what_is_no_expression_means_its_own_name(void **state)
{
    static const char *const wrong[] = { "!",   "a&",   "&a",   "(a",   "()",   "!()",
                                         "a|!", "(a)b", "a&|b", "(a|)", "(|a)", "(a))" };
    char deep[101];
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        assert_true(pattern_match(wrong[i], wrong[i]));
        assert_false(pattern_match(wrong[i], "a"));
        assert_false(pattern_match(wrong[i], "c"));
    }
    for (size_t depth = 30; depth <= 40; depth += 10) { /* the limit lies between */
        memset(deep, '(', depth);
        deep[depth] = 'a';
        memset(deep + depth + 1, ')', depth);
        deep[2 * depth + 1] = '\0';
        assert_true(pattern_match(deep, "a") == (depth == 30));
    }
}

/* ---- random expressions beside their definition ---- */
enum node_kind { WORD, NOT, AND, OR };
struct node {
    enum node_kind kind;
    char word[8];
    struct node *left, *right;
};

static struct node *random_node(uint64_t *seed, int depth)
{
    struct node *n = calloc(1, sizeof *n);
    n->kind = depth == 0 ? WORD : (enum node_kind)random_below(seed, 4);
    if (n->kind == WORD) {
        static const char sets[][6] = { "[ab]", "[!a]", "[b|c]" };
        random_text_of(seed, "abc*?", 3, n->word);
        if (n->word[0] == '\0')
            memcpy(n->word, sets[random_below(seed, ARRAY_LEN(sets))], 6);
        return n;
    }
    n->left = random_node(seed, depth - 1);
    n->right = n->kind == NOT ? NULL : random_node(seed, depth - 1);
    return n;
}

static void node_free(struct node *n)
{
    if (n == NULL)
        return;
    node_free(n->left);
    node_free(n->right);
    free(n);
}

/* with the parentheses that are needed, and some that are not */
static void write_node(uint64_t *seed, const struct node *n, enum node_kind within,
                       struct dstr *out)
{
    static const unsigned binds[] = { [WORD] = 4, [NOT] = 3, [AND] = 2, [OR] = 1 };
    bool has_parentheses = binds[n->kind] < binds[within] || random_below(seed, 6) == 0;
    if (has_parentheses)
        dstr_addc(out, '(');
    if (n->kind == WORD)
        dstr_add(out, n->word);
    else if (n->kind == NOT)
        dstr_addc(out, '!');
    if (n->left != NULL)
        write_node(seed, n->left, n->kind, out);
    if (n->right != NULL) {
        dstr_addc(out, n->kind == AND ? '&' : '|');
        write_node(seed, n->right, n->kind, out);
    }
    if (has_parentheses)
        dstr_addc(out, ')');
}

static bool word_is(const char *word, const char *name)
{
    switch (*word) {
    case '\0':
        return *name == '\0';
    case '*':
        return word_is(word + 1, name) || (*name != '\0' && word_is(word, name + 1));
    case '?':
        return *name != '\0' && word_is(word + 1, name + 1);
    default:
        return *word == *name && word_is(word + 1, name + 1);
    }
}

static bool node_means(const struct node *n, const char *name)
{
    switch (n->kind) {
    case NOT:
        return !node_means(n->left, name);
    case AND:
        return node_means(n->left, name) && node_means(n->right, name);
    case OR:
        return node_means(n->left, name) || node_means(n->right, name);
    case WORD:
        break;
    }
    if (n->word[0] != '[')
        return word_is(n->word, name);
    bool is_in = name[0] != '\0' && name[1] == '\0' &&
                 strchr(n->word[1] == '!'   ? "a"
                        : n->word[1] == 'a' ? "ab"
                                            : "b|c",
                        name[0]);
    return n->word[1] == '!' ? name[0] != '\0' && name[1] == '\0' && !is_in : is_in;
}

static void random_expressions_mean_what_they_say(void **state)
{
    uint64_t seed = 1;
    char name[6];
    (void)state;
    for (int i = 0; i < 50000; i++) {
        struct node *n = random_node(&seed, (int)random_below(&seed, 5));
        struct dstr text = DSTR_INIT;
        write_node(&seed, n, OR, &text);
        for (int k = 0; k < 5; k++) {
            random_text_of(&seed, "abc|", sizeof name - 1, name);
            if (pattern_match(dstr_get(&text), name) !=
                (node_means(n, name) || strcmp(dstr_get(&text), name) == 0))
                fail_msg("\"%s\" against \"%s\"", dstr_get(&text), name);
        }
        node_free(n);
        dstr_free(&text);
    }
}

static void any_text_means_its_own_name(void **state)
{
    uint64_t seed = 2;
    char text[13], other[5];
    (void)state;
    for (int i = 0; i < 300000; i++) {
        random_text_of(&seed, "ab*?[]!|&()", sizeof text - 1, text);
        random_text_of(&seed, "ab[!", sizeof other - 1, other);
        assert_true(pattern_match(text, text));
        if (!pattern_is_wild(text))
            assert_true(pattern_match(text, other) == (strcmp(text, other) == 0));
    }
}

/* the longest that enters, made of what costs most: each word is compared once */
static void hostile_expressions_cost_no_more_than_their_words(void **state)
{
    static const char *const parts[] = { "!(*[a-m]b|", "(*a*a*a*b)&", "!!!!!!!!*a[b]|", "*a&" };
    char pattern[PATTERN_MOST + 1], name[PATTERN_MOST + 1];
    (void)state;
    memset(name, 'a', PATTERN_MOST);
    name[PATTERN_MOST] = '\0';
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        size_t len = strlen(parts[i]);
        for (size_t at = 0; at < PATTERN_MOST; at++)
            pattern[at] = parts[i][at % len];
        pattern[PATTERN_MOST] = '\0';
        clock_t before = clock();
        for (int k = 0; k < 100; k++)
            (void)pattern_match(pattern, name);
        assert_true(clock() - before < CLOCKS_PER_SEC); /* of this process */
    }
}

static void wild_means_any_of_the_operators(void **state)
{
    (void)state;
    assert_false(pattern_is_wild("plain.name-1"));
    assert_true(pattern_is_wild("a*"));
    assert_true(pattern_is_wild("a?"));
    assert_true(pattern_is_wild("a[1]"));
    assert_true(pattern_is_wild("a|b"));
    assert_true(pattern_is_wild("a&b"));
    assert_true(pattern_is_wild("!a"));
    assert_true(pattern_is_wild("(a)"));
    assert_false(pattern_is_wild("a!(b)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_match_as_described),
        cmocka_unit_test(sets_that_do_not_end_cost_little),
        cmocka_unit_test(a_set_is_read_once_however_long_the_name_is),
        cmocka_unit_test(long_patterns_mean_the_same),
        cmocka_unit_test(patterns_have_a_limit_that_is_named),
        cmocka_unit_test(many_stars_cost_no_exponential_time),
        cmocka_unit_test(expressions_join_words),
        cmocka_unit_test(what_is_no_expression_means_its_own_name),
        cmocka_unit_test(random_expressions_mean_what_they_say),
        cmocka_unit_test(any_text_means_its_own_name),
        cmocka_unit_test(hostile_expressions_cost_no_more_than_their_words),
        cmocka_unit_test(wild_means_any_of_the_operators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
