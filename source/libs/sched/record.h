#ifndef SCHED_RECORD_H
#define SCHED_RECORD_H

#include "libs/cull/pack.h"
#include "libs/sched/sched.h"

/* Records of a scheduler: all that it was given, in its order, and all that it decided. As it has
 * no other input (sched.h), a replay on any machine decides the same.
 *
 * A record is a greeting, then frames: kind (u8), bytes (u32be), content. A frame that is not whole
 * is the last one of a scheduler that was killed. Packers and unpackers: libs/cull/pack.h. */
enum { RECORD_CONTENT_MOST = 256 << 20 }; /* bytes of a frame */

/* record_greet - append what a record begins with
 * record_begin - append: a new scheduler, which has been given nothing, with slices of SLICE_LOOKS
 * record_event - append: EVENT was applied
 * record_decisions - append: sched_decide at NOW_S, up to MOST tasks, gave ORDERS
 * record_refusal - append: the qmaster has refused ORDER */
void record_greet(struct packer *p);
void record_begin(struct packer *p, uint64_t slice_looks);
void record_event(struct packer *p, const struct EV_Type *event);
void record_decisions(struct packer *p, uint64_t now_s, uint32_t most,
                      const struct OR_Type_list *orders);
void record_refusal(struct packer *p, const struct OR_Type *order);

/* what a replay came to; record_replay_free */
struct record_replay {
    struct sched *sched; /* as it is after the last frame; NULL: there was none */
    uint64_t now_s;      /* of its last decisions */
    uint64_t n_schedulers, n_events, n_decisions, n_orders;
    size_t left_bytes; /* of a last frame that is not whole */
};
/* record_replay - give a scheduler what the record says, and compare its decisions
 *
 *   data, bytes  the record
 *   out          counts, also where the replay fails
 *
 * Returns 0, or -1 with ans: it is no record, or one of a version with other tables, or malformed,
 * or the first decision that is another one. Costs what the scheduler's work did. */
int record_replay(const void *data, size_t bytes, struct record_replay *out, struct answer *ans);
void record_replay_free(struct record_replay *r);

#endif
