/* flood COUNT WINDOW QSUB-ARGUMENTS - submit the same job COUNT times over one connection, keeping
 * WINDOW requests on the way, and say how many were acknowledged and how long it took. For tests
 * that need more jobs than qsub processes can bring. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "clients/common/request.h"
#include "libs/comm/client.h"
#include "libs/gdi/cell.h"
#include "libs/gdi/hello.h"
#include "libs/uti/dstr.h"
#include "libs/uti/os.h"
#include "libs/uti/parse.h"
#include "libs/uti/time.h"

enum { CONNECT_MS = 5000, HOST_BYTES = 256 };

struct flood {
    struct client client;
    struct comm_client *conn;
    struct GR_Type request;
    uint32_t count, window, sent, answered, refused;
};

static void send_one(struct flood *f)
{
    struct packer p = { 0 };
    struct dstr id = DSTR_INIT;
    dstr_addf(&id, "flood-%d-%llu-%u", (int)getpid(), (unsigned long long)uti_now_s(), f->sent);
    cull_set(&f->request, GR_request_id, dstr_get(&id));
    cull_pack(&p, &cull_GR_Type, &f->request, NULL);
    comm_client_send(f->conn, GDI_FRAME_REQUEST, ++f->sent, p.data, p.len);
    packer_free(&p);
    dstr_free(&id);
}

static void take_one(struct flood *f, const struct frame *frame)
{
    struct GA_Type ga = { 0 };
    struct unpacker u = unpacker_over(frame->body, frame->len);
    f->answered++;
    if (frame->kind != GDI_FRAME_ANSWER ||
        cull_unpack(&u, &cull_GA_Type, NULL, NULL, &ga, NULL) != 0 || ga.GA_job_number == 0) {
        if (f->refused++ == 0)
            fprintf(stderr, "flood: refused: %s\n",
                    ga.GA_answers.n > 0 ? ga.GA_answers.v[0].AN_text : "?");
    }
    cull_clear(&cull_GA_Type, &ga);
}

static int flood(struct flood *f, struct answer *ans)
{
    struct packer hello = { 0 };
    char host[HOST_BYTES] = "localhost";
    struct frame frame;
    os_hostname(host, sizeof host);
    gdi_hello_pack(&hello, "flood", host);
    comm_client_send(f->conn, GDI_FRAME_HELLO, 0, hello.data, hello.len);
    packer_free(&hello);
    while (f->answered < f->count) {
        while (f->sent < f->count && f->sent - f->answered < f->window)
            send_one(f);
        if (comm_client_recv(f->conn, -1, &frame, ans) != 1)
            return -1;
        take_one(f, &frame);
        free(frame.body);
    }
    return 0;
}

static int prepare(struct flood *f, int argc, char **argv, struct answer *ans)
{
    struct submit_files none = { { NULL } };
    if (argc < 4 || !parse_u32(argv[1], &f->count) || !parse_u32(argv[2], &f->window) ||
        f->window == 0)
        return ans_fail(ans, STATUS_ESYNTAX, "usage: flood COUNT WINDOW QSUB-ARGUMENTS");
    argv[2] = argv[0];
    if (job_command_submit(&f->client.command, argc - 2, argv + 2, &none, ans) < 0)
        return -1;
    cull_set(&f->request, GR_verb, (uint32_t)GDI_ADD);
    cull_set(&f->request, GR_target, (uint32_t)GDI_JOB);
    cull_copy(&cull_JB_Type, cull_append(&f->request, GR_jobs), &f->client.command.job);
    f->client.cell = cell_open(ans);
    f->conn =
        f->client.cell != NULL ? comm_client_open(f->client.cell->socket, CONNECT_MS, ans) : NULL;
    return f->conn != NULL ? 0 : -1;
}

int main(int argc, char **argv)
{
    struct flood f = { 0 };
    struct answer ans = ANSWER_INIT;
    int rc = client_begin(&f.client, QSUB, environ);
    if (rc != 0)
        return rc;
    uint64_t start_us = uti_mono_us();
    rc = prepare(&f, argc, argv, &ans);
    if (rc == 0)
        rc = flood(&f, &ans);
    for (uint32_t i = 0; i < ans.n; i++)
        fprintf(stderr, "flood: %s\n", ans.v[i].text);
    printf("%u acknowledged, %u refused, %.3f s\n", f.answered - f.refused, f.refused,
           (double)(uti_mono_us() - start_us) / 1e6);
    ans_free(&ans);
    cull_clear(&cull_GR_Type, &f.request);
    comm_client_close(f.conn);
    return client_end(&f.client, rc != 0 || f.refused > 0);
}
