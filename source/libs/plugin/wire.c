/* The records that sge_schedd and the process of a scheduler plug-in exchange. Pure. What the
 * plug-in's process says is hostile until it has been read: each length is bounded by the bytes
 * that are there. */
#include "libs/plugin/wire.h"

#include <stdlib.h>
#include <string.h>

#include "libs/cull/range_set.h"

static void pack_double(struct packer *p, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    pack_varint(p, bits);
}

static double unpack_double(struct unpacker *u)
{
    uint64_t bits = unpack_varint(u);
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static char *unpack_text(struct unpacker *u)
{
    char *text = unpack_string(u);
    return text != NULL ? text : uti_strdup("");
}

void plugin_job_pack(struct packer *p, const struct plugin_job *job)
{
    pack_varint(p, job->number);
    pack_varint(p, job->slots);
    pack_varint(p, job->ja_first);
    pack_varint(p, job->ja_step);
    pack_varint(p, (uint32_t)job->priority);
    pack_u8(p, job->is_parallel);
    pack_u8(p, job->reserves);
    pack_varint(p, job->submitted_s);
    pack_varint(p, job->start_at_s);
    pack_varint(p, job->run_s);
    pack_varint(p, job->n_taken);
    pack_string(p, job->owner);
    pack_string(p, job->project);
    pack_string(p, job->department);
    pack_ranges(p, &job->ready);
}

void plugin_job_unpack(struct unpacker *u, struct plugin_job *job)
{
    job->number = unpack_varint32(u);
    job->slots = unpack_varint32(u);
    job->ja_first = unpack_varint32(u);
    job->ja_step = unpack_varint32(u);
    job->priority = (int32_t)unpack_varint32(u);
    job->is_parallel = unpack_u8(u) != 0;
    job->reserves = unpack_u8(u) != 0;
    job->submitted_s = unpack_varint(u);
    job->start_at_s = unpack_varint(u);
    job->run_s = unpack_varint(u);
    job->n_taken = unpack_varint(u);
    job->owner = unpack_text(u);
    job->project = unpack_text(u);
    job->department = unpack_text(u);
    unpack_ranges(u, &job->ready);
}

void plugin_job_clear(struct plugin_job *job)
{
    free(job->owner);
    free(job->project);
    free(job->department);
    range_set_free(&job->ready);
    *job = (struct plugin_job){ 0 };
}

void plugin_queue_pack(struct packer *p, const struct plugin_queue *queue)
{
    pack_string(p, queue->name);
    pack_string(p, queue->host);
    pack_varint(p, queue->slots);
    pack_varint(p, queue->free);
    pack_varint(p, queue->seq_no);
    pack_u8(p, queue->is_open);
    pack_double(p, queue->load);
}

void plugin_queue_unpack(struct unpacker *u, struct plugin_queue *queue)
{
    queue->name = unpack_text(u);
    queue->host = unpack_text(u);
    queue->slots = unpack_varint(u);
    queue->free = unpack_varint(u);
    queue->seq_no = unpack_varint32(u);
    queue->is_open = unpack_u8(u) != 0;
    queue->load = unpack_double(u);
}

void plugin_queue_clear(struct plugin_queue *queue)
{
    free(queue->name);
    free(queue->host);
    *queue = (struct plugin_queue){ 0 };
}

/* ---- decisions ---- */
void plugin_decided_pack(struct packer *p, const struct plugin_decided *one)
{
    pack_u8(p, (uint8_t)one->kind);
    if (one->kind == PLUGIN_DONE)
        return;
    pack_varint(p, one->job);
    pack_varint(p, (uint64_t)one->rank);
    pack_varint(p, one->tasks);
    pack_string(p, one->text);
    pack_varint(p, one->start_s);
    pack_varint(p, one->duration_s);
}

void plugin_decided_unpack(struct unpacker *u, struct plugin_decided *out)
{
    *out = (struct plugin_decided){ 0 };
    uint8_t kind = unpack_u8(u);
    if (kind == PLUGIN_DONE || kind > PLUGIN_LOG) {
        u->is_bad |= kind > PLUGIN_LOG;
        return;
    }
    out->kind = kind;
    out->job = unpack_varint32(u);
    out->rank = (int64_t)unpack_varint(u);
    out->tasks = unpack_varint32(u);
    out->text = unpack_text(u);
    out->start_s = unpack_varint(u);
    out->duration_s = unpack_varint(u);
    if (u->is_bad)
        plugin_decided_clear(out);
}

void plugin_decided_clear(struct plugin_decided *one)
{
    free(one->text);
    *one = (struct plugin_decided){ 0 };
}
