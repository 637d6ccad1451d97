/* The record of the scheduler. Owns its file and what has not been given to it yet. */
#include "daemons/schedd/recorder.h"

#include <stdlib.h>

#include "daemons/schedd/msg_schedd.h"
#include "daemons/schedd/output_file.h"
#include "libs/sched/record.h"
#include "libs/uti/alloc.h"
#include "libs/uti/log.h"

/* SEND_BYTES: so many are not held back until the end of a package */
enum { SEND_BYTES = 64 << 10, RECORD_WAITING_MOST = 64 << 20 };

/* It has what jobs request and who owns them: for its owner alone. */
static const struct output_file_kind record_file = {
    .thread = "record",
    .mode = 0600,
    .bytes_most = UINT64_MAX,
    .waiting_most = RECORD_WAITING_MOST,
    .when_late = MSG_RECORD_LATE,
    .is_whole = true,
};

struct recorder {
    char *path;
    uint32_t mib; /* of RECORD; 0: nothing is to be recorded */
    bool is_on;
    struct output_file *file; /* NULL: there was no record yet */
    uint64_t bytes;           /* given to it */
    struct packer next;       /* what goes there next */
};

static bool is_on(const struct recorder *r)
{
    return r != NULL && r->is_on;
}

struct recorder *recorder_new(const char *path)
{
    struct recorder *r = uti_calloc(1, sizeof *r);
    r->path = uti_strdup(path);
    return r;
}

static void end_record(struct recorder *r)
{
    r->is_on = false;
    packer_free(&r->next);
}

void recorder_free(struct recorder *r)
{
    if (r == NULL)
        return;
    recorder_send(r);
    end_record(r);
    output_file_free(r->file);
    free(r->path);
    free(r);
}

bool recorder_follow(struct recorder *r, uint32_t mib)
{
    if (r == NULL || mib == r->mib)
        return false;
    recorder_send(r);
    end_record(r);
    r->mib = mib;
    return mib > 0;
}

static void start_file(struct recorder *r)
{
    output_file_free(r->file);
    r->file = output_file_new(r->path, &record_file);
    r->bytes = 0;
    r->is_on = true;
    log_msg(LOG_LEVEL_INFO, MSG_RECORD_BEGINS_S, r->path);
    record_greet(&r->next);
}

void recorder_begin(struct recorder *r, uint64_t slice_looks)
{
    if (r == NULL || r->mib == 0)
        return;
    if (!r->is_on)
        start_file(r);
    record_begin(&r->next, slice_looks);
}

void recorder_send(struct recorder *r)
{
    if (!is_on(r) || r->next.len == 0)
        return;
    uint64_t most = (uint64_t)r->mib << 20;
    bool is_full = r->next.len > most - r->bytes;
    if (is_full)
        log_msg(LOG_LEVEL_WARNING, MSG_RECORD_FULL_SU, r->path, r->mib);
    r->bytes += r->next.len;
    if (is_full || !output_file_add(r->file, r->next.data, r->next.len))
        end_record(r);
    else
        r->next.len = 0;
}

static void send_much(struct recorder *r)
{
    if (r->next.len >= SEND_BYTES)
        recorder_send(r);
}

void recorder_event(struct recorder *r, const struct EV_Type *event)
{
    if (!is_on(r))
        return;
    record_event(&r->next, event);
    send_much(r);
}

void recorder_decisions(struct recorder *r, uint64_t now_s, uint32_t most,
                        const struct OR_Type_list *orders)
{
    if (!is_on(r))
        return;
    record_decisions(&r->next, now_s, most, orders);
    send_much(r);
}

void recorder_refusal(struct recorder *r, const struct OR_Type *order)
{
    if (!is_on(r))
        return;
    record_refusal(&r->next, order);
    send_much(r);
}
