/* Headers, and the cutting of a byte stream into frames. */
#include "libs/comm/frame_priv.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/comm/outq.h"
#include "libs/uti/alloc.h"

static void a_header_is_as_the_page_says(void **state)
{
    (void)state;
    static const uint8_t bytes[COMM_HEADER_BYTES] = { 0, 1, 2, 3, 0xff, 0xfe, 0xfd, 0xfc, 9 };
    struct frame_header h = { .len = 0x010203, .serial = 0xfffefdfc, .kind = 9 };
    uint8_t out[COMM_HEADER_BYTES];
    memset(out, 0xee, sizeof out);
    frame_header_pack(&h, out);
    assert_memory_equal(out, bytes, sizeof bytes);
    struct frame_header back;
    assert_int_equal(frame_header_unpack(out, &back), 0);
    assert_int_equal(back.len, h.len);
    assert_int_equal(back.serial, h.serial);
    assert_int_equal(back.kind, h.kind);
}

static void lengths_and_pads_are_bounded(void **state)
{
    (void)state;
    struct frame_header h = { .len = COMM_BODY_MAX };
    uint8_t b[COMM_HEADER_BYTES];
    frame_header_pack(&h, b);
    assert_int_equal(frame_header_unpack(b, &h), 0);
    b[3]++;
    assert_int_equal(frame_header_unpack(b, &h), -1);
    for (int i = 9; i < COMM_HEADER_BYTES; i++) {
        frame_header_pack(&(struct frame_header){ 0 }, b);
        b[i] = 1;
        assert_int_equal(frame_header_unpack(b, &h), -1);
    }
}

enum { FRAMES = 5 };
static const size_t lens[FRAMES] = { 0, 1, 70000, 12, 200000 };

/* the frames of lens[] as one stream; new */
static uint8_t *make_stream(size_t *len)
{
    *len = 0;
    for (int i = 0; i < FRAMES; i++)
        *len += COMM_HEADER_BYTES + lens[i];
    uint8_t *s = uti_alloc(*len), *at = s;
    for (int i = 0; i < FRAMES; i++) {
        frame_header_pack(&(struct frame_header){ (uint32_t)lens[i], (uint32_t)i, 1 }, at);
        memset(at + COMM_HEADER_BYTES, 'a' + i, lens[i]);
        at += COMM_HEADER_BYTES + lens[i];
    }
    return s;
}

static void expect_frame(struct frame *f, int i)
{
    assert_int_equal(f->serial, i);
    assert_int_equal(f->len, lens[i]);
    for (size_t k = 0; k < f->len; k += 997)
        assert_int_equal(f->body[k], 'a' + i);
    free(f->body);
}

static void any_cut_gives_the_same_frames(void **state)
{
    (void)state;
    size_t len;
    uint8_t *s = make_stream(&len);
    static const size_t steps[] = { 1, 5, 12, 13, 4096, 65536, 1000000 };
    for (size_t k = 0; k < ARRAY_LEN(steps); k++) {
        struct frame_reader r = { 0 };
        struct frame f;
        int n = 0;
        for (size_t at = 0; at < len; at += steps[k]) {
            size_t left = len - at < steps[k] ? len - at : steps[k];
            struct byte_span in = { s + at, left };
            int rc;
            while ((rc = frame_reader_next(&r, &in, &f)) > 0)
                expect_frame(&f, n++);
            assert_int_equal(rc, 0);
            assert_int_equal(in.left, 0);
        }
        assert_int_equal(n, FRAMES);
        frame_reader_free(&r);
    }
    free(s);
}

static void a_promise_costs_no_memory(void **state)
{
    (void)state;
    uint8_t b[COMM_HEADER_BYTES + 1] = { 0 };
    frame_header_pack(&(struct frame_header){ COMM_BODY_MAX, 1, 1 }, b);
    struct frame_reader r = { 0 };
    struct frame f;
    struct byte_span in = { b, sizeof b };
    assert_int_equal(frame_reader_next(&r, &in, &f), 0);
    assert_in_range(r.cap, 1, 1 << 17);
    frame_reader_free(&r);
}

static void a_hostile_header_is_refused_at_its_last_byte(void **state)
{
    (void)state;
    uint8_t b[COMM_HEADER_BYTES];
    memset(b, 0xff, sizeof b);
    struct frame_reader r = { 0 };
    struct frame f;
    struct byte_span in = { b, sizeof b - 1 };
    assert_int_equal(frame_reader_next(&r, &in, &f), 0);
    in = (struct byte_span){ b + sizeof b - 1, 1 };
    assert_int_equal(frame_reader_next(&r, &in, &f), -1);
    frame_reader_free(&r);
}

/* a queue on one end of a small socket, a reader with little scratch on the other */
static void a_queue_leaves_as_fast_as_the_peer_reads(void **state)
{
    (void)state;
    int fds[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
    struct stream to = stream_unix(fds[0]), from = stream_unix(fds[1]);
    struct outq q;
    outq_init(&q);
    for (int i = 0; i < FRAMES; i++) {
        uint8_t *body = lens[i] > 0 ? uti_alloc(lens[i]) : NULL;
        if (body != NULL)
            memset(body, 'a' + i, lens[i]);
        struct out_frame *f = out_frame_new(1, (uint32_t)i, body, lens[i]);
        STAILQ_INSERT_TAIL(&q.frames, f, next);
    }
    struct frame_reader r = { 0 };
    uint8_t scratch[500];
    int n = 0;
    size_t written, total = 0;
    while (n < FRAMES) {
        assert_true(outq_write(&q, &to, &written) >= 0);
        total += written;
        struct byte_span in;
        bool is_all = false;
        assert_true(frame_reader_recv(&r, &from, scratch, sizeof scratch, &in, &is_all) > 0);
        struct frame f;
        while (frame_reader_next(&r, &in, &f) > 0)
            expect_frame(&f, n++);
    }
    assert_true(outq_is_empty(&q));
    assert_int_equal(total, 5 * COMM_HEADER_BYTES + 0 + 1 + 70000 + 12 + 200000);
    outq_free(&q);
    stream_close(&to);
    stream_close(&from);
}

/* a file has all of it at once, as a peer that writes as fast as it is read */
static void one_read_takes_a_part_of_a_long_body(void **state)
{
    (void)state;
    enum { BYTES = 10 * FRAME_READ_MOST + 7 };
    uint8_t header[COMM_HEADER_BYTES], scratch[500];
    struct frame_header h = { .len = BYTES, .serial = 0, .kind = 1 };
    uint8_t *body = uti_alloc(BYTES);
    memset(body, 'x', BYTES);
    frame_header_pack(&h, header);
    int fd = memfd_create("peer", MFD_CLOEXEC);
    assert_int_equal(write(fd, header, sizeof header), sizeof header);
    assert_int_equal(write(fd, body, BYTES), BYTES);
    lseek(fd, 0, SEEK_SET);
    struct stream from = stream_unix(fd);
    struct frame_reader r = { 0 };
    struct byte_span in;
    struct frame f;
    bool is_all = false;
    do {
        ssize_t n = frame_reader_recv(&r, &from, scratch, sizeof scratch, &in, &is_all);
        assert_in_range(n, 1, FRAME_READ_MOST + sizeof scratch);
    } while (frame_reader_next(&r, &in, &f) == 0);
    assert_true(is_all);
    assert_int_equal(f.len, BYTES);
    assert_memory_equal(f.body, body, BYTES);
    free(f.body);
    free(body);
    stream_close(&from);
}

static void a_gone_peer_is_an_error_not_a_signal(void **state)
{
    (void)state;
    int fds[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    close(fds[1]);
    struct stream to = stream_unix(fds[0]);
    struct outq q;
    outq_init(&q);
    struct out_frame *f = out_frame_new(1, 1, NULL, 0);
    STAILQ_INSERT_TAIL(&q.frames, f, next);
    size_t written;
    assert_int_equal(outq_write(&q, &to, &written), -1);
    outq_free(&q);
    stream_close(&to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_header_is_as_the_page_says),
        cmocka_unit_test(lengths_and_pads_are_bounded),
        cmocka_unit_test(any_cut_gives_the_same_frames),
        cmocka_unit_test(a_promise_costs_no_memory),
        cmocka_unit_test(a_hostile_header_is_refused_at_its_last_byte),
        cmocka_unit_test(a_queue_leaves_as_fast_as_the_peer_reads),
        cmocka_unit_test(one_read_takes_a_part_of_a_long_body),
        cmocka_unit_test(a_gone_peer_is_an_error_not_a_signal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
