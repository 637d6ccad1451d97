#ifndef CLIENTS_COMMON_JOB_PART_H
#define CLIENTS_COMMON_JOB_PART_H

#include "libs/gdi/message.h"

/* struct job_stream - jobs with all their tasks, out of the parts of an answer
 *
 * A job with many tasks comes in several parts: the later ones repeat its number and go on with its
 * tasks. The function is called once for each job, when all of it is there, with its tasks sorted
 * by id. Memory: one job and its tasks. */
struct answer;
typedef int (*job_fn)(void *ctx, const struct JB_Type *job, const struct JAT_Type *const *tasks,
                      uint32_t n_tasks, struct answer *ans);
struct job_stream {
    job_fn each;
    void *ctx;
    struct JB_Type job; /* the one that is being gathered */
    bool has_job;
    struct JAT_Type *tasks;
    uint32_t n, cap;
    bool has_reasons;            /* the answer says why jobs wait */
    struct ST_Type_list reasons; /* ... this one */
};
/* job_stream_part - an answer_part_fn (source.h); CTX is a struct job_stream. -1 as soon as EACH
 * returns it. */
int job_stream_part(void *stream, const struct GA_Type *part, struct answer *ans);
/* job_stream_end - hand over the last job; frees what was gathered. Returns 0, or -1 if EACH did
 * job_stream_drop - before it, when the answer has ended early: EACH gets no incomplete
 * job */
int job_stream_end(struct job_stream *s, struct answer *ans);
void job_stream_drop(struct job_stream *s);
/* job_stream_get - the whole exchange: REQUEST, its parts, the end */
struct source;
int job_stream_get(struct job_stream *s, const struct source *from, struct GR_Type *request,
                   struct answer *ans);

/* job_is_meant - does the identifier of a -j list (id, name or pattern; ID.TASK) mean this job? */
bool job_is_meant(const struct JB_Type *job, const char *identifier);
/* job_identifier_split - "12.3": the number of the job, and of the task; false for any other
 * text. Without a task *task is 0. */
bool job_identifier_split(const char *identifier, uint32_t *job, uint32_t *task);

#endif
