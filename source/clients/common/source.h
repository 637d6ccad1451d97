#ifndef CLIENTS_COMMON_SOURCE_H
#define CLIENTS_COMMON_SOURCE_H

#include <stdio.h>

#include "common/basis.h"
#include "libs/gdi/message.h"

/* Where a client that shows things gets them from: the qmaster, or hand-made records in a test. */
struct answer;

/* answer_part_fn - takes one part of an answer; PART is borrowed
 * Returns 0, or -1 with ans to stop. */
typedef int (*answer_part_fn)(void *ctx, const struct GA_Type *part, struct answer *ans);

struct source {
    /* sends REQUEST and hands over each part of the answer, the last one included. Texts of the answer go to ANS.
     * Returns 0, or -1 when the connection or PART failed, or the answer is an error. */
    int (*get)(void *state, struct GR_Type *request, answer_part_fn part, void *ctx,
               struct answer *ans);
    void *state;
    bool is_raw; /* parts as they are: for XML and JSON, which have escapes of their own */
};

/* source_ask - FROM's get, with the control characters of all strings in the parts made visible
 * (printable.h) unless FROM is raw
 * The one way to what others named. Returns as `get` does. */
int source_ask(const struct source *from, struct GR_Type *request, answer_part_fn part, void *ctx,
               struct answer *ans);
/* source_get_all - the whole answer in one record; new: cull_delete(&cull_GA_Type, ..); NULL with
 * ans */
struct GA_Type *source_get_all(const struct source *from, struct GR_Type *request,
                               struct answer *ans);
/* source_get_target - GDI_GET of all objects of a kind; returns as above */
struct GA_Type *source_get_target(const struct source *from, enum gdi_target target,
                                  struct answer *ans);

/* source_get_fields - the same, but of each these alone: names of fields, of queue instances also
 * of attributes of queue_conf(5); NULL behind the last. The keys come always. */
struct GA_Type *source_get_fields(const struct source *from, enum gdi_target target,
                                  const char *const *fields, struct answer *ans);

/* request_user, request_field - append to GR_users, GR_fields
 * request_fields - the same for all of NAMES, ended by NULL */
void request_user(struct GR_Type *request, const char *user);
void request_fields(struct GR_Type *request, const char *const *names);
void request_field(struct GR_Type *request, const char *field);

/* source_open - the qmaster of this process's cell
 *   program  "qstat": borrowed permanently
 * Returns 0, or -1 with ans. End it with source_close (also after a failure). */
struct cell;
struct gdi;
struct qmaster_source {
    struct source from;
    struct cell *cell; /* owned; NULL: the caller's is used */
    struct gdi *gdi;
};
int source_open(struct qmaster_source *q, const char *program, struct answer *ans);
/* source_open_cell - the same with a CELL that is open already: borrowed until source_close */
int source_open_cell(struct qmaster_source *q, const struct cell *cell, const char *program,
                     struct answer *ans);
/* source_close - also after a failure */
void source_close(struct qmaster_source *q);

/* answer_print_errors - the entries of ANS that are errors, one line each on OUT
 *   prefix  before the last of them ("error: " or ""); those before it, details of a lost
 *           connection, always get "error: " */
void answer_print_errors(FILE *out, const struct answer *ans, const char *prefix);

/* The resources of the cell, as its administrator has them. */

/* complex_of_objects - the resources among ALL, sorted, into LIST (empty); end with
 * complex_list_clear */
void complex_of_objects(const struct GA_Type *all, struct CE_Type_list *list);

/* complex_get - those that FROM has; of one that has none, those that every cell starts with
 * Returns 0 with LIST (empty before) filled, or -1 with ans. */
int complex_get(const struct source *from, struct CE_Type_list *list, struct answer *ans);

/* host_resolves - does the name service of this host know NAME? Asks it, and waits for it. */
bool host_resolves(const char *name);

/* ---- jobs of an answer ---- */

/* struct job_stream - jobs with all their tasks, out of the parts of an answer
 *
 * A job with many tasks comes in several parts: the later ones repeat its number and go on with its
 * tasks. The function is called once for each job, when all of it is there, with its tasks sorted
 * by id. Memory: one job and its tasks. */
typedef int (*job_fn)(void *ctx, const struct JB_Type *job, const struct JAT_Type *const *tasks,
                      uint32_t n_tasks, struct answer *ans);
struct job_stream {
    job_fn each;
    void *ctx;
    struct JB_Type job; /* the one that is being gathered */
    bool has_job;
    struct JAT_Type *tasks;
    uint32_t n, cap;
    struct PF_Type gathered;       /* the figures of `job` */
    const struct PF_Type *figures; /* within EACH: what was asked for of them; NULL: nothing */
    bool has_reasons;              /* the answer says why jobs wait */
    struct ST_Type_list reasons;   /* ... this one */
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
int job_stream_get(struct job_stream *s, const struct source *from, struct GR_Type *request,
                   struct answer *ans);

/* job_is_meant - does the identifier of a -j list (id, name or pattern; ID.TASK) mean this job? */
bool job_is_meant(const struct JB_Type *job, const char *identifier);
/* job_identifier_split - "12.3": the number of the job, and of the task; false for any other
 * text. Without a task *task is 0. */
bool job_identifier_split(const char *identifier, uint32_t *job, uint32_t *task);

#endif
