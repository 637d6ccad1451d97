#ifndef SGEOBJ_CHECKPOINT_H
#define SGEOBJ_CHECKPOINT_H

#include "libs/sgeobj/rows.h"

/* Checkpoints of tasks: what a job and its checkpointing environment ask for, and what follows from
 * it. Pure. Source: checkpoint(5), submit(1) -c; captured runs of each interface */
enum checkpoint_interface {
    CHECKPOINT_USERDEFINED, /* the job saves its state: it gets a signal, no command runs */
    CHECKPOINT_TRANSPARENT, /* likewise, by a library in it */
    CHECKPOINT_APPLICATION, /* commands save it; the job's script starts again */
    CHECKPOINT_CPR,         /* the system saves it, by commands, one of which restarts it */
    CHECKPOINT_HIBERNATOR   /* likewise */
};
enum { CHECKPOINT_INTERFACES = CHECKPOINT_HIBERNATOR + 1 };

/* checkpoint_interface_name - as checkpoint(5) spells it
 * checkpoint_interface_read - the reverse, in any case; an unknown one is userdefined */
const char *checkpoint_interface_name(enum checkpoint_interface interface);
enum checkpoint_interface checkpoint_interface_read(const char *name);
/* checkpoint_has_commands - do the commands of such an environment run? */
bool checkpoint_has_commands(enum checkpoint_interface interface);

/* checkpoint_when - the CHECKPOINT_... bits of JOB, whose environment is ENV: those of -c, else the
 * environment's; with an interval (-c), checkpoints are periodic as well */
uint32_t checkpoint_when(const struct JB_Type *job, const struct CK_Type *env);
/* checkpoint_keep - TASK, a task of JOB that starts, saves its state as ENV says; NULL: not at
 * all */
void checkpoint_keep(struct JAT_Type *task, const struct JB_Type *job, const struct CK_Type *env);
/* checkpoint_of - how TASK saves its state; NULL: not at all. Borrowed */
const struct TC_Type *checkpoint_of(const struct JAT_Type *task);
/* checkpoint_is_at - does TASK have one of the CHECKPOINT_... bits WHEN? */
bool checkpoint_is_at(const struct JAT_Type *task, uint32_t when);
/* checkpoint_restarted - RESTARTED of TASK, which saves its state: 0 for a first start, 2 if it
 * goes on from a checkpoint that commands have made, else 1 */
uint32_t checkpoint_restarted(const struct JAT_Type *task);

#endif
