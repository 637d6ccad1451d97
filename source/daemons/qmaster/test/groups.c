/* Host groups as a net: who is in which, what may be, and that a question costs what it finds.
 * hostgroup(5). */
#include "daemons/qmaster/tables/groups.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "libs/config/attr_names.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* the group NAME with the members in LIST */
static struct HGRP_Type a_group(const char *name, const char *list)
{
    struct HGRP_Type group = { 0 };
    struct dstr word = DSTR_INIT;
    cull_set(&group, HGRP_name, name);
    for (const char *at = list; attr_next_word(&at, " ", &word);) {
        struct ST_Type *st = cull_append(&group, HGRP_host_list);
        cull_set(st, ST_name, dstr_get(&word));
    }
    dstr_free(&word);
    return group;
}

static void put_group(struct groups *g, const char *name, const char *list)
{
    struct HGRP_Type group = a_group(name, list);
    groups_put(g, &group);
    cull_clear(&cull_HGRP_Type, &group);
}

static const char *text_refused(struct groups *g, const char *name, const char *list)
{
    static char text[256];
    struct HGRP_Type group = a_group(name, list);
    struct answer ans = ANSWER_INIT;
    snprintf(text, sizeof text, "%s",
             groups_check(g, &group, &ans) < 0 ? ans_first_error(&ans) : "fine");
    ans_free(&ans);
    cull_clear(&cull_HGRP_Type, &group);
    return text;
}

static bool is_in(struct groups *g, const char *host, const char *group)
{
    groups_find(g, host);
    return groups_has(g, group);
}

static void a_host_is_in_groups_directly_or_through_others(void **state SGE_UNUSED)
{
    struct groups g = { 0 };
    put_group(&g, "@a", "n1 @b");
    put_group(&g, "@b", "n2 @c");
    put_group(&g, "@c", "n3");
    assert_true(is_in(&g, "n1", "@a"));
    assert_false(is_in(&g, "n1", "@b"));
    assert_true(is_in(&g, "n3", "@a"));
    assert_int_equal(g.n_found, 3);
    assert_string_equal(g.found[0]->name, "@c");
    assert_false(is_in(&g, "n4", "@a"));
    assert_true(is_in(&g, "@c", "@a"));
    groups_clear(&g);
}

static void what_a_group_loses_it_no_longer_has(void **state SGE_UNUSED)
{
    struct groups g = { 0 };
    put_group(&g, "@a", "@b n1");
    put_group(&g, "@b", "n2");
    put_group(&g, "@b", "n3");
    assert_false(is_in(&g, "n2", "@a"));
    assert_true(is_in(&g, "n3", "@a"));
    groups_drop(&g, "@b");
    assert_false(is_in(&g, "n3", "@a"));
    groups_drop(&g, "@a");
    groups_drop(&g, "@a");
    assert_int_equal(HASH_COUNT(g.nodes), 0);
    groups_clear(&g);
}

static void a_circle_is_refused_and_one_that_is_there_ends(void **state SGE_UNUSED)
{
    static const char itself[] =
        "host group \"@a\" contains itself, directly or through other groups";
    struct groups g = { 0 };
    put_group(&g, "@b", "n1 @c");
    put_group(&g, "@c", "@a");
    assert_string_equal(text_refused(&g, "@a", "@a"), itself);
    assert_string_equal(text_refused(&g, "@a", "n1 @b"), itself);
    put_group(&g, "@a", "@b @b"); /* as a foreign spool may have it */
    assert_true(is_in(&g, "n1", "@a"));
    assert_int_equal(g.n_found, 3);
    assert_string_equal(text_refused(&g, "@a", "n2"), "fine");
    groups_clear(&g);
}

/* whichever end of a way grows */
static void no_way_has_more_than_16_groups(void **state SGE_UNUSED)
{
    struct groups g = { 0 };
    char name[16], inside[16];
    for (int i = 16; i > 1; i--) {
        snprintf(name, sizeof name, "@g%d", i);
        snprintf(inside, sizeof inside, i < 16 ? "@g%d" : "n%d", i + 1);
        assert_string_equal(text_refused(&g, name, inside), "fine");
        put_group(&g, name, inside);
    }
    assert_string_equal(text_refused(&g, "@g1", "@g2"), "fine");
    put_group(&g, "@g1", "@g2");
    assert_string_equal(text_refused(&g, "@top", "@g1"),
                        "host group \"@top\" is nested more than 16 levels deep");
    put_group(&g, "@low", "n1");
    assert_string_equal(text_refused(&g, "@g16", "@low"),
                        "host group \"@g16\" is nested more than 16 levels deep");
    assert_string_equal(text_refused(&g, "@g16", "n1"), "fine");
    groups_clear(&g);
}

/* 8 ways from each of 15 groups to the next are 8^14 paths, but 15 groups */
static void any_number_of_ways_costs_the_edges(void **state SGE_UNUSED)
{
    struct groups g = { 0 };
    char name[16], inside[256];
    for (int i = 15; i > 0; i--) {
        size_t len = 0;
        for (int k = 0; k < 8; k++)
            len += (size_t)snprintf(inside + len, sizeof inside - len, i < 15 ? "@g%d " : "n%d ",
                                    i + 1);
        snprintf(name, sizeof name, "@g%d", i);
        assert_string_equal(text_refused(&g, name, inside), "fine");
        put_group(&g, name, inside);
    }
    assert_true(is_in(&g, "n16", "@g1"));
    assert_int_equal(g.n_found, 15);
    groups_clear(&g);
}

/* a question about a host among 10,000 groups finds those that it is in */
static void a_question_costs_what_it_finds(void **state SGE_UNUSED)
{
    enum { GROUPS = 10000 };
    struct groups g = { 0 };
    char name[16], host[16];
    for (int i = 0; i < GROUPS; i++) {
        snprintf(name, sizeof name, "@g%d", i);
        snprintf(host, sizeof host, "n%d @g%d", i, GROUPS + i % 10);
        put_group(&g, name, host);
    }
    groups_find(&g, "n77");
    assert_int_equal(g.n_found, 1);
    groups_find(&g, "@g10007");
    assert_int_equal(g.n_found, GROUPS / 10);
    groups_clear(&g);
}

static void count_host(void *ctx, const char *host)
{
    dstr_addf(ctx, "%s ", host);
}

static void each_host_below_is_named_once(void **state SGE_UNUSED)
{
    struct groups g = { 0 };
    struct dstr said = DSTR_INIT;
    put_group(&g, "@a", "n1 @b");
    put_group(&g, "@b", "n1 n2");
    struct HGRP_Type members = a_group("@x", "@a n3 @nobody n1");
    groups_each_host(&g, &members.HGRP_host_list, count_host, &said);
    assert_string_equal(dstr_get(&said), "n3 n1 n2 ");
    cull_clear(&cull_HGRP_Type, &members);
    dstr_free(&said);
    groups_clear(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_is_in_groups_directly_or_through_others),
        cmocka_unit_test(what_a_group_loses_it_no_longer_has),
        cmocka_unit_test(a_circle_is_refused_and_one_that_is_there_ends),
        cmocka_unit_test(no_way_has_more_than_16_groups),
        cmocka_unit_test(any_number_of_ways_costs_the_edges),
        cmocka_unit_test(a_question_costs_what_it_finds),
        cmocka_unit_test(each_host_below_is_named_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
