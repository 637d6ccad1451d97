#ifndef PLUGIN_WIRE_H
#define PLUGIN_WIRE_H

#include "libs/cull/pack.h"

/* What sge_schedd and the process of a scheduler plug-in say to each other; both are of one
 * release.
 *
 * Requests lie in memory that both share (PLUGIN_STATE_FD), as long as the 8 bytes say that
 * sge_schedd sends over the socket (PLUGIN_FD). Answers come back over the socket: 4 bytes with the
 * length, and the body. The first answer comes without a request: it says that the plug-in is
 * loaded, or why not. */
enum { PLUGIN_FD = 3, PLUGIN_STATE_FD = 4 };
/* limits of an answer, and of a request */
enum {
    PLUGIN_ANSWER_MOST = 4 << 20,
    PLUGIN_DECISIONS_MOST = 20000,
    PLUGIN_LOGS_MOST = 10,
    PLUGIN_LOG_BYTES = 200,
    PLUGIN_NAME_MOST = 64, /* of the file */
    PLUGIN_CHANGES_MOST = 20000
};
/* a request: now_s, the most tasks, PLUGIN_RUN or PLUGIN_MORE (more changes follow before the run),
 * changes until PLUGIN_END */
enum plugin_request { PLUGIN_MORE = 1, PLUGIN_RUN = 2 };
enum plugin_change { PLUGIN_END, PLUGIN_JOB, PLUGIN_JOB_GONE, PLUGIN_QUEUE, PLUGIN_QUEUE_GONE };
/* an answer */
enum plugin_answer {
    PLUGIN_LOADED = 1, /* what it does */
    PLUGIN_REFUSED,    /* a text: why */
    PLUGIN_READ,       /* the changes */
    PLUGIN_DECIDED     /* decisions until PLUGIN_DONE */
};
enum plugin_decision { PLUGIN_DONE, PLUGIN_RANK, PLUGIN_PLACE, PLUGIN_RESERVE, PLUGIN_LOG };

/* texts are borrowed where a record is packed, and new where it is unpacked: plugin_..._clear */
struct plugin_job {
    uint32_t number, slots, ja_first, ja_step;
    int32_t priority; /* -p */
    bool is_parallel, reserves;
    uint64_t submitted_s, start_at_s, run_s, n_taken;
    char *owner, *project, *department;
    struct range_set ready; /* ordinals; when packed: borrowed */
};
struct plugin_queue {
    char *name, *host;
    uint64_t slots, free;
    uint32_t seq_no;
    bool is_open;
    double load;
};
void plugin_job_pack(struct packer *p, const struct plugin_job *job);
void plugin_job_unpack(struct unpacker *u, struct plugin_job *job);
void plugin_job_clear(struct plugin_job *job);
void plugin_queue_pack(struct packer *p, const struct plugin_queue *queue);
void plugin_queue_unpack(struct unpacker *u, struct plugin_queue *queue);
void plugin_queue_clear(struct plugin_queue *queue);

struct plugin_decided {
    enum plugin_decision kind;
    uint32_t job;
    int64_t rank;                 /* PLUGIN_RANK */
    uint32_t tasks;               /* PLUGIN_PLACE */
    char *text;                   /* a queue instance, "": any; PLUGIN_LOG: the line */
    uint64_t start_s, duration_s; /* PLUGIN_RESERVE */
};
/* plugin_decided_pack, plugin_decided_unpack - one of them; the last is PLUGIN_DONE. What cannot be
 * read leaves U bad, and OUT empty */
void plugin_decided_pack(struct packer *p, const struct plugin_decided *one);
void plugin_decided_unpack(struct unpacker *u, struct plugin_decided *out);
void plugin_decided_clear(struct plugin_decided *one);

#endif
