/* The ids that a range names are a progression, and so are the ids that an array has. What they
 * share is a progression, too: its step is the least common multiple of theirs, and its first
 * member solves a linear congruence. */
#include "libs/sgeobj/task_ids.h"

#include "libs/sgeobj/job_state.h"

/* the inverse of A modulo M, which have no common divisor; M > 1 (extended Euclid) */
static uint64_t inverse_modulo(uint64_t a, uint64_t m)
{
    int64_t r = (int64_t)m, next_r = (int64_t)(a % m), t = 0, next_t = 1;
    while (next_r != 0) {
        int64_t quotient = r / next_r, was_r = r, was_t = t;
        r = next_r;
        next_r = was_r - quotient * next_r;
        t = next_t;
        next_t = was_t - quotient * next_t;
    }
    return (uint64_t)(t < 0 ? t + (int64_t)m : t);
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b != 0) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* the first of MIN, MIN + BY ... that is not below LEAST */
static uint64_t first_from(uint64_t min, uint64_t least, uint32_t by)
{
    return min >= least ? min : min + (least - min + by - 1) / by * by;
}

/* The first of ID, ID + BY ... that the progression of JOB has, were it without end; false if it
 * has none. It is ID + k * BY with the least k that solves k * BY = (what ID lacks to the next id
 * of the array) modulo the array's step. */
static bool first_shared(const struct JB_Type *job, uint64_t id, uint32_t by, uint64_t *out)
{
    uint32_t step = job->JB_ja_step, divisor = common_divisor(step, by), period = step / divisor;
    uint64_t missing = (step - (id - job->JB_ja_first) % step) % step;
    if (missing % divisor != 0)
        return false;
    uint64_t k =
        period == 1 ? 0 : missing / divisor * inverse_modulo(by / divisor, period) % period;
    *out = id + k * by;
    return true;
}

void task_ids_add(const struct JB_Type *job, const struct TR_Type *ids, struct range_set *out)
{
    uint32_t by = ids->TR_step == 0 ? 1 : ids->TR_step, first = job->JB_ja_first;
    uint32_t last = job_task_id(job, job_task_count(job) - 1);
    uint32_t max = ids->TR_max < last ? ids->TR_max : last;
    uint64_t id = first_from(ids->TR_min, first, by);
    if (id > max || !first_shared(job, id, by, &id) || id > max)
        return;
    range_set_add_stride(out, (uint32_t)((id - first) / job->JB_ja_step),
                         (max - first) / job->JB_ja_step, by / common_divisor(job->JB_ja_step, by));
}
