/* Reports of turns: from counts that other threads write, to a record, to what the qmaster keeps of
 * each daemon. A host may report anything: what is kept has a fixed size. */
#include "libs/gdi/turn_report.h"

#include <stdio.h>
#include <string.h>

#include "libs/uti/alloc.h"

struct turn_report turn_report_of(const struct turn_counts *c, const char *thread)
{
    struct turn_report r = { .n = c->n, .longest_us = c->longest_us };
    (void)snprintf(r.thread, sizeof r.thread, "%s", thread);
    for (unsigned i = 0; i < TURN_BUCKETS; i++)
        r.bucket[i] = c->bucket[i];
    return r;
}

void turn_report_fill(const struct turn_counts *c, const char *thread, struct TN_Type *rec)
{
    struct turn_report r = turn_report_of(c, thread);
    cull_set(rec, TN_thread, r.thread);
    cull_set(rec, TN_n, r.n);
    cull_set(rec, TN_longest_us, r.longest_us);
    for (uint32_t i = 0; i < TURN_BUCKETS; i++) {
        if (r.bucket[i] == 0)
            continue;
        struct TU_Type *length = cull_append(rec, TN_lengths);
        cull_set(length, TU_bucket, i);
        cull_set(length, TU_n, r.bucket[i]);
    }
}

static bool is_name(const char *thread)
{
    return thread != NULL && *thread != '\0' && strlen(thread) < TURN_THREAD_BYTES &&
           strspn(thread, "abcdefghijklmnopqrstuvwxyz_") == strlen(thread);
}

static void take_one(struct turn_reports *reports, const struct TN_Type *rec)
{
    if (!is_name(rec->TN_thread) || reports->n == TURN_REPORTS_MOST)
        return;
    struct turn_report *r = &reports->v[reports->n++];
    *r = (struct turn_report){ .n = rec->TN_n, .longest_us = rec->TN_longest_us };
    memcpy(r->thread, rec->TN_thread, strlen(rec->TN_thread) + 1);
    for (uint32_t i = 0; i < rec->TN_lengths.n && i < TURN_BUCKETS; i++) {
        const struct TU_Type *length = &rec->TN_lengths.v[i];
        if (length->TU_bucket < TURN_BUCKETS)
            r->bucket[length->TU_bucket] = length->TU_n;
    }
}

void turn_reports_take(struct turn_reports **reports, const struct TN_Type_list *recs)
{
    if (recs->n == 0)
        return;
    if (*reports == NULL)
        *reports = uti_alloc(sizeof **reports);
    (*reports)->n = 0;
    for (uint32_t i = 0; i < recs->n && i < TURN_REPORTS_MOST; i++)
        take_one(*reports, &recs->v[i]);
}
