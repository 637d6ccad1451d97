#ifndef SCHED_RUNNER_MSG_RUNNER_H
#define SCHED_RUNNER_MSG_RUNNER_H

/* What the process may have of memory; how willingly the kernel ends it when memory is short. */
enum { RUNNER_MEMORY_MIB = 2048, RUNNER_OOM = 500 };

#define MSG_RUNNER_NO_SCHEDD "sge_sched_runner runs only as a child of sge_schedd, which starts it"
#define MSG_RUNNER_OPEN      "cannot open"
#define MSG_RUNNER_OTHERS    "can be changed by others than root and the administrative user"
#define MSG_RUNNER_NO_FILE   "is not a shared object"
#define MSG_RUNNER_SYMBOL    "has no symbol sge_scheduler"
#define MSG_RUNNER_VERSION_SUU                                                                     \
    "%s has version %u of the interface for schedulers, this release has %u"
#define MSG_RUNNER_TABLE_S "%s has an incomplete sge_scheduler table (size, does or run)"

#endif
