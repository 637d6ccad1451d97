#ifndef SHEPHERD_USAGE_H
#define SHEPHERD_USAGE_H

#include <sys/resource.h>

#include "common/basis.h"

/* What the job used: the sum over every process that was waited for. */
struct dstr;
struct job_usage {
    uint64_t start_s, end_s;   /* wall clock; start_s 0 = the job never ran, and this is when that
                                * was certain */
    uint64_t start_us, end_us; /* monotonic, for ru_wallclock */
    int wait_status;           /* of the job itself */
    struct rusage sum;
    uint64_t cpu_us; /* of all processes, as their cgroup counted it; 0: they had none */
    /* of all processes together, as looks found it; 0: there was no look */
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
