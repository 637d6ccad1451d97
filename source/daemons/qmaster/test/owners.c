/* Who the users are whom requests name: asked by one thread, answered in the core's inbox. By the
 * name service of this machine, which knows root. */
#include "daemons/qmaster/io/owners.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/io/inbox.h"
#include "libs/comm/loop.h"
#include "libs/comm/names.h"
#include "libs/uti/alloc.h"

enum { NOBODYS_UID = 1 << 30 };

struct fixture {
    struct loop *loop;
    struct names *names;
    struct owners *owners;
    struct inbox *core;
    pthread_t thread;
};

static void on_names(void *ctx)
{
    owners_look(((struct fixture *)ctx)->owners);
}

static void *run_loop(void *ctx)
{
    loop_run(((struct fixture *)ctx)->loop);
    return NULL;
}

static int set_up(void **state)
{
    struct fixture *f = uti_calloc(1, sizeof *f);
    f->loop = loop_new(NULL);
    f->core = inbox_new();
    f->names = names_new(f->loop, on_names, f, NULL);
    f->owners = owners_new(f->loop, f->names, "node1", f->core, NULL);
    assert_non_null(f->owners);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    owners_free(f->owners);
    names_free(f->names);
    inbox_free(f->core);
    loop_free(f->loop);
    free(f);
    return 0;
}

/* the loop runs until N notes have come, which are moved to OUT */
static void hear_notes(struct fixture *f, unsigned n, struct note_list *out)
{
    struct note_list some;
    struct note *note;
    STAILQ_INIT(out);
    assert_int_equal(pthread_create(&f->thread, NULL, run_loop, f), 0);
    while (n > 0) {
        inbox_take(f->core, 0, &some);
        STAILQ_FOREACH(note, &some, next)
            n--;
        STAILQ_CONCAT(out, &some);
    }
    loop_stop(f->loop);
    pthread_join(f->thread, NULL);
}

static struct note *take_note(struct note_list *notes)
{
    struct note *n = STAILQ_FIRST(notes);
    assert_non_null(n);
    STAILQ_REMOVE_HEAD(notes, next);
    assert_int_equal(n->kind, NOTE_OWNER);
    return n;
}

static void a_user_has_name_group_and_the_host_of_root(void **state)
{
    struct fixture *f = *state;
    struct note_list notes;
    owners_ask(f->owners, 0);
    hear_notes(f, 1, &notes);
    struct note *n = take_note(&notes);
    assert_int_equal(n->number, 0);
    assert_string_equal(n->who.user, "root");
    assert_string_equal(n->who.group, "root");
    assert_string_equal(n->who.host, "node1");
    assert_int_equal(n->who.proof, PROOF_ROOT);
    assert_int_equal(n->who.role, ROLE_CLIENT);
    assert_true(n->who.uid == 0 && n->who.gid == 0 && !n->is_unsure);
    note_free(n);
}

static void whoever_is_nobody_has_no_name(void **state)
{
    struct fixture *f = *state;
    struct note_list notes;
    owners_ask(f->owners, NOBODYS_UID);
    hear_notes(f, 1, &notes);
    struct note *n = take_note(&notes);
    assert_int_equal(n->number, NOBODYS_UID);
    assert_null(n->who.user);
    assert_false(n->is_unsure);
    note_free(n);
}

static void each_question_has_one_answer(void **state)
{
    struct fixture *f = *state;
    struct note_list notes;
    unsigned roots = 0;
    for (unsigned i = 0; i < 10; i++)
        owners_ask(f->owners, i % 2 == 0 ? 0 : NOBODYS_UID + i);
    hear_notes(f, 10, &notes);
    for (unsigned i = 0; i < 10; i++) {
        struct note *n = take_note(&notes);
        roots += n->who.user != NULL;
        note_free(n);
    }
    assert_int_equal(roots, 5);
    assert_true(STAILQ_EMPTY(&notes));
}

static void what_nobody_answered_goes_with_the_end(void **state)
{
    struct fixture *f = *state;
    owners_ask(f->owners, 0);
    owners_free(NULL);
}

static void a_user_has_groups(void **state)
{
    struct fixture *f = *state;
    struct note_list notes;
    owners_ask_groups(f->owners, 0);
    owners_ask_groups(f->owners, NOBODYS_UID);
    hear_notes(f, 2, &notes);
    struct note *n;
    while ((n = STAILQ_FIRST(&notes)) != NULL) {
        STAILQ_REMOVE_HEAD(&notes, next);
        assert_int_equal(n->kind, NOTE_GROUPS);
        assert_false(n->is_unsure);
        if (n->number == 0)
            assert_int_equal(strncmp(n->data, "root:root:", 10), 0);
        else
            assert_null(n->data);
        note_free(n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
        TEST(a_user_has_name_group_and_the_host_of_root),
        TEST(whoever_is_nobody_has_no_name),
        TEST(each_question_has_one_answer),
        TEST(a_user_has_groups),
        TEST(what_nobody_answered_goes_with_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
