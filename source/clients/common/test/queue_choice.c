/* Which queue instances options choose, on hand-made answers. */
#include "clients/common/queue_choice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka last: it needs the four above */
#include <cmocka.h>

#include "clients/common/command.h"
#include "libs/config/access.h"
#include "libs/config/object.h"
#include "libs/config/qinstance.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static void give_queue(struct GA_Type *part, const char *name, const char *host, uint32_t state,
                       const char *pes)
{
    struct dstr full = DSTR_INIT;
    struct QU_Type *queue = cull_append(part, GA_queues);
    dstr_addf(&full, "%s@%s", name, host);
    cull_set(queue, QU_full_name, dstr_get(&full));
    cull_set(queue, QU_qname, name);
    cull_set(queue, QU_qhostname, host);
    cull_set(queue, QU_state, state);
    cull_set(queue, QU_job_slots, 4u);
    struct VA_Type *setting = cull_append(queue, QU_settings);
    cull_set(setting, VA_variable, "pe_list");
    cull_set(setting, VA_value, pes);
    dstr_free(&full);
}

static void give_host(struct GA_Type *part, const char *name, const char *arch, const char *memory)
{
    struct EH_Type *host = cull_append(part, GA_hosts);
    cull_set(host, EH_name, name);
    struct VA_Type *load = cull_append(host, EH_load_list);
    cull_set(load, VA_variable, "arch");
    cull_set(load, VA_value, arch);
    load = cull_append(host, EH_load_list);
    cull_set(load, VA_variable, "mem_free");
    cull_set(load, VA_value, memory);
}

static void give_set(struct GA_Type *part, const char *name, const char *type, const char *entries)
{
    struct dstr text = DSTR_INIT;
    struct TX_Type set = { 0 };
    dstr_addf(&text, "name %s\ntype %s\nfshare 0\noticket 0\nentries %s\n", name, type, entries);
    assert_int_equal(object_parse(object_rules_of(OBJECT_USERSET), dstr_get(&text), &set, NULL), 0);
    *(struct TX_Type *)cull_append(part, GA_texts) = set;
    dstr_free(&text);
}

/* long.q is for film, and nobody who is away */
static void guard_queue(struct QU_Type *queue)
{
    struct access_lists lists = { .user_lists = "film house", .xuser_lists = "away" };
    access_add_door(&queue->QU_access, &lists);
    cull_mark(queue, QU_access);
}

static int give_answer(void *state, struct GR_Type *request, answer_part_fn fn, void *ctx,
                       struct answer *ans)
{
    struct GA_Type part = { 0 };
    (void)state;
    if (request->GR_target == GDI_QINSTANCE) {
        give_queue(&part, "long.q", "beta", QI_DISABLED, "NONE");
        guard_queue(&part.GA_queues.v[0]);
        give_queue(&part, "all.q", "beta", 0, "smp mpi");
        give_queue(&part, "all.q", "alpha", QI_ALARM, "smp");
    } else if (request->GR_target == GDI_EXECHOST) {
        give_host(&part, "beta", "lx-arm64", "2G");
        give_host(&part, "alpha", "lx-amd64", "8G");
    } else if (request->GR_target == GDI_PE) {
        cull_set(cull_append(&part, GA_texts), TX_name, "smp");
        cull_set(cull_append(&part, GA_texts), TX_name, "mpi");
    } else if (request->GR_target == GDI_USERSET) {
        give_set(&part, "film", "ACL", "alice,bob");
        give_set(&part, "away", "ACL", "bob");
        give_set(&part, "house", "DEPT", "carol");
    }
    int rc = fn(ctx, &part, ans);
    cull_clear(&cull_GA_Type, &part);
    return rc;
}

/* the options that choose; queues stand first, so that all of them have the offset 0 */
static const struct client_option option_rows[] = {
    { "-l", ARGUMENTS, option_requests, NULL, "", offsetof(struct queue_choice, resources), 0 },
    { "-pe", ARGUMENTS, option_names, NULL, "", offsetof(struct queue_choice, pes), 0 },
    { "-q", ARGUMENTS, option_names, NULL, "", offsetof(struct queue_choice, queues), 0 },
    { "-qs", ARGUMENT_NEEDED, queue_choice_states, NULL, "", 0, 0 },
    { "-U", ARGUMENTS, option_names, NULL, "", offsetof(struct queue_choice, users), 0 },
};

static int parse_options(int n, char *const *words, struct queue_choice *c, struct answer *ans)
{
    static const struct option_table table = { .rows = option_rows, .n = ARRAY_LEN(option_rows) };
    bool shows_usage = false;
    return option_table_parse(&table, n, words, c, &shows_usage, ans);
}

static const struct source cell = { .get = give_answer };

/* the names of what C chooses, a line each; new */
static char *names_of(const struct queue_choice *c, struct answer *ans)
{
    struct queue_view view;
    struct dstr names = DSTR_INIT;
    dstr_add(&names, "");
    if (queue_view_get(&cell, c, 0, &view, ans) == 0) {
        for (uint32_t i = 0; i < view.n; i++) {
            dstr_addf(&names, "%s\n", view.v[i]->QU_full_name);
            assert_true(queue_view_has(&view, view.v[i]->QU_full_name));
        }
        assert_false(queue_view_has(&view, "all.q@nowhere"));
        queue_view_free(&view);
    }
    char *text = uti_strdup(dstr_get(&names));
    dstr_free(&names);
    return text;
}

#define ALL "all.q@alpha\nall.q@beta\nlong.q@beta\n"

struct row {
    const char *words[4];
    const char *want; /* names; NULL: none */
};

static void assert_page(const struct row *row)
{
    struct queue_choice c = { 0 };
    struct answer ans = ANSWER_INIT;
    char *words[4];
    int n = 0;
    for (; n < 4 && row->words[n] != NULL; n++)
        words[n] = strdup(row->words[n]);
    assert_int_equal(parse_options(n, words, &c, &ans), 0);
    char *names = names_of(&c, &ans);
    if (strcmp(names, row->want != NULL ? row->want : "") != 0)
        fail_msg("%s %s: %s", row->words[0], row->words[1], names);
    assert_false(ans_has_error(&ans));
    while (n > 0)
        free(words[--n]);
    free(names);
    queue_choice_free(&c);
    ans_free(&ans);
}

static void assert_pages(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_page(&rows[i]);
}

static void queues_states_and_pes_choose(void **state SGE_UNUSED)
{
    static const struct row rows[] = {
        { { NULL }, ALL },
        { { "-q", "all.q" }, "all.q@alpha\nall.q@beta\n" },
        { { "-q", "*@beta" }, "all.q@beta\nlong.q@beta\n" },
        { { "-q", "nope.q" }, NULL },
        { { "-q", "nope.q,long.q" }, "long.q@beta\n" },
        { { "-qs", "d" }, "long.q@beta\n" },
        { { "-qs", "ad" }, "all.q@alpha\nlong.q@beta\n" },
        { { "-qs", "E" }, NULL },
        { { "-pe", "mpi" }, "all.q@beta\n" },
        { { "-pe", "mpi,smp", "-qs", "a" }, "all.q@alpha\n" },
    };
    assert_pages(rows, ARRAY_LEN(rows));
}

static void users_choose(void **state SGE_UNUSED)
{
    static const char *const others = "all.q@alpha\nall.q@beta\n";
    const struct row rows[] = {
        { { "-U", "alice" }, ALL },
        { { "-U", "bob" }, others },
        { { "-U", "carol" }, others },
        { { "-U", "nobody.at.all" }, others },
        { { "-U", "bob,alice" }, others },
        { { "-U", "alice,@film" }, ALL },
        { { "-U", "@film" }, ALL },
        { { "-U", "@away" }, others },
        { { "-U", "alice", "-qs", "d" }, "long.q@beta\n" },
        { { "-U", "bob", "-qs", "d" }, NULL },
    };
    assert_pages(rows, ARRAY_LEN(rows));
}

static void resources_choose(void **state SGE_UNUSED)
{
    static const struct row rows[] = {
        { { "-l", "arch=lx-amd64" }, "all.q@alpha\n" },
        { { "-l", "arch=lx-*" }, ALL },
        { { "-l", "mf=4G" }, "all.q@alpha\n" }, /* by its shortcut */
        { { "-l", "mem_free=1G,h=beta" }, "all.q@beta\nlong.q@beta\n" },
        { { "-l", "hostname=beta", "-l", "qname=long.q" }, "long.q@beta\n" },
        { { "-l", "slots=4" }, ALL },
        { { "-l", "slots=5" }, NULL },
        { { "-l", "nosuch=1" }, NULL },
        { { "-l", "swap_free=1G" }, NULL }, /* nobody reports it */
        { { "-l", "mem_free=much" }, NULL },
        { { "-l", "" }, ALL },
    };
    assert_pages(rows, ARRAY_LEN(rows));
}

/* what cannot be meant, and a list of users who may use nothing, are said */
static void an_empty_answer_has_a_reason(void **state SGE_UNUSED)
{
    static const struct {
        const char *option, *value, *says;
    } cases[] = {
        { "-pe", "nope", "no such parallel environment" },
        { "-qs", "r",
          "unknown queue state: r found in string: r\nunknown queue state: r found in string: r" },
        { "-qs", "",
          "unknown queue state:  found in string: \nunknown queue state:  found in string: " },
        { "-qs", "dx",
          "unknown queue state: x found in string: dx\n"
          "unknown queue state: x found in string: dx" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct queue_choice c = { 0 };
        struct answer ans = ANSWER_INIT;
        char *words[] = { strdup(cases[i].option), strdup(cases[i].value) };
        assert_int_equal(parse_options(2, words, &c, &ans), 0);
        for (size_t k = 0; k < ARRAY_LEN(words); k++) /* qstat frees them before the request */
            memset(words[k], '#', strlen(words[k]));
        char *names = names_of(&c, &ans);
        assert_string_equal(names, "");
        assert_string_equal(ans_first_error(&ans), cases[i].says);
        queue_choice_free(&c);
        free(names);
        free(words[0]);
        free(words[1]);
        ans_free(&ans);
    }
}

static void a_wrong_word_is_refused(void **state SGE_UNUSED)
{
    static const struct row rows[] = { { { "-zz" }, NULL },
                                       { { "-s", "r" }, NULL },
                                       { { "-q" }, NULL },
                                       { { "-U" }, NULL },
                                       { { "all.q" }, NULL } };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct queue_choice c = { 0 };
        struct answer ans = ANSWER_INIT;
        char *words[2];
        int n = 0;
        for (; n < 2 && rows[i].words[n] != NULL; n++)
            words[n] = strdup(rows[i].words[n]);
        assert_int_equal(parse_options(n, words, &c, &ans), -1);
        assert_non_null(strstr(ans_first_error(&ans), rows[i].words[0]));
        while (n > 0)
            free(words[--n]);
        queue_choice_free(&c);
        ans_free(&ans);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queues_states_and_pes_choose),
        cmocka_unit_test(users_choose),
        cmocka_unit_test(resources_choose),
        cmocka_unit_test(an_empty_answer_has_a_reason),
        cmocka_unit_test(a_wrong_word_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
