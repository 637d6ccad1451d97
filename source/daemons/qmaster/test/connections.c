/* Who may speak as what: proved by the connection, whatever the frames say. */
#include "daemons/qmaster/change/connections.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>

#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/core.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/tables/rights.h"
#include "daemons/qmaster/test/fixture.h"
#include "libs/gdi/hello.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"

/* a frame of KIND that a peer has sent: the greeting, or an empty record */
static void send_frame(struct fixture *f, const struct connection *s, uint8_t kind)
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

static bool is_ended_by(struct fixture *f, struct connection *s, uint8_t kind)
{
    f->last_closed = 0;
    send_frame(f, s, kind);
    assert_true(f->last_closed == 0 || f->last_closed == s->conn);
    return f->last_closed == s->conn;
}

static struct connection *connect_greeted(struct fixture *f, const char *user, bool is_child)
{
    struct connection *s = fixture_connection(f, user);
    if (is_child)
        s->who.role = ROLE_SCHEDULER;
    send_frame(f, s, GDI_FRAME_HELLO);
    return s;
}

static void only_the_child_is_the_scheduler(void **state)
{
    static const uint8_t kinds[] = { GDI_FRAME_EVENT_REGISTER, GDI_FRAME_EVENT_ACK,
                                     GDI_FRAME_ORDERS };
    static const char *const users[] = { "alice", "boss", "root" };
    struct fixture *f = *state;
    for (size_t i = 0; i < ARRAY_LEN(users); i++) {
        struct connection *s = connect_greeted(f, users[i], false);
        for (size_t k = 0; k < ARRAY_LEN(kinds); k++) /* all hear of events; nobody else orders */
            assert_true(is_ended_by(f, s, kinds[k]) == (kinds[k] == GDI_FRAME_ORDERS));
        assert_false(events_is_scheduler(&f->q, s->conn));
    }
    struct connection *child = connect_greeted(f, "child", true);
    for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
        assert_false(is_ended_by(f, child, kinds[k]));
    assert_true(events_is_scheduler(&f->q, child->conn));
}

static void only_root_and_the_qmasters_user_are_execds(void **state)
{
    struct fixture *f = *state;
    assert_true(is_ended_by(f, connect_greeted(f, "alice", false), GDI_FRAME_EXEC));
    assert_true(is_ended_by(f, connect_greeted(f, "boss", false), GDI_FRAME_EXEC));
    assert_false(is_ended_by(f, connect_greeted(f, "root", false), GDI_FRAME_EXEC));
}

static void the_scheduler_asks_for_nothing_as_a_user(void **state)
{
    struct fixture *f = *state;
    assert_true(is_ended_by(f, connect_greeted(f, "child", true), GDI_FRAME_REQUEST));
    assert_true(is_ended_by(f, fixture_connection(f, "child"), GDI_FRAME_EXEC));
    assert_false(is_ended_by(f, connect_greeted(f, "alice", false), GDI_FRAME_REQUEST));
}

static void kinds_that_nobody_sends_end_the_connection(void **state)
{
    struct fixture *f = *state;
    struct connection *s = connect_greeted(f, "root", false);
    for (unsigned kind = 0; kind < 256; kind++)
        if (!right_to_send(s->who.role, (uint8_t)kind) && kind != GDI_FRAME_SCHEMA)
            assert_true(is_ended_by(f, s, (uint8_t)kind));
}

/* is a job of USER taken in whose context has N texts of BYTES each, and whose script has SCRIPT
 * bytes? f->said has the refusal. */
static bool is_taken_in(struct fixture *f, const char *user, uint32_t n, size_t bytes,
                        size_t script)
{
    struct GR_Type gr = { 0 }, read = { 0 };
    struct packer p = { 0 };
    struct answer ans = ANSWER_INIT;
    char *text = uti_calloc(bytes + script + 1, 1);
    memset(text, 'x', bytes + script);
    struct JB_Type *job = cull_append(&gr, GR_jobs);
    cull_set(job, JB_script_ptr, text + bytes);
    for (uint32_t i = 0; i < n; i++) {
        struct VA_Type *va = cull_append(job, JB_context);
        cull_set(va, VA_variable, "V");
        cull_set(va, VA_value, text + script);
    }
    cull_pack(&p, &cull_GR_Type, &gr, NULL);
    cull_clear(&cull_GR_Type, &gr);
    struct frame frame = { .kind = GDI_FRAME_REQUEST, .body = p.data, .len = p.len };
    bool is_in = connection_unpack(&f->q, fixture_connection(f, user), &frame, &cull_GR_Type, &read,
                                   &ans) == 0;
    cull_clear(&cull_GR_Type, &read);
    dstr_clear(&f->said);
    dstr_add(&f->said, is_in ? "" : ans_first_error(&ans));
    ans_free(&ans);
    free(frame.body);
    free(text);
    return is_in;
}

static void the_texts_of_a_client_have_limits(void **state)
{
    struct fixture *f = *state;
    assert_true(is_taken_in(f, "alice", 1, REQUEST_TEXT_MOST, JOB_SCRIPT_MOST));
    assert_false(is_taken_in(f, "alice", 1, REQUEST_TEXT_MOST + 1, 1));
    assert_non_null(
        strstr(dstr_get(&f->said), "VA_value: it is a text of more than 1048576 bytes"));
    assert_false(is_taken_in(f, "boss", 6, REQUEST_TEXTS_MOST / 6 + 1, 1));
    assert_non_null(strstr(dstr_get(&f->said), "its texts have more than 5242880 bytes"));
    assert_false(is_taken_in(f, "alice", 0, 1, JOB_SCRIPT_MOST + 1));
    assert_non_null(
        strstr(dstr_get(&f->said), "JB_script_ptr: it is a text of more than 16777216 bytes"));
}

static void the_texts_of_a_host_have_none(void **state)
{
    assert_true(is_taken_in(*state, "root", 6, REQUEST_TEXT_MOST + 1, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(only_the_child_is_the_scheduler),
        TEST(only_root_and_the_qmasters_user_are_execds),
        TEST(the_scheduler_asks_for_nothing_as_a_user),
        TEST(kinds_that_nobody_sends_end_the_connection),
        TEST(the_texts_of_a_client_have_limits),
        TEST(the_texts_of_a_host_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
