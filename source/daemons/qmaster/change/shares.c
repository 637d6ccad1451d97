/* What users may take. What they have taken is added up in jobs.c, where jobs come and go; here it
 * is held against the limits. */
#include "daemons/qmaster/change/shares.h"

#include "daemons/qmaster/change/msg_change.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/sched/job_bytes.h"
#include "libs/spool/spool.h"
#include "libs/uti/os.h"

enum { BYTES_PER_MIB = 1024 * 1024 };

/* the one table of these limits; settings.c reads them by these names */
const struct share_limit share_limits[SHARE_LIMITS] = {
    [SHARE_USER_MEMORY] = { "MAX_USER_MEMORY", "memory", true },
    [SHARE_USER_SPOOL] = { "MAX_USER_SPOOL", "the spool", true },
    [SHARE_ALL_MEMORY] = { "MAX_JOBS_MEMORY", "memory", false },
    [SHARE_ALL_SPOOL] = { "MAX_JOBS_SPOOL", "the spool", false },
};

void shares_usual(const struct spool *spool, uint64_t limits[SHARE_LIMITS])
{
    uint64_t memory = os_memory_bytes(), disk = spool_disk_bytes(spool);
    disk = disk != 0 ? disk : UINT64_MAX;
    limits[SHARE_USER_MEMORY] = memory / 4;
    limits[SHARE_USER_SPOOL] = disk / 4;
    limits[SHARE_ALL_MEMORY] = memory / 4 * 3;
    limits[SHARE_ALL_SPOOL] = disk / 4 * 3;
}

static uint32_t n_queues(const struct qmaster *q)
{
    return HASH_COUNT(q->queues.instances);
}

struct share share_of(const struct qmaster *q, const struct JB_Type *rec, size_t packed)
{
    size_t heap = cull_heap_bytes(&cull_JB_Type, rec);
    heap -= cull_field_heap_bytes(&cull_JB_Type, rec, JB_env_list);
    heap -= cull_field_heap_bytes(&cull_JB_Type, rec, JB_script_ptr);
    /* who waits pays for both ends of the link */
    heap -= cull_field_heap_bytes(&cull_JB_Type, rec, JB_jid_sucessor_list);
    heap -= cull_field_heap_bytes(&cull_JB_Type, rec, JB_ja_ad_sucessor_list);
    heap += cull_field_heap_bytes(&cull_JB_Type, rec, JB_jid_predecessor_list);
    heap += cull_field_heap_bytes(&cull_JB_Type, rec, JB_ja_ad_predecessor_list);
    heap += sched_job_bytes(rec, n_queues(q));
    return (struct share){ .memory = sizeof(struct job) + heap,
                           .spool = packed + rec->JB_files_bytes };
}

struct share share_growth(const struct qmaster *q, const struct job *job,
                          const struct JB_Type *want)
{
    int64_t memory = 0, spool = 0, scheduler = 0;
    for (unsigned f = 0; f < cull_JB_Type.n_fields; f++) {
        int64_t bytes = (int64_t)cull_field_heap_bytes(&cull_JB_Type, want, f);
        int64_t before = (int64_t)cull_field_heap_bytes(&cull_JB_Type, &job->rec, f);
        if (!cull_is_present(want, f))
            continue;
        scheduler += (int64_t)sched_field_bytes(want, f, n_queues(q)) -
                     (int64_t)sched_field_bytes(&job->rec, f, n_queues(q));
        if (f == JB_env_list || f == JB_script_ptr)
            spool += bytes - (int64_t)job->rec.JB_files_bytes;
        else
            memory += f == JB_context ? bytes : bytes - before; /* -ac adds */
    }
    spool += memory;
    memory += scheduler;
    return (struct share){ .memory = memory > 0 ? (uint64_t)memory : 0,
                           .spool = spool > 0 ? (uint64_t)spool : 0 };
}

static uint64_t taken_of(const struct share *s, enum share_kind kind)
{
    return kind == SHARE_USER_MEMORY || kind == SHARE_ALL_MEMORY ? s->memory : s->spool;
}

int shares_check(const struct qmaster *q, const struct identity *who, const char *owner,
                 const struct share *more, struct answer *ans)
{
    const struct owner *o = jobs_owner(&q->jobs, owner);
    const struct share none = { 0 };
    if (more->memory + more->spool == 0 || right_manage(q, who))
        return 0;
    for (enum share_kind kind = 0; kind < SHARE_LIMITS; kind++) {
        const struct share_limit *l = &share_limits[kind];
        const struct share *taken = !l->is_of_user ? &q->jobs.share : o != NULL ? &o->share : &none;
        uint64_t set = q->settings.share_limits[kind];
        uint64_t most = set != 0 ? set : q->usual_shares[kind];
        uint64_t wanted = taken_of(taken, kind) + taken_of(more, kind);
        if (wanted > most && taken_of(more, kind) > 0)
            return ans_fail(ans, STATUS_NOTOK_DOAGAIN, MSG_SHARE_SSUSUS,
                            l->is_of_user ? "the jobs of user " : "the jobs of all users",
                            l->is_of_user ? owner : "",
                            (unsigned)((wanted + BYTES_PER_MIB - 1) / BYTES_PER_MIB), l->place,
                            (unsigned)(most / BYTES_PER_MIB), l->name);
    }
    return 0;
}
