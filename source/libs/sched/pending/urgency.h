#ifndef SCHED_PENDING_URGENCY_H
#define SCHED_PENDING_URGENCY_H

#include "libs/sched/pending/job_group_tree.h"

/* Jobs with equal urgency but for their age: equal requests count alike (libs/resource/urgency.h),
 * and the deadline is the same. Normalised urgencies follow from the lowest and the highest of all
 * active jobs, so each class has its oldest and its newest one. */
RB_HEAD(age_tree, sched_job);
struct urgency_class {
    double rrcontr;      /* what requests add */
    uint64_t deadline_s; /* 0: none */
    uint32_t users;      /* job groups */
    struct age_tree active;
    UT_hash_handle hh;
};

/* urgency_class_get - the class of jobs with these requests and this deadline, made if it is new;
 * one job group more: urgency_class_drop. O(1)
 * urgency_class_drop - one job group less; the last one frees it */
struct urgency_class *urgency_class_get(struct sched_pending *pending, double rrcontr,
                                        uint64_t deadline_s);
void urgency_class_drop(struct sched_pending *pending, struct urgency_class *c);
/* urgency_add_job, urgency_remove_job - JOB is active, or is no longer. O(log) */
void urgency_add_job(struct urgency_class *c, struct sched_job *job);
void urgency_remove_job(struct urgency_class *c, struct sched_job *job);

/* deadline_urgency - what a deadline adds at NOW_S: the weight divided by the seconds that are
 * left; all of it in the last second and afterwards; 0 without a deadline */
double deadline_urgency(double weight, uint64_t deadline_s, uint64_t now_s);
/* urgency_span - the least and the greatest urgency of active jobs at NOW_S, as if submitted in
 * second 0; both 0 without any. O(classes x log) */
struct urgency_span {
    double lowest, highest;
    bool has_deadline; /* of an active job */
};
struct urgency_span urgency_span(const struct sched_pending *pending, double weight_waiting_time,
                                 double weight_deadline, uint64_t now_s);

#endif
