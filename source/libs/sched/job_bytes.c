/* How much memory a scheduler takes for a job, as the qmaster asks, which has no scheduler in it:
 * the sizes of what pending/category.c and the files below it make of its requests. Owns no
 * data. */
#include "libs/sched/job_bytes.h"

/* JOB_BYTES: of a job without requests. GROUP_BYTES: of a job group, for a claim of its own, and a
 * class of urgency. For a list, besides the bytes that it has in the qmaster and that are here
 * twice, in the key and in what else is made of it: LIST_BYTES of a category, a job group and a
 * need; PLACES_BYTES of a request for queues and a set, SOFT_BYTES of soft requests. */
enum {
    JOB_BYTES = 256,
    GROUP_BYTES = 640,
    LIST_BYTES = 1152,
    PLACES_BYTES = 1280,
    SOFT_BYTES = 1024
};
enum { COPIES = 2, BITS_OF_BYTE = 8 };

/* what may give each job a job group of its own (job_group.c); -p cannot, as its values are few */
static bool is_claim(const struct JB_Type *job, unsigned field)
{
    return (field == JB_deadline && job->JB_deadline != 0) ||
           (field == JB_jobshare && job->JB_jobshare != 0) ||
           (field == JB_override_tickets && job->JB_override_tickets != 0);
}

size_t sched_field_bytes(const struct JB_Type *job, unsigned field, uint32_t n_queues)
{
    const struct cull_field *f = &cull_JB_Type.fields[field];
    if (is_claim(job, field))
        return GROUP_BYTES;
    if ((f->flags & JOB_IN_CATEGORY) == 0)
        return 0;
    size_t bytes = COPIES * cull_field_heap_bytes(&cull_JB_Type, job, field);
    if (bytes == 0)
        return 0;
    bytes += f->kind == CULL_LIST ? LIST_BYTES : 0;
    if (field == JB_hard_queue_list || field == JB_hard_resource_list)
        bytes += PLACES_BYTES + n_queues / BITS_OF_BYTE;
    if (field == JB_soft_queue_list || field == JB_soft_resource_list)
        bytes += SOFT_BYTES;
    return bytes;
}

size_t sched_job_bytes(const struct JB_Type *job, uint32_t n_queues)
{
    size_t bytes = JOB_BYTES;
    for (unsigned f = 0; f < JB_Type_FIELDS; f++)
        bytes += sched_field_bytes(job, f, n_queues);
    return bytes;
}
