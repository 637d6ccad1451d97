#ifndef SGEOBJ_QINSTANCE_H
#define SGEOBJ_QINSTANCE_H

/* States and types of queue instances (QU_state, QU_qtype): values only. */

enum { /* QU_state bits; the letter is what qstat -f and qhost -q show */
    QI_ALARM = 0x1,             /* a: load threshold exceeded */
    QI_SUSPEND_ALARM = 0x2,     /* A: suspend threshold exceeded */
    QI_DISABLED = 0x4,          /* d: by qmod -d */
    QI_SUSPENDED = 0x8,         /* s: by qmod -sq */
    QI_SUBORDINATED = 0x10,     /* S: by a queue it is subordinate to */
    QI_CAL_DISABLED = 0x20,     /* D: by its calendar */
    QI_CAL_SUSPENDED = 0x40,    /* C: by its calendar */
    QI_UNKNOWN = 0x80,          /* u: its host is not heard of */
    QI_ERROR = 0x100,           /* E: a job could not be started for a reason of the queue's; qmod -cq */
    QI_AMBIGUOUS = 0x200,       /* c: its configuration contradicts itself */
    QI_ORPHANED = 0x400,        /* o: gone from its cluster queue, but tasks run in it */
    QI_BLOCKING = 0x7ff         /* no task starts while any of these is set */
};
enum { QTYPE_BATCH = 1, QTYPE_INTERACTIVE = 2 }; /* QU_qtype bits: qtype BATCH INTERACTIVE */

#endif
