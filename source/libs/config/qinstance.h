#ifndef CONFIG_QINSTANCE_H
#define CONFIG_QINSTANCE_H

#include "libs/sgeobj/rows.h"

/* Queue instances: a cluster queue on one host, its states and types (QU_state, QU_qtype). Pure. */
struct answer;
struct dstr;

/* QU_state bits; the letter is what qstat -f and qhost -q show */
enum {
    QI_ALARM = 0x1,          /* a: load threshold exceeded */
    QI_SUSPEND_ALARM = 0x2,  /* A: suspend threshold exceeded */
    QI_DISABLED = 0x4,       /* d: by qmod -d */
    QI_SUSPENDED = 0x8,      /* s: by qmod -sq */
    QI_SUBORDINATED = 0x10,  /* S: by a queue it is subordinate to */
    QI_CAL_DISABLED = 0x20,  /* D: by its calendar */
    QI_CAL_SUSPENDED = 0x40, /* C: by its calendar */
    QI_UNKNOWN = 0x80,       /* u: no contact with its host */
    QI_ERROR = 0x100,     /* E: a job could not be started for a reason of the queue's; qmod -cq */
    QI_AMBIGUOUS = 0x200, /* c: its configuration contradicts itself */
    QI_ORPHANED = 0x400,  /* o: gone from its cluster queue, but tasks run in it */
    QI_BLOCKING = 0x7ff   /* no task starts while any of these is set */
};
enum { QTYPE_BATCH = 1, QTYPE_INTERACTIVE = 2 }; /* QU_qtype bits: qtype BATCH INTERACTIVE */

/* hostgroup_has_fn - is HOST in GROUP ("@name"), directly or through a group in it? */
typedef bool (*hostgroup_has_fn)(void *ctx, const char *group, const char *host);

/* qinstance_resolve - give QU the attributes that CQ has for HOST
 *
 *   qu   changed: names, QU_settings and what is made of them; QU_state only in QI_AMBIGUOUS,
 *        QU_message with it. Settings that it has, a copy of another instance's, share what is
 *        equal with that one.
 *   has  how host groups are asked; NULL if there are none
 *
 * A host's own setting wins over its group's, that over the default. CQ is valid (cqueue_check).
 * O(attributes x settings). */
void qinstance_resolve(struct QU_Type *qu, const struct CQ_Type *cq, const char *host,
                       hostgroup_has_fn has, void *ctx);

/* qinstance_setting - the value of an attribute of queue_conf(5); borrowed, NULL if there is none
 * of that name */
const char *qinstance_setting(const struct QU_Type *qu, const char *attr);

/* qinstance_state_text - append the letters, in the order a A C d D s S u E c o */
void qinstance_state_text(unsigned state, struct dstr *out);
/* qinstance_state_parse - letters (of -qs) to bits; false if one is unknown */
bool qinstance_state_parse(const char *letters, unsigned *out) SGE_MUST_USE;
/* qinstance_type_text - append "BIPC": batch, interactive, parallel (a pe_list), checkpointing (a
 * ckpt_list); "N" for none */
void qinstance_type_text(const struct QU_Type *qu, struct dstr *out);
/* qinstance_text - append the form of `qconf -sq queue@host` */
void qinstance_text(const struct QU_Type *qu, bool is_single, struct dstr *out);

#endif
