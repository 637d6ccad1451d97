/* Who may speak as what: proved by the connection, whatever the frames say. */
#include "daemons/qmaster/change/sessions.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>

#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/core.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/test/fixture.h"
#include "libs/gdi/hello.h"
#include "libs/uti/alloc.h"

/* a frame of KIND that a peer has sent: the greeting, or an empty record */
static void send(struct fixture *f, const struct session *s, uint8_t kind)
{
    struct packer body = { 0 };
    struct EP_Type nothing = { 0 };
    if (kind == GDI_FRAME_HELLO)
        gdi_hello_pack(&body, "test", "node1");
    else
        cull_pack(&body, &cull_EP_Type, &nothing, NULL);
    struct note *n = note_new(NOTE_FRAME, s->conn);
    n->frame = (struct frame){ .kind = kind, .body = body.data, .len = body.len };
    core_on_note(&f->q, n);
    note_free(n);
    while (work_step(&f->q))
        ;
}

static bool is_ended_by(struct fixture *f, struct session *s, uint8_t kind)
{
    f->last_closed = 0;
    send(f, s, kind);
    assert_true(f->last_closed == 0 || f->last_closed == s->conn);
    return f->last_closed == s->conn;
}

static struct session *greeted(struct fixture *f, const char *user, bool is_child)
{
    struct session *s = fixture_session(f, user);
    if (is_child)
        s->who.role = ROLE_SCHEDULER;
    send(f, s, GDI_FRAME_HELLO);
    return s;
}

static void only_the_child_is_the_scheduler(void **state)
{
    static const uint8_t kinds[] = { GDI_FRAME_EVENT_REGISTER, GDI_FRAME_EVENT_ACK,
                                     GDI_FRAME_ORDERS };
    static const char *const users[] = { "alice", "boss", "root" };
    struct fixture *f = *state;
    for (size_t i = 0; i < ARRAY_LEN(users); i++) {
        struct session *s = greeted(f, users[i], false);
        for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
            assert_true(is_ended_by(f, s, kinds[k]));
        assert_false(events_is_scheduler(&f->q, s->conn));
    }
    struct session *child = greeted(f, "child", true);
    for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
        assert_false(is_ended_by(f, child, kinds[k]));
    assert_true(events_is_scheduler(&f->q, child->conn));
}

static void only_root_and_the_qmasters_user_are_execds(void **state)
{
    struct fixture *f = *state;
    assert_true(is_ended_by(f, greeted(f, "alice", false), GDI_FRAME_EXEC));
    assert_true(is_ended_by(f, greeted(f, "boss", false), GDI_FRAME_EXEC));
    assert_false(is_ended_by(f, greeted(f, "root", false), GDI_FRAME_EXEC));
}

static void the_scheduler_asks_for_nothing_as_a_user(void **state)
{
    struct fixture *f = *state;
    assert_true(is_ended_by(f, greeted(f, "child", true), GDI_FRAME_REQUEST));
    assert_true(is_ended_by(f, fixture_session(f, "child"), GDI_FRAME_EXEC));
    assert_false(is_ended_by(f, greeted(f, "alice", false), GDI_FRAME_REQUEST));
}

static void kinds_that_nobody_sends_end_the_connection(void **state)
{
    struct fixture *f = *state;
    struct session *s = greeted(f, "root", false);
    for (unsigned kind = 0; kind < 256; kind++)
        if (kind != GDI_FRAME_REQUEST && kind != GDI_FRAME_EXEC && kind != GDI_FRAME_SCHEMA)
            assert_true(is_ended_by(f, s, (uint8_t)kind));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(only_the_child_is_the_scheduler),
        TEST(only_root_and_the_qmasters_user_are_execds),
        TEST(the_scheduler_asks_for_nothing_as_a_user),
        TEST(kinds_that_nobody_sends_end_the_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
