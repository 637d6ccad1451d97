/* The qmaster of the tests of clients: a comm_server that answers each request with parts numbered
 * from 0, and hangs up when it is told to. */
#include "libs/gdi/test/fixture.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/gdi/cell.h"
#include "libs/gdi/client.h"
#include "libs/gdi/hello.h"
#include "libs/gdi/message.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"

struct sender {
    struct fixture *t;
    uint64_t conn;
};

static void send_on(void *ctx, uint8_t kind, uint32_t serial, uint8_t *body, size_t len)
{
    struct sender *s = ctx;
    comm_server_send(s->t->served.server, s->conn, kind, serial, body, len);
}

static void send_part(struct fixture *t, uint64_t conn, uint32_t serial, uint32_t number,
                      bool is_last)
{
    struct GA_Type part = { 0 };
    cull_set(&part, GA_job_number, number);
    cull_set(&part, GA_is_last, is_last);
    struct answer ans = ANSWER_INIT;
    if (is_last)
        ans_fail(&ans, STATUS_DENIED, "denied: no");
    gdi_answers_put(&part, &ans);
    struct packer p = { 0 };
    cull_pack(&p, &cull_GA_Type, &part, NULL);
    comm_server_send(t->served.server, conn, GDI_FRAME_ANSWER, serial, p.data, p.len);
    cull_clear(&cull_GA_Type, &part);
    ans_free(&ans);
}

static void serve_frame(struct fixture *t, uint64_t conn, const struct frame *f)
{
    struct GR_Type request = { 0 };
    struct unpacker u = unpacker_over(f->body, f->len);
    assert_int_equal(
        cull_unpack(&u, &cull_GR_Type, gdi_peer_map(t->peers[conn]), NULL, &request, NULL), 0);
    t->ids[t->n_requests++] = uti_strdup(request.GR_request_id);
    cull_clear(&cull_GR_Type, &request);
    bool is_lost = t->hang_ups > 0;
    int parts = is_lost ? t->after : t->parts;
    t->hang_ups -= is_lost;
    for (int i = 0; i < parts; i++)
        send_part(t, conn, f->serial, (uint32_t)i, !is_lost && i == parts - 1);
    if (is_lost)
        comm_server_close(t->served.server, conn);
}

static void on_opened(void *ctx, uint64_t conn, const struct comm_peer *peer)
{
    (void)peer;
    ((struct fixture *)ctx)->peers[conn] = gdi_peer_new(true);
}

static void on_frame(void *ctx, uint64_t conn, struct frame *f)
{
    struct fixture *t = ctx;
    struct sender sender = { t, conn };
    comm_server_done(t->served.server, conn, f->len);
    assert_int_equal(gdi_peer_take(t->peers[conn], f, send_on, &sender, NULL), 0);
    struct frame next;
    while (gdi_peer_next(t->peers[conn], &next)) {
        assert_int_equal(next.kind, GDI_FRAME_REQUEST);
        assert_string_equal(gdi_peer_program(t->peers[conn]), "qtest");
        serve_frame(t, conn, &next);
        free(next.body);
    }
}

static void on_idle(void *ctx)
{
    comm_server_flush(((struct fixture *)ctx)->served.server);
}

static void on_closed(void *ctx, uint64_t conn)
{
    struct fixture *t = ctx;
    gdi_peer_free(t->peers[conn]);
    t->peers[conn] = NULL;
}

static void on_drained(void *ctx, uint64_t conn)
{
    (void)ctx;
    (void)conn;
}

static const struct comm_server_ops ops = {
    .opened = on_opened,
    .frame = on_frame,
    .idle = on_idle,
    .closed = on_closed,
    .drained = on_drained,
    .refusal_kind = GDI_FRAME_REFUSED,
};

int fixture_cell(void **state)
{
    struct fixture *t = uti_calloc(1, sizeof *t);
    memcpy(t->dir, "/tmp/gdi-test-XXXXXX", 21);
    assert_non_null(mkdtemp(t->dir));
    char *common = path_join(t->dir, "c/common"), *spool = path_join(t->dir, "c/spool/qmaster");
    assert_int_equal(file_mkdirs(common, 0755, NULL), 0);
    assert_int_equal(file_mkdirs(spool, 0755, NULL), 0);
    free(common);
    free(spool);
    t->cell = cell_open_at(t->dir, "c", NULL);
    assert_non_null(t->cell);
    t->parts = 1;
    *state = t;
    return 0;
}

int fixture_served(void **state)
{
    fixture_cell(state);
    struct fixture *t = *state;
    served_start(&t->served, t->cell->socket, &ops, t, NULL);
    return 0;
}

/* there is room for nobody */
int fixture_full(void **state)
{
    fixture_cell(state);
    struct fixture *t = *state;
    struct comm_limits none = comm_limits_usual();
    none.most_of_user = 0;
    served_start(&t->served, t->cell->socket, &ops, t, &none);
    return 0;
}

int fixture_teardown(void **state)
{
    struct fixture *t = *state;
    served_stop(&t->served);
    for (int i = 0; i < CONNS_MAX; i++)
        gdi_peer_free(t->peers[i]);
    for (int i = 0; i < t->n_requests; i++)
        free(t->ids[i]);
    cell_free(t->cell);
    file_rmtree(t->dir, NULL);
    free(t);
    return 0;
}

void fixture_make_room(void *ctx)
{
    struct comm_limits usual = comm_limits_usual();
    comm_server_set_limits(((struct fixture *)ctx)->served.server, &usual);
}
