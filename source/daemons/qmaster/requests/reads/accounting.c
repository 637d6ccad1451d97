/* GET of accounting. Invariant: a read has its walk, or the reader has it, and then the read waits.
 * At most one slice of a read is in memory, and the next one is read when its client has taken what
 * was sent (work.h). Nothing waits for the disk: a line is in the file before anybody can see that
 * its task has ended. */
#include "daemons/qmaster/requests/reads/reads.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/io/account_reader.h"
#include "daemons/qmaster/io/account_walk.h"
#include "daemons/qmaster/io/inbox.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/uti/alloc.h"
#include "libs/uti/parse.h"

struct account_read {
    struct piece piece; /* waits in the lane of the connection that asked */
    LIST_ENTRY(account_read) in_all;
    uint64_t id, conn;
    uint32_t serial;
    struct account_walk *walk; /* NULL: the reader has it */
};

static void free_account_read(struct piece *p)
{
    struct account_read *rd = (struct account_read *)p;
    LIST_REMOVE(rd, in_all);
    account_walk_free(rd->walk);
    free(rd);
}

/* what the last slice has found, if it has found anything or was the last */
static void send_slice(struct qmaster *q, const struct account_read *rd)
{
    const struct account_walk *w = rd->walk;
    struct GA_Type ga = { 0 };
    struct answer ans = ANSWER_INIT;
    struct packer packed = { 0 };
    if (w->lines.len == 0 && !w->is_complete)
        return;
    if (w->error != 0 && w->error != ENOENT)
        (void)ans_fail(&ans, STATUS_ESYSTEM, MSG_ACCOUNTING_UNREADABLE_S, strerror(w->error));
    request_texts(&ans, &ga);
    ga.GA_lines = w->lines.s; /* borrowed */
    cull_mark(&ga, GA_lines);
    cull_set(&ga, GA_is_last, w->is_complete);
    cull_pack(&packed, &cull_GA_Type, &ga, NULL);
    change_send(q, 0, rd->conn, GDI_FRAME_ANSWER, rd->serial, packed.data, packed.len);
    ga.GA_lines = NULL;
    cull_clear(&cull_GA_Type, &ga);
    ans_free(&ans);
}

static bool step_account_read(struct qmaster *q, struct piece *piece)
{
    struct account_read *rd = (struct account_read *)piece;
    send_slice(q, rd);
    if (rd->walk->is_complete)
        return true;
    struct account_walk *w = rd->walk;
    rd->walk = NULL;
    piece->is_waiting = true;
    account_reader_next(q->account_reader, w);
    return false;
}

static const struct piece_kind account_kind = { "a part of the accounting file", step_account_read,
                                                free_account_read };

void accounting_on_slice(struct qmaster *q, struct note *n)
{
    struct account_read *rd;
    LIST_FOREACH(rd, &q->account_reads, in_all) {
        if (rd->id != n->walk->id)
            continue;
        rd->walk = n->walk;
        n->walk = NULL;
        piece_wake(&rd->piece);
        return;
    }
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* the jobs that were asked for, ascending. New: free(); NULL with R's answer if an entry is no
 * number */
static uint32_t *read_numbers(struct request *r)
{
    const struct ID_Type_list *l = &r->gr.GR_select;
    uint32_t *jobs = uti_calloc(l->n + 1, sizeof *jobs);
    for (uint32_t i = 0; i < l->n; i++) {
        const char *text = l->v[i].ID_str != NULL ? l->v[i].ID_str : "";
        if (parse_u32(text, &jobs[i]))
            continue;
        (void)ans_fail(&r->ans, STATUS_ESYNTAX, MSG_NOT_A_JOB_NUMBER_S, text);
        free(jobs);
        return NULL;
    }
    qsort(jobs, l->n, sizeof *jobs, by_number);
    return jobs;
}

void get_accounting_request(struct qmaster *q, struct request *r)
{
    uint32_t *jobs = read_numbers(r);
    r->after = 0;
    if (jobs == NULL)
        return;
    struct account_read *rd = uti_calloc(1, sizeof *rd);
    rd->piece.kind = &account_kind;
    rd->id = ++q->last_account_read;
    rd->conn = r->from->conn;
    rd->serial = r->serial;
    rd->walk = account_walk_new(rd->id, jobs, r->gr.GR_select.n, right_manage(q, &r->from->who));
    LIST_INSERT_HEAD(&q->account_reads, rd, in_all);
    lane_put_piece(r->from->lane, &rd->piece);
    r->is_answered_later = true;
}
