#ifndef SHEPHERD_RECORDS_H
#define SHEPHERD_RECORDS_H

#include <sys/resource.h>
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

/* What the job used: the sum over every process that was waited for. */
struct dstr;
struct job_usage {
    uint64_t start_s, end_s;   /* wall clock; start_s 0 = the job never ran, and this is when that
                                * was certain */
    uint64_t start_us, end_us; /* monotonic, for ru_wallclock */
    int wait_status;           /* of the job itself */
    struct rusage sum;
    uint64_t cpu_us; /* of all processes, as their cgroup counted it; 0: they had none */
    /* of all processes together, as samples found it; 0: there was no sample */
    uint64_t vmem_most_bytes, mem_kb_ms, looked_us;
};
void usage_add(struct job_usage *u,
               const struct rusage *one); /* sizes: the greatest; the rest: the sum */
/* usage_look - at NOW_US they have so much memory */
void usage_look(struct job_usage *u, uint64_t vmem_bytes, uint64_t rss_bytes, uint64_t now_us);
int usage_exit_status(int wait_status); /* 128 + signal if one ended it */
/* usage_text - the lines of file "usage"; FAILED is the last */
void usage_text(const struct job_usage *u, unsigned failed, struct dstr *out);

#endif
