/* From the spool to the state. Every record is read through the schema that it was written with
 * (libs/spool/records.h), and stays as it is until it changes: nothing is converted. What is
 * derived is computed: queue instances from queues and hosts, successors and array holds from
 * predecessors and what is unfinished, slots from the tasks that run. Beside the tables a start
 * holds one record at a time, and the lines of the outbox; what it writes is small, however much it
 * reads. */
#include "daemons/qmaster/recover.h"

#include <stdlib.h>

#include "common/version.h"
#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/job_files.h"
#include "daemons/qmaster/change/recent.h"
#include "daemons/qmaster/change/shares.h"
#include "daemons/qmaster/config/queue_setup.h"
#include "daemons/qmaster/config/users.h"
#include "daemons/qmaster/io/account_file.h"
#include "daemons/qmaster/jobs/ar_life.h"
#include "daemons/qmaster/jobs/depend.h"
#include "daemons/qmaster/jobs/slaves.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/jobs/usage_count.h"
#include "daemons/qmaster/msg_qmaster.h"
#include "daemons/qmaster/reports/reports.h"
#include "daemons/qmaster/sessions/ends.h"
#include "daemons/qmaster/sessions/session_records.h"
#include "libs/config/qinstance.h"
#include "libs/cull/pack.h"
#include "libs/spool/records.h"
#include "libs/uti/alloc.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

/* of records that mean nothing any more: so many leave in the first batch, others at later
 * starts */
enum { DROPPED_AT_ONCE = 10000 };

struct recovery {
    struct qmaster *q;
    struct answer *ans;
    const char *table; /* being read, for messages */
    enum spool_table number;
    struct dstr outbox;
    uint32_t n_dropped;
    uint64_t last_batch;
    uint64_t n;    /* records seen */
    bool is_first; /* of several looks at the same records: what is odd is said once */
};

static int bad_record(struct recovery *rc)
{
    return ans_fail(rc->ans, STATUS_EPROTO, MSG_SPOOL_RECORD_S, rc->table);
}

/* every record of TABLE, called NAME in messages. A record that cannot be read ends it all: who
 * starts with half of the jobs loses the others. Returns 0, or -1 with ans. */
static int walk_table(struct recovery *rc, enum spool_table table, const char *name,
                      spool_walk_fn fn)
{
    rc->table = name;
    rc->number = table;
    if (table == SPOOL_END)
        return spool_walk_keys(rc->q->spool, table, fn, rc, rc->ans);
    return spool_walk(rc->q->spool, table, fn, rc, rc->ans);
}

/* into O, an empty record of type T */
static int read_record(struct recovery *rc, const void *key, size_t key_len,
                       const struct cull_type *t, void *o, const void *value, size_t len)
{
    struct spool_key place = { rc->number, key, key_len };
    rc->n++;
    if (spool_record_read(rc->q->records, place, t, rc->q->jobs.pool, value, len, o, rc->ans) != 0)
        return bad_record(rc);
    return 0;
}

static uint64_t number_at(const void *key, size_t len, size_t at)
{
    uint64_t n = 0;
    for (size_t i = at; i < len; i++)
        n = n << 8 | ((const uint8_t *)key)[i];
    return n;
}

static uint32_t u32_at(const void *key, size_t at)
{
    return (uint32_t)number_at(key, at + 4, at);
}

/* a newer release has what we do not know: it stays in the spool, and is of no effect */
static void say_unknown(const struct recovery *rc, const void *key, size_t key_len)
{
    if (rc->is_first)
        log_msg(LOG_LEVEL_WARNING, MSG_SPOOL_UNKNOWN_SSS, rc->table, (int)key_len,
                (const char *)key);
}

/* ---- one function for each table ---- */
static int on_meta(void *ctx, const void *key, size_t key_len, const void *value, size_t len)
{
    struct recovery *rc = ctx;
    struct unpacker u = unpacker_over_own(value, len);
    rc->n++;
    if (key_len == 8 && memcmp(key, "next_job", 8) == 0) {
        rc->q->jobs.next_number = unpack_varint32(&u);
        if (!u.is_bad && unpack_left(&u) > 0) /* releases before this one had only the number */
            rc->q->jobs.round = unpack_varint32(&u);
        return u.is_bad ? bad_record(rc) : 0;
    }
    say_unknown(rc, key, key_len);
    return 0;
}

static int on_job(void *ctx, const void *key, size_t key_len, const void *value, size_t len)
{
    struct recovery *rc = ctx;
    struct JB_Type rec = { 0 };
    if (read_record(rc, key, key_len, &cull_JB_Type, &rec, value, len) != 0)
        return -1;
    job_set_defaults(&rec);
    if (rec.JB_job_name == NULL || rec.JB_owner == NULL || rec.JB_ja_step == 0 ||
        rec.JB_ja_last < rec.JB_ja_first || key_len != 4 || u32_at(key, 0) != rec.JB_job_number) {
        cull_clear(&cull_JB_Type, &rec);
        return bad_record(rc);
    }
    struct job *job = job_new(&rc->q->jobs, &rec);
    job->bytes = (uint32_t)len;
    jobs_add(&rc->q->jobs, job);
    recent_add(rc->q, job);
    return 0;
}

/* how the tasks of a chunk ended; a release before this one did not record it */
static void read_ends(struct jobs *jobs, struct job *job, const struct range_set *ended,
                      struct unpacker *u)
{
    struct range_set failed = { 0 }, unknown = { 0 };
    if (unpack_left(u) > 0) {
        unpack_ranges(u, &failed);
        unpack_ranges(u, &unknown);
    } else {
        range_set_copy(&unknown, ended);
    }
    range_set_intersect(&failed, ended);
    range_set_intersect(&unknown, ended);
    if (!range_set_is_empty(&failed))
        range_set_unite(&job_rare(job)->failed, &failed);
    if (!range_set_is_empty(&unknown))
        range_set_unite(&job_rare(job)->unknown, &unknown);
    jobs_charge_ends(jobs, job);
    range_set_free(&failed);
    range_set_free(&unknown);
}

static int on_ended(void *ctx, const void *key, size_t key_len, const void *value, size_t len)
{
    struct recovery *rc = ctx;
    struct job *job = key_len == 8 ? jobs_find(&rc->q->jobs, u32_at(key, 0)) : NULL;
    struct range_set ended = { 0 };
    struct unpacker u = unpacker_over_own(value, len);
    rc->n++;
    unpack_ranges(&u, &ended);
    if (job != NULL && !u.is_bad)
        read_ends(&rc->q->jobs, job, &ended, &u);
    if (job == NULL || u.is_bad) {
        range_set_free(&ended);
        return bad_record(rc);
    }
    range_set_subtract(&job->unfinished, &ended);
    range_set_subtract(&job->rec.JB_ja_pending_ids, &ended);
    range_set_free(&ended);
    return 0;
}

static int on_task(void *ctx, const void *key, size_t key_len, const void *value, size_t len)
{
    struct recovery *rc = ctx;
    struct job *job = key_len == 8 ? jobs_find(&rc->q->jobs, u32_at(key, 0)) : NULL;
    uint32_t ordinal = key_len == 8 ? u32_at(key, 4) : 0;
    if (job == NULL || !range_set_has(&job->unfinished, ordinal))
        return bad_record(rc);
    struct task *t = job_task_add(job, ordinal);
    if (read_record(rc, key, key_len, &cull_JAT_Type, &t->rec, value, len) != 0)
        return -1;
    if (t->rec.JAT_status == 0 || t->rec.JAT_status >= TASK_STATUSES)
        return bad_record(rc);
    if (t->rec.JAT_status == TASK_WAITING) {
        range_set_add(&job_rare(job)->waiting, ordinal, ordinal);
        if (t->rec.JAT_not_before > uti_now_s())
            jobs_delay(&rc->q->jobs, t);
    }
    return 0;
}

static int on_outbox(void *ctx, const void *key, size_t key_len, const void *value, size_t len)
{
    struct recovery *rc = ctx;
    uint64_t number = number_at(key, key_len, 0);
    rc->n++;
    if (number > rc->last_batch)
        rc->last_batch = number;
    dstr_addn(&rc->outbox, value, len);
    return 0;
}

/* U is at the answer, if there is one: that of another release is not repeated */
static void restore_request(struct recovery *rc, const char *id, uint32_t job, uint64_t submitted_s,
                            struct unpacker *u)
{
    bool has_answer = unpack_left(u) > 0 && unpack_varint(u) == gdi_schema_id();
    recent_restore(rc->q, id, job, submitted_s, u->at, has_answer ? unpack_left(u) : 0);
}

static int on_request(void *ctx, const void *key, size_t key_len, const void *value, size_t len)
{
    struct recovery *rc = ctx;
    struct unpacker u = unpacker_over_own(value, len);
    char *id = uti_strndup(key, key_len);
    uint32_t job = unpack_varint32(&u);
    uint64_t submitted_s = unpack_varint(&u);
    rc->n++;
    if (!u.is_bad)
        restore_request(rc, id, job, submitted_s, &u);
    free(id);
    return u.is_bad ? bad_record(rc) : 0;
}

static int on_cqueue(void *ctx, const void *key, size_t key_len, const void *value, size_t len)
{
    struct recovery *rc = ctx;
    struct CQ_Type rec = { 0 };
    if (read_record(rc, key, key_len, &cull_CQ_Type, &rec, value, len) != 0)
        return -1;
    queues_add_cqueue(&rc->q->queues, &rec);
    return 0;
}

/* the instance itself is computed; its record has what people or failures did to it */
static int on_qinstance(void *ctx, const void *key, size_t key_len, const void *value, size_t len)
{
    struct recovery *rc = ctx;
    struct QU_Type rec = { 0 };
    char *name = uti_strndup(key, key_len);
    int result = read_record(rc, key, key_len, &cull_QU_Type, &rec, value, len);
    struct qinstance *qi = result == 0 ? queues_instance(&rc->q->queues, name) : NULL;
    if (result == 0 && qi == NULL && rc->n_dropped++ < DROPPED_AT_ONCE)
        change_record_gone(rc->q, SPOOL_QINSTANCE, name); /* its queue or host went meanwhile */
    if (qi != NULL) {
        uint32_t computed = qi->rec.QU_state & QI_ORPHANED;
        cull_set(&qi->rec, QU_state, (rec.QU_state & ~(uint32_t)QI_ORPHANED) | computed);
        if (rec.QU_message != NULL)
            cull_share(&qi->rec, QU_message, rec.QU_message);
    }
    free(name);
    cull_clear(&cull_QU_Type, &rec);
    return result;
}

static int on_host(void *ctx, const void *key, size_t key_len, const void *value, size_t len)
{
    struct recovery *rc = ctx;
    struct EH_Type rec = { 0 };
    char *name = uti_strndup(key, key_len);
    int result = read_record(rc, key, key_len, &cull_EH_Type, &rec, value, len);
    if (result == 0)
        host_note_shut(&rc->q->hosts, hosts_put(&rc->q->hosts, name, &rec));
    free(name);
    cull_clear(&cull_EH_Type, &rec);
    return result;
}

static int on_conf(void *ctx, const void *key, size_t key_len, const void *value, size_t len)
{
    struct recovery *rc = ctx;
    struct CONF_Type rec = { 0 };
    if (read_record(rc, key, key_len, &cull_CONF_Type, &rec, value, len) != 0)
        return -1;
    settings_put_conf(&rc->q->settings, &rec);
    return 0;
}

static int on_names(void *ctx, const void *key, size_t key_len, const void *value, size_t len)
{
    struct recovery *rc = ctx;
    struct TX_Type rec = { 0 };
    if (read_record(rc, key, key_len, &cull_TX_Type, &rec, value, len) != 0)
        return -1;
    int list = 0;
    while (list < NAME_LISTS && (strlen(settings_list_keys[list]) != key_len ||
                                 memcmp(settings_list_keys[list], key, key_len) != 0))
        list++;
    if (list == NAME_LISTS)
        say_unknown(rc, key, key_len);
    for (uint32_t i = 0; list < NAME_LISTS && i < rec.TX_entries.n; i++)
        settings_put_name(&rc->q->settings, (enum admin_list)list, rec.TX_entries.v[i].VA_variable);
    cull_clear(&cull_TX_Type, &rec);
    return 0;
}

static int on_text(void *ctx, const void *key, size_t key_len, const void *value, size_t len)
{
    struct recovery *rc = ctx;
    struct TX_Type rec = { 0 };
    if (read_record(rc, key, key_len, &cull_TX_Type, &rec, value, len) != 0)
        return -1;
    if (object_rules_of((enum object_kind)rec.TX_kind) != NULL && rec.TX_name != NULL)
        settings_put_text(&rc->q->settings, &rec);
    else
        say_unknown(rc, key, key_len);
    cull_clear(&cull_TX_Type, &rec);
    return 0;
}

static int on_session(void *ctx, const void *key, size_t key_len, const void *value, size_t len)
{
    struct recovery *rc = ctx;
    struct SN_Type rec = { 0 };
    if (read_record(rc, key, key_len, &cull_SN_Type, &rec, value, len) != 0)
        return -1;
    bool is_good = job_session_restore(rc->q, &rec);
    cull_clear(&cull_SN_Type, &rec);
    return is_good ? 0 : bad_record(rc);
}

/* the session at KEY; made, to go with its ends, if it has gone before they had */
static struct job_session *session_at(struct recovery *rc, const void *key, size_t key_len,
                                      struct end_place *place)
{
    rc->n++;
    if (!end_key_read(key, key_len, place))
        return NULL;
    struct job_session *s = job_session_numbered(rc->q, place->session);
    return s != NULL ? s : job_session_orphan(rc->q, place->session);
}

/* only which there are: they are read on demand */
static int on_end(void *ctx, const void *key, size_t key_len, const void *value SGE_UNUSED,
                  size_t len SGE_UNUSED)
{
    struct recovery *rc = ctx;
    struct end_place place;
    struct job_session *s = session_at(rc, key, key_len, &place);
    return s != NULL && session_records_restore(rc->q, s, &place) ? 0 : bad_record(rc);
}

static int on_unrun(void *ctx, const void *key, size_t key_len, const void *value, size_t len)
{
    struct recovery *rc = ctx;
    struct end_place place;
    struct EN_Type end = { 0 };
    struct job_session *s = session_at(rc, key, key_len, &place);
    if (s == NULL || end_read(rc->q, SPOOL_UNRUN, &place, value, len, &end, rc->ans) != 0)
        return bad_record(rc);
    bool is_good = end.EN_job_number == place.job && session_records_restore_unrun(rc->q, s, &end);
    cull_clear(&cull_EN_Type, &end);
    return is_good ? 0 : bad_record(rc);
}

static int on_usage(void *ctx, const void *key, size_t key_len, const void *value, size_t len)
{
    struct recovery *rc = ctx;
    struct UP_Type rec = { 0 };
    if (read_record(rc, key, key_len, &cull_UP_Type, &rec, value, len) != 0)
        return -1;
    bool is_good = usage_restore(&rc->q->usage, &rec);
    cull_clear(&cull_UP_Type, &rec);
    return is_good ? 0 : bad_record(rc);
}

static int on_ar(void *ctx, const void *key, size_t key_len, const void *value, size_t len)
{
    struct recovery *rc = ctx;
    struct AR_Type rec = { 0 };
    if (read_record(rc, key, key_len, &cull_AR_Type, &rec, value, len) != 0)
        return -1;
    ar_restore(rc->q, &rec);
    cull_clear(&cull_AR_Type, &rec);
    return 0;
}

static const struct {
    enum spool_table table;
    const char *name;
    spool_walk_fn fn;
} walks[] = {
    { SPOOL_META, "numbers", on_meta },    { SPOOL_CONFIG, "configurations", on_conf },
    { SPOOL_NAMES, "names", on_names },    { SPOOL_TEXT, "objects", on_text },
    { SPOOL_HOST, "hosts", on_host },      { SPOOL_CQUEUE, "queues", on_cqueue },
    { SPOOL_JOB, "jobs", on_job },         { SPOOL_ENDED, "ended tasks", on_ended },
    { SPOOL_TASK, "tasks", on_task },      { SPOOL_REQUEST, "requests", on_request },
    { SPOOL_OUTBOX, "outbox", on_outbox }, { SPOOL_SESSION, "sessions", on_session },
    { SPOOL_END, "kept ends", on_end },    { SPOOL_UNRUN, "tasks that never ran", on_unrun },
    { SPOOL_USAGE, "usage", on_usage },    { SPOOL_AR, "advance reservations", on_ar },
};

/* UNWRITTEN gets the lines that a full disk has no room for: that must not keep the qmaster from
 * starting */
static int settle_accounting(struct recovery *rc, const char *path, struct dstr *unwritten)
{
    struct answer why = ANSWER_INIT;
    if (rc->outbox.len == 0)
        return 0;
    struct account_file *f = account_file_open(path, rc->ans);
    if (f == NULL)
        return -1;
    size_t look_back =
        rc->outbox.len + 1024 * 1024; /* what came after the oldest of them is in the outbox too */
    int result = account_file_append_missing(f, dstr_get(&rc->outbox), rc->outbox.len, look_back,
                                             unwritten, &why);
    if (result == 0)
        result = account_file_sync(f, &why);
    account_file_close(f);
    if (result != 0 && unwritten->len > 0 && why.v[0].status == STATUS_EDISK) {
        log_answer(&why);
        ans_free(&why);
        return 0;
    }
    ans_move(rc->ans, &why);
    return result;
}

/* the schemas, unless a newer release has written some and nobody has said that we may run then */
static int open_records(struct qmaster *q, struct answer *ans)
{
    q->records = spool_records_open(q->spool, sgeobj_schema(), SGE_VERSION, ans);
    const char *newer = q->records != NULL ? spool_records_newer(q->records) : NULL;
    if (newer == NULL)
        return q->records != NULL ? 0 : -1;
    if (!q->keeps_newer)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_SPOOL_NEWER_SSS, spool_dir(q->spool), newer,
                        SGE_VERSION);
    log_msg(LOG_LEVEL_WARNING, MSG_SPOOL_RUNS_ON_NEWER_SS, newer, SGE_VERSION);
    return 0;
}

int recover(struct qmaster *q, const char *accounting_path, struct recovered *found,
            struct answer *ans)
{
    struct recovery rc = { .q = q, .ans = ans, .is_first = true };
    int result = open_records(q, ans);
    *found = (struct recovered){ 0 };
    for (size_t i = 0; i < ARRAY_LEN(walks) && result == 0; i++)
        result = walk_table(&rc, walks[i].table, walks[i].name, walks[i].fn);
    recent_restored(q);
    if (result == 0)
        result = settle_accounting(&rc, accounting_path, &found->unwritten);
    found->last_batch = rc.last_batch;
    dstr_free(&rc.outbox);
    if (result != 0)
        return -1;
    return rc.n == 0;
}

static void drop_finished(struct qmaster *q)
{
    struct job *job = jobs_at_or_after(&q->jobs, 0);
    while (job != NULL) {
        struct job *next = jobs_next(&q->jobs, job);
        if (range_set_is_empty(
                &job->unfinished)) { /* cannot be: a job's last end removes it in the same transaction */
            log_msg(LOG_LEVEL_WARNING, MSG_JOB_WITHOUT_TASKS_U, job->rec.JB_job_number);
            change_job_gone(q, job);
            recent_job_ended(q, job);
            jobs_remove(&q->jobs, job);
            job_free(&q->jobs, job);
        }
        job = next;
    }
}

int recover_finish(struct qmaster *q, struct answer *ans)
{
    struct recovery rc = { .q = q, .ans = ans };
    queue_resolve_all(q);
    drop_finished(q);
    access_recover_jobs(q);
    ars_restore(q);
    for (struct job *job = jobs_at_or_after(&q->jobs, 0); job != NULL;
         job = jobs_next(&q->jobs, job)) {
        jobs_set_share(&q->jobs, job, share_of(q, &job->rec, job->bytes));
        for (struct task *t = job_task_first(job, 0); t != NULL; t = job_task_next(t)) {
            slots_restore(q, t);
            slaves_restore(q, t);
        }
    }
    change_schema(q);
    usage_configured(q);
    ends_restored(q);
    int result = walk_table(&rc, SPOOL_QINSTANCE, "queue states", on_qinstance);
    depend_restore(q);
    if (result == 0)
        result = scripts_remove_orphans(q, ans);
    while (queue_suspend_is_due(q)) /* before hosts and the scheduler see half of it */
        (void)queue_suspend_step(q);
    uint32_t kept = spool_records_kept(q->records);
    if (result == 0 && kept > 0)
        log_msg(LOG_LEVEL_WARNING, MSG_SPOOL_KEPT_U, kept);
    return result;
}
