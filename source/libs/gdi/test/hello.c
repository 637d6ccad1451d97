/* The greeting: two peers that hand each other their frames. */
#include "libs/gdi/hello.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "libs/gdi/message.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"

enum { SENT_MAX = 8 };
struct wire {
    struct frame v[SENT_MAX];
    int n;
};

static void send_to(void *ctx, uint8_t kind, uint32_t serial, uint8_t *body, size_t len)
{
    struct wire *w = ctx;
    assert_in_range(w->n, 0, SENT_MAX - 1);
    w->v[w->n++] = (struct frame){ kind, serial, body, len };
}

static void wire_free(struct wire *w)
{
    for (int i = 0; i < w->n; i++)
        free(w->v[i].body);
    w->n = 0;
}

static struct frame make_hello(const char *program)
{
    struct packer p = { 0 };
    gdi_hello_pack(&p, program, "vm");
    return (struct frame){ GDI_FRAME_HELLO, 0, p.data, p.len };
}

/* as a program of another version would greet */
static struct frame foreign_hello(void)
{
    struct frame f = make_hello("qold");
    f.body[11] ^= 1;
    return f;
}

static struct frame plain_frame(uint8_t kind, uint32_t serial)
{
    return (struct frame){ kind, serial, uti_calloc(1, 4), 4 };
}

static int take_frame(struct gdi_peer *p, struct frame f, struct wire *w, struct answer *ans)
{
    int rc = gdi_peer_take(p, &f, send_to, w, ans);
    assert_null(f.body);
    return rc;
}

static void expect_next(struct gdi_peer *p, uint32_t serial)
{
    struct frame f;
    assert_true(gdi_peer_next(p, &f));
    assert_int_equal(f.serial, serial);
    free(f.body);
}

static void equal_tables_need_no_reply(void **state)
{
    (void)state;
    struct wire w = { 0 };
    struct gdi_peer *p = gdi_peer_new(true);
    assert_int_equal(take_frame(p, make_hello("qsub"), &w, NULL), 0);
    assert_int_equal(take_frame(p, plain_frame(GDI_FRAME_REQUEST, 5), &w, NULL), 0);
    expect_next(p, 5);
    struct frame f;
    assert_false(gdi_peer_next(p, &f));
    assert_null(gdi_peer_map(p));
    assert_int_equal(w.n, 0);
    assert_string_equal(gdi_peer_program(p), "qsub");
    assert_string_equal(gdi_peer_host(p), "vm");
    gdi_peer_free(p);
    gdi_peer_free(NULL);
}

static void frames_wait_for_the_tables_of_another_version(void **state)
{
    (void)state;
    struct wire w = { 0 };
    struct frame f;
    struct gdi_peer *p = gdi_peer_new(true);
    assert_int_equal(take_frame(p, foreign_hello(), &w, NULL), 0);
    assert_int_equal(w.n, 2);
    assert_int_equal(w.v[0].kind, GDI_FRAME_HELLO);
    assert_int_equal(w.v[1].kind, GDI_FRAME_SCHEMA);
    assert_int_equal(take_frame(p, plain_frame(GDI_FRAME_REQUEST, 1), &w, NULL), 0);
    assert_int_equal(take_frame(p, plain_frame(GDI_FRAME_REQUEST, 2), &w, NULL), 0);
    assert_false(gdi_peer_next(p, &f));
    f = w.v[1]; /* their table happens to be ours */
    w.n = 1;
    assert_int_equal(take_frame(p, f, &w, NULL), 0);
    assert_non_null(gdi_peer_map(p));
    expect_next(p, 1);
    expect_next(p, 2);
    wire_free(&w);
    gdi_peer_free(p);
}

static void the_connecting_side_answers_with_its_table(void **state)
{
    (void)state;
    struct wire w = { 0 };
    struct gdi_peer *p = gdi_peer_new(false);
    assert_int_equal(take_frame(p, foreign_hello(), &w, NULL), 0);
    assert_int_equal(w.n, 1);
    assert_int_equal(w.v[0].kind, GDI_FRAME_SCHEMA);
    struct frame f = w.v[0];
    w.n = 0;
    assert_int_equal(take_frame(p, f, &w, NULL), 0);
    assert_int_equal(take_frame(p, plain_frame(GDI_FRAME_ANSWER, 9), &w, NULL), 0);
    expect_next(p, 9);
    gdi_peer_free(p);
}

static void expect_refusal(bool is_listener, const struct frame *frames, int n, const char *text)
{
    struct wire w = { 0 };
    struct answer ans = ANSWER_INIT;
    struct gdi_peer *p = gdi_peer_new(is_listener);
    for (int i = 0; i < n; i++)
        assert_int_equal(take_frame(p, frames[i], &w, &ans), i == n - 1 ? -1 : 0);
    assert_int_equal(ans.v[0].status, STATUS_EPROTO);
    assert_non_null(strstr(ans.v[0].text, text));
    ans_free(&ans);
    wire_free(&w);
    gdi_peer_free(p);
}

static void bad_manners_end_the_connection(void **state)
{
    (void)state;
    struct frame no_hello[] = { plain_frame(GDI_FRAME_REQUEST, 1) };
    expect_refusal(true, no_hello, 1, "must begin with a greeting, not with a frame of kind 3");
    struct frame twice[] = { make_hello("a"), make_hello("a") };
    expect_refusal(true, twice, 2, "second greeting");
    struct frame schema[] = { make_hello("a"), plain_frame(GDI_FRAME_SCHEMA, 0) };
    expect_refusal(true, schema, 2, "unexpected frame of kind 2");
    struct frame torn[] = { make_hello("a") };
    torn[0].len -= 1;
    expect_refusal(true, torn, 1, "malformed greeting");
    struct frame empty[] = { { .kind = GDI_FRAME_HELLO } };
    expect_refusal(false, empty, 1, "malformed greeting");
    struct frame other[] = { make_hello("a") };
    other[0].body[3] = 2;
    expect_refusal(true, other, 1, "uses version 2 of the protocol, this side version 1");
    struct frame rubbish[] = { foreign_hello(), plain_frame(GDI_FRAME_SCHEMA, 0) };
    memset(rubbish[1].body, 0xff, 4);
    expect_refusal(true, rubbish, 2, "");
}

static void what_waits_is_bounded(void **state)
{
    (void)state;
    struct wire w = { 0 };
    struct answer ans = ANSWER_INIT;
    struct gdi_peer *p = gdi_peer_new(true);
    assert_int_equal(take_frame(p, foreign_hello(), &w, NULL), 0);
    assert_true(gdi_peer_owes_schema(p));
    for (int i = 0; i < GDI_WAITING_MOST; i++)
        assert_int_equal(take_frame(p, plain_frame(GDI_FRAME_REQUEST, 1), &w, NULL), 0);
    assert_int_equal(take_frame(p, plain_frame(GDI_FRAME_REQUEST, 1), &w, &ans), -1);
    assert_string_equal(
        ans_first_error(&ans),
        "table of types expected: at most 32 messages and 41943040 bytes can precede it");
    ans_free(&ans);
    wire_free(&w);
    gdi_peer_free(p);
}

static struct frame long_frame(size_t len)
{
    return (struct frame){ .kind = GDI_FRAME_REQUEST, .body = uti_calloc(1, len), .len = len };
}

static void what_waits_is_bounded_in_bytes(void **state)
{
    (void)state;
    struct wire w = { 0 };
    struct answer ans = ANSWER_INIT;
    struct gdi_peer *p = gdi_peer_new(true), *same = gdi_peer_new(true);
    assert_int_equal(take_frame(p, foreign_hello(), &w, NULL), 0);
    assert_int_equal(take_frame(p, long_frame(GDI_WAITING_BYTES), &w, NULL),
                     0); /* one long submit */
    assert_int_equal(take_frame(p, long_frame(1), &w, &ans), -1);
    assert_non_null(strstr(ans_first_error(&ans), "table of types expected"));
    assert_int_equal(take_frame(same, make_hello("qsub"), &w, NULL), 0); /* nothing waits */
    assert_int_equal(take_frame(same, long_frame(GDI_WAITING_BYTES + 1), &w, NULL), 0);
    ans_free(&ans);
    wire_free(&w);
    gdi_peer_free(p);
    gdi_peer_free(same);
}

static void the_id_from_the_build_is_that_of_the_tables(void **state)
{
    (void)state;
    assert_true(gdi_schema_id() == cull_schema_id(gdi_schema()));
}

static void names_are_printable(void **state)
{
    (void)state;
    struct wire w = { 0 };
    struct gdi_peer *p = gdi_peer_new(true);
    assert_int_equal(take_frame(p, make_hello("q\nsub\x1b[1m"), &w, NULL), 0);
    assert_string_equal(gdi_peer_program(p), "q?sub?[1m");
    gdi_peer_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_id_from_the_build_is_that_of_the_tables),
        cmocka_unit_test(equal_tables_need_no_reply),
        cmocka_unit_test(frames_wait_for_the_tables_of_another_version),
        cmocka_unit_test(the_connecting_side_answers_with_its_table),
        cmocka_unit_test(bad_manners_end_the_connection),
        cmocka_unit_test(what_waits_is_bounded),
        cmocka_unit_test(what_waits_is_bounded_in_bytes),
        cmocka_unit_test(names_are_printable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
