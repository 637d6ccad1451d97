#ifndef SHEPHERD_TRACE_H
#define SHEPHERD_TRACE_H

#include <sys/types.h>

#include "common/basis.h"

/* What the shepherd did, kept in memory: it is not needed if the task ends normally. It goes to the
 * file "trace" after a failure, or line by line when the configuration says trace=1. Of very many
 * lines the first and the last are kept. */
struct trace_line {
    uint64_t at_s;
    char *text; /* owned */
};
struct trace {
    struct trace_line *v;
    uint32_t n, cap, written; /* lines in the file */
    bool is_on;               /* write each line at once */
};
void trace_add(struct trace *t, const char *format, ...) SGE_PRINTF(2, 3);
void trace_flush(struct trace *t); /* append what is kept to the file; best effort */
void trace_free(struct trace *t);

/* task_error - append "date [uid:pid]: text" to the file "error"; UID and PID are those of the
 * process it happened in */
void task_error(uid_t uid, pid_t pid, const char *text);

#endif
