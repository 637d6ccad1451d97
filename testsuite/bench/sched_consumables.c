/* sched_consumables HOSTS JOBS CROWDED - how long the scheduler takes to place JOBS jobs, each of
 * which asks for 20 resources that run out, in amounts of its own
 *
 * HOSTS hosts have a queue instance each, with all 20. A host has room for two such jobs, and 8
 * slots. With CROWDED 1, half of the hosts have twice as many slots, so they are looked at first,
 * and nothing left of one of the resources. Prints the seconds of CPU. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sched_feed.h"

enum { KINDS = 20, SLOTS = 8, TEXT_BYTES = 32, ALL_MOST = 1000000 };

static void add_kind(struct sched *s, int kind)
{
    char name[TEXT_BYTES];
    snprintf(name, sizeof name, "r%d", kind);
    add_resource(s, name, "MEMORY", "YES");
}

static void set_amount(struct CE_Type *ce, int kind, unsigned amount)
{
    char text[TEXT_BYTES];
    snprintf(text, sizeof text, "r%d", kind);
    cull_set(ce, CE_name, text);
    snprintf(text, sizeof text, "%u", amount);
    cull_set(ce, CE_stringval, text);
}

static void add_queue(struct sched *s, unsigned host, bool is_full)
{
    struct EV_Type event = { 0 };
    struct QU_Type *queue = cull_append(&event, EV_queues);
    char name[TEXT_BYTES];
    snprintf(name, sizeof name, "all.q@n%u", host);
    cull_set(&event, EV_kind, EV_QUEUE_ADD);
    cull_set(queue, QU_full_name, name);
    cull_set(queue, QU_job_slots, (uint32_t)(is_full ? 2 * SLOTS : SLOTS));
    apply(s, &event);
}

static void add_host(struct sched *s, unsigned host, bool is_full)
{
    struct EV_Type event = { 0 };
    struct EH_Type *record = cull_append(&event, EV_hosts);
    char name[TEXT_BYTES];
    snprintf(name, sizeof name, "n%u", host);
    cull_set(&event, EV_kind, EV_HOST);
    cull_set(record, EH_name, name);
    for (int kind = 0; kind < KINDS; kind++)
        set_amount((struct CE_Type *)cull_append(record, EH_consumable_config_list), kind,
                   is_full && kind == KINDS - 1 ? 0 : 2 * ALL_MOST);
    add_queue(s, host, is_full);
    apply(s, &event);
}

static void add_job(struct sched *s, unsigned number)
{
    struct EV_Type event = { 0 };
    struct JB_Type *job = cull_append(&event, EV_jobs);
    for (int kind = 0; kind < KINDS; kind++)
        set_amount((struct CE_Type *)cull_append(job, JB_hard_resource_list), kind,
                   ALL_MOST - number);
    cull_set(job, JB_job_number, number);
    cull_set(job, JB_owner, "alice");
    cull_set(job, JB_submission_time, number);
    cull_set(&event, EV_kind, EV_JOB_ADD);
    range_set_add(cull_ranges(&event, EV_ids), 0, 0);
    apply(s, &event);
}

static double cpu(void)
{
    struct timespec at;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: sched_consumables HOSTS JOBS CROWDED\n", stderr);
        return 1;
    }
    unsigned hosts = (unsigned)strtoul(argv[1], NULL, 10);
    unsigned jobs = (unsigned)strtoul(argv[2], NULL, 10);
    bool is_crowded = argv[3][0] == '1';
    struct OR_Type_list orders = { 0 };
    struct sched *s = sched_new();
    for (int kind = 0; kind < KINDS; kind++)
        add_kind(s, kind);
    for (unsigned host = 0; host < hosts; host++)
        add_host(s, host, is_crowded && host % 2 == 0);
    double from = cpu();
    for (unsigned number = 1; number <= jobs; number++)
        add_job(s, number);
    uint32_t placed = sched_run(s, 1, jobs, &orders);
    printf("%.9f\n", cpu() - from);
    cull_list_clear(&cull_OR_Type, &orders);
    sched_free(s);
    return placed == jobs ? 0 : 1;
}
