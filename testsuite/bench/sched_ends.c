/* sched_ends CATEGORIES ENDS - how long the scheduler takes for the end of a task and for what
 * starts in its place
 *
 * SLOTS slots are full, and CATEGORIES single jobs wait, each with a resource request of its own.
 * ENDS times one task ends, a run orders the next, and the qmaster says that it started. Prints the
 * seconds of all that. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sched_feed.h"

enum { SLOTS = 64, NAME_BYTES = 32 };
#define QUEUE "all.q@host"

static void add_queue(struct sched *s)
{
    struct EV_Type event = { 0 };
    struct QU_Type *queue = cull_append(&event, EV_queues);
    cull_set(&event, EV_kind, EV_QUEUE_ADD);
    cull_set(queue, QU_full_name, QUEUE);
    cull_set(queue, QU_job_slots, (uint32_t)SLOTS);
    apply(s, &event);
}

/* categories more than CATEGORIES begin again with the first */
static void add_job(struct sched *s, uint32_t number, uint32_t categories)
{
    struct EV_Type event = { 0 };
    struct JB_Type *job = cull_append(&event, EV_jobs);
    char seconds[NAME_BYTES];
    snprintf(seconds, sizeof seconds, "%u", 1 + number % categories);
    struct CE_Type *request = cull_append(job, JB_hard_resource_list);
    cull_set(request, CE_name, "h_rt");
    cull_set(request, CE_stringval, seconds);
    cull_set(job, JB_job_number, number);
    cull_set(job, JB_owner, "alice");
    cull_set(job, JB_submission_time, number);
    cull_set(&event, EV_kind, EV_JOB_ADD);
    range_set_add(cull_ranges(&event, EV_ids), 0, 0);
    apply(s, &event);
}

static void say(struct sched *s, uint32_t kind, uint32_t number)
{
    struct EV_Type event = { 0 };
    cull_set(&event, EV_kind, kind);
    cull_set(&event, EV_job_number, number);
    struct JG_Type *entry = cull_append(&event, EV_granted);
    cull_set(entry, JG_qname, QUEUE);
    cull_set(entry, JG_slots, 1);
    range_set_add(cull_ranges(&event, EV_ids), 0, 0);
    apply(s, &event);
}

/* a run; what it orders starts. Returns the number of the last job that did. */
static uint32_t start(struct sched *s)
{
    struct OR_Type_list orders = { 0 };
    uint32_t last = 0;
    sched_run(s, 1, SLOTS, &orders);
    for (uint32_t i = 0; i < orders.n; i++) {
        last = orders.v[i].OR_job_number;
        say(s, EV_TASKS_STARTED, last);
    }
    cull_list_clear(&cull_OR_Type, &orders);
    return last;
}

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static double ends(struct sched *s, uint32_t running, uint32_t count)
{
    double from = now();
    for (uint32_t i = 0; i < count; i++) {
        say(s, EV_TASKS_ENDED, running);
        running = start(s);
    }
    return now() - from;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: sched_ends CATEGORIES ENDS\n", stderr);
        return 1;
    }
    uint32_t categories = (uint32_t)strtoul(argv[1], NULL, 10);
    uint32_t count = (uint32_t)strtoul(argv[2], NULL, 10);
    struct sched *s = sched_new();
    add_resource(s, "h_rt", "TIME", "NO"); /* what the jobs ask for */
    add_queue(s);
    for (uint32_t number = 1; number <= categories + SLOTS + count; number++)
        add_job(s, number, categories);
    uint32_t running = start(s);
    printf("%.9f\n", ends(s, running, count));
    sched_free(s);
    return 0;
}
