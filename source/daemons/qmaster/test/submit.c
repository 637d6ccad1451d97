/* What a submit must be to be taken: the sender may be anybody's program, so the qmaster believes
 * nothing and checks everything. A refused submit has one clear line and changes nothing, not even
 * the next number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemons/qmaster/requests/jobs/job_check.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/requests/requests.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/conf.h"
#include "libs/sched/job_bytes.h"
#include "libs/sgeobj/pe_match.h"
#include "libs/uti/alloc.h"
#include "libs/uti/time.h"

/* a good job to be spoiled by a test */
static struct JB_Type *a_job(struct GR_Type *gr)
{
    struct JB_Type *job = cull_append(gr, GR_jobs);
    cull_set(job, JB_job_name, "J");
    cull_set(job, JB_type, (uint32_t)JOB_TYPE_BINARY);
    return job;
}

static struct JB_Type *an_array(struct GR_Type *gr, uint32_t first, uint32_t last, uint32_t step)
{
    struct JB_Type *job = a_job(gr);
    cull_set(job, JB_type, (uint32_t)(JOB_TYPE_BINARY | JOB_TYPE_ARRAY));
    cull_set(job, JB_ja_first, first);
    cull_set(job, JB_ja_last, last);
    cull_set(job, JB_ja_step, step);
    return job;
}

/* alice's submit of GR is refused with TEXT and the cell is as it was */
static void assert_refused(struct fixture *f, struct GR_Type *gr, const char *text)
{
    char *before = fixture_picture(f);
    assert_false(fixture_ask(f, "alice", submit_request, gr));
    assert_string_equal(said(f), text);
    assert_int_equal(f->number, 0);
    fixture_assert_picture(f, before);
}

static void a_submit_is_one_job(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    assert_refused(f, &gr, "a submit request must contain one job, not 0");
    a_job(&gr);
    a_job(&gr);
    assert_refused(f, &gr, "a submit request must contain one job, not 2");
}

static void a_job_needs_a_name_and_a_script(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    struct JB_Type *job = a_job(&gr);
    cull_clear_field(&cull_JB_Type, job, JB_job_name);
    assert_refused(f, &gr, "job rejected cause there is no job_name in the request");
    job = a_job(&gr);
    cull_set(job, JB_job_name, "9x");
    assert_refused(f, &gr, "denied: \"9x\" is not a valid object name (cannot start with a digit)");
    job = a_job(&gr);
    cull_set(job, JB_type, 0u);
    assert_refused(f, &gr, "job rejected: no script in your request");
}

static void each_resource_and_queue_is_requested_once_whatever_a_client_sends(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    struct JB_Type *job = a_job(&gr);
    for (int i = 0; i < 1000; i++) {
        struct CE_Type *ce = cull_append(job, JB_soft_resource_list);
        cull_set(ce, CE_name, i % 2 == 0 ? "mem_used" : "mu");
        cull_set(ce, CE_stringval, i < 999 ? "1" : "7");
        cull_set(cull_append(job, JB_soft_queue_list), QR_name, "all.q");
    }
    assert_true(fixture_ask(f, "alice", submit_request, &gr));
    const struct JB_Type *rec = &jobs_find(&f->q.jobs, f->number)->rec;
    assert_int_equal(rec->JB_soft_resource_list.n, 1);
    assert_string_equal(rec->JB_soft_resource_list.v[0].CE_stringval, "7");
    assert_int_equal(rec->JB_soft_queue_list.n, 1);
}

static void stage_output(struct GR_Type *gr)
{
    struct PN_Type *path = cull_append(a_job(gr), JB_stdout_path_list);
    cull_set(path, PN_path, "/data/out");
    cull_set(path, PN_file_host, "store");
    cull_set(path, PN_file_staging, true);
}

/* sge_conf(5) delegated_file_staging */
static void files_are_staged_only_where_the_configuration_says_so(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    struct CONF_Type *global = conf_template(CONF_GLOBAL);
    stage_output(&gr);
    assert_refused(f, &gr,
                   "job rejected: it requests file staging, but delegated_file_staging is false");
    assert_int_equal(conf_set(global, "delegated_file_staging", "true", NULL), 0);
    settings_put_conf(&f->q.settings, global);
    stage_output(&gr);
    assert_true(fixture_ask(f, "alice", submit_request, &gr));
    cull_delete(&cull_CONF_Type, global);
}

#define DIGEST "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

/* a job with a session; its digest is spoiled where DIGEST is */
static struct JB_Type *an_interactive_job(struct GR_Type *gr, uint32_t kind, const char *digest)
{
    struct JB_Type *job = a_job(gr);
    cull_set(job, JB_type, JOB_TYPE_BINARY | kind);
    if (digest != NULL)
        cull_set(job, JB_session_digest, digest);
    return job;
}

static void an_interactive_job_has_one_task_one_kind_and_a_digest(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    an_interactive_job(&gr, JOB_TYPE_QRSH | JOB_TYPE_QLOGIN, DIGEST);
    assert_refused(f, &gr, "an interactive job is one of qsh, qlogin and qrsh");
    cull_clear(&cull_GR_Type, &gr);
    struct JB_Type *array = an_array(&gr, 1, 2, 1);
    cull_set(array, JB_type, (uint32_t)(JOB_TYPE_BINARY | JOB_TYPE_ARRAY | JOB_TYPE_QRSH));
    assert_refused(f, &gr, "an interactive job cannot be an array");
    cull_clear(&cull_GR_Type, &gr);
    an_interactive_job(&gr, JOB_TYPE_QRSH, NULL);
    assert_refused(f, &gr, "the digest of the client of an interactive job is no SHA-256");
    cull_clear(&cull_GR_Type, &gr);
    an_interactive_job(&gr, JOB_TYPE_QRSH, "secret");
    assert_refused(f, &gr, "the digest of the client of an interactive job is no SHA-256");
    cull_clear(&cull_GR_Type, &gr);
    an_interactive_job(&gr, 0, DIGEST);
    assert_refused(f, &gr, "only an interactive job has a terminal or a client");
    cull_clear(&cull_GR_Type, &gr);
    cull_set(a_job(&gr), JB_pty, true);
    assert_refused(f, &gr, "only an interactive job has a terminal or a client");
    cull_clear(&cull_GR_Type, &gr);
}

static void ranges_are_ranges(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    an_array(&gr, 0, 5, 1);
    assert_refused(f, &gr, "job rejected: 0 is an invalid task id");
    an_array(&gr, 5, 1, 1);
    assert_refused(f, &gr, "job rejected: 5-1:1 is not a range of task ids");
    an_array(&gr, 1, 5, 0);
    assert_refused(f, &gr, "job rejected: 1-5:0 is not a range of task ids");
    an_array(&gr, 1, UINT32_MAX, 1);
    assert_refused(f, &gr,
                   "job rejected: task id 4294967295 is greater than the limit of 2147483647");
    f->q.settings.max_aj_tasks = 10;
    an_array(&gr, 1, 11, 1);
    assert_refused(f, &gr, "job rejected: you tried to submit a job with more than 10 tasks");
    an_array(&gr, 1, 100, 10);
    assert_true(fixture_ask(f, "alice", submit_request, &gr)); /* tasks count, not ids */
    an_array(&gr, INT32_MAX - 1, INT32_MAX, 1);
    assert_true(fixture_ask(f, "alice", submit_request, &gr));
    an_array(&gr, 7, 7, UINT32_MAX);
    assert_true(fixture_ask(f, "alice", submit_request, &gr));
    assert_string_equal(fixture_ready(f, f->number), "7");
}

static void limits_say_which(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    f->q.settings.max_u_jobs = 2;
    submit(f);
    submit(f);
    a_job(&gr);
    assert_refused(f, &gr, "job rejected: only 2 jobs are allowed per user (current job count: 2)");
    assert_int_not_equal(submit(f, .owner = "bob"), 0);
    f->q.settings.max_u_jobs = 0;
    f->q.settings.max_jobs = 3;
    a_job(&gr);
    assert_refused(f, &gr, "job rejected: only 3 jobs are allowed per cluster");
}

static void what_is_asked_for_must_exist(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    struct JB_Type *job = a_job(&gr);
    struct QR_Type *queue = cull_append(job, JB_hard_queue_list);
    cull_set(queue, QR_name, "nosuch.q");
    assert_refused(f, &gr, "Job was rejected because job requests unknown queue \"nosuch.q\"");
    job = a_job(&gr);
    cull_set(job, JB_pe, "nosuch");
    assert_refused(f, &gr,
                   "job rejected: the requested parallel environment \"nosuch\" does not exist");
    job = a_job(&gr);
    cull_set(job, JB_checkpoint_name, "blcr");
    assert_refused(f, &gr,
                   "job rejected: the requested checkpointing environment \"blcr\" does not exist");
    job = a_job(&gr);
    struct TX_Type pe = { 0 };
    cull_set(&pe, TX_kind, (uint32_t)GDI_PE);
    cull_set(&pe, TX_name, "smp");
    settings_put_text(&f->q.settings, &pe);
    cull_set(job, JB_pe, "smp");
    range_set_add(cull_ranges(job, JB_pe_range), 0, 3);
    assert_refused(f, &gr, "\"job\" rejected: pe range must be greater than zero");
    job = a_job(&gr);
    cull_set(job, JB_pe, "smp");
    range_set_add_stride(cull_ranges(job, JB_pe_range), 1, 2 * SLOT_RANGES_MOST + 1, 2);
    assert_refused(f, &gr,
                   "denied: the job requests slots (-pe) in 1001 ranges; the limit is 1000");
    static const char *const good[] = { "all.q", "all.q@node1", "*@node1", "a*" };
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        job = a_job(&gr);
        queue = cull_append(job, JB_hard_queue_list);
        cull_set(queue, QR_name, good[i]);
        assert_true(fixture_ask(f, "alice", submit_request, &gr));
    }
}

static void a_job_is_charged_to_a_project_that_exists(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    struct JB_Type *job = a_job(&gr);
    cull_set(job, JB_project, "film");
    assert_refused(f, &gr, "job rejected: the requested project \"film\" does not exist");
    struct TX_Type project = { 0 };
    cull_set(&project, TX_kind, (uint32_t)GDI_PROJECT);
    cull_set(&project, TX_name, "film");
    settings_put_text(&f->q.settings, &project);
    job = a_job(&gr);
    cull_set(job, JB_project, "film");
    assert_true(fixture_ask(f, "alice", submit_request, &gr));
    job = a_job(&gr);
    cull_set(job, JB_project, "nosuch");
    assert_refused(f, &gr, "job rejected: the requested project \"nosuch\" does not exist");
}

static void deadlines_are_for_users_of_the_set(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    struct JB_Type *job = a_job(&gr);
    cull_set(job, JB_deadline, UINT64_C(2000000000));
    assert_refused(f, &gr, "job rejected: the user \"alice\" is not a deadline initiation user");
    struct TX_Type set = { 0 };
    cull_set(&set, TX_kind, (uint32_t)GDI_USERSET);
    cull_set(&set, TX_name, "deadlineusers");
    struct VA_Type *entries = cull_append(&set, TX_entries);
    cull_set(entries, VA_variable, "entries");
    cull_set(entries, VA_value, "alicex,bob alice");
    settings_put_text(&f->q.settings, &set);
    static const char *const users[] = { "alice", "bob", "boss", "carol" };
    for (size_t i = 0; i < ARRAY_LEN(users); i++) {
        job = a_job(&gr);
        cull_set(job, JB_deadline, UINT64_C(2000000000));
        assert_int_equal(fixture_ask(f, users[i], submit_request, &gr),
                         strcmp(users[i], "carol") != 0);
    }
}

static void assert_deadline_past(struct fixture *f, uint64_t deadline_s)
{
    struct dstr text = DSTR_INIT;
    dstr_add(&text, "job rejected: the deadline (-dl) ");
    uti_time_us_date(deadline_s, &text);
    dstr_add(&text, " is not after now, ");
    uti_time_us_date(f->q.now_s, &text);
    assert_string_equal(said(f), dstr_get(&text));
    dstr_free(&text);
}

static void a_deadline_is_not_in_the_past(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    uint32_t number = submit(f, .name = "J");
    f->q.now_s = 1700000000;
    struct JB_Type *job = a_job(&gr);
    cull_set(job, JB_deadline, f->q.now_s);
    assert_false(fixture_ask(f, "boss", submit_request, &gr));
    assert_deadline_past(f, f->q.now_s);
    for (uint64_t deadline_s = f->q.now_s - 1; deadline_s <= f->q.now_s + 1; deadline_s += 2) {
        fixture_name(&gr, "1");
        job = cull_append(&gr, GR_jobs);
        cull_set(job, JB_deadline, deadline_s);
        assert_int_equal(fixture_ask(f, "boss", alter_request, &gr), deadline_s > f->q.now_s);
        if (deadline_s < f->q.now_s)
            assert_deadline_past(f, deadline_s);
    }
    assert_int_equal(fixture_job(f, number)->rec.JB_deadline, f->q.now_s + 1);
}

static void override_tickets_are_the_operators(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    struct JB_Type *job = a_job(&gr);
    cull_set(job, JB_override_tickets, 1u);
    assert_refused(f, &gr, "denied: \"alice\" must be operator to set override tickets");
    uint32_t number = submit(f, .name = "J");
    assert_int_equal(number, 1);
    fixture_name(&gr, "1");
    job = cull_append(&gr, GR_jobs);
    cull_set(job, JB_override_tickets, 1u);
    assert_false(fixture_ask(f, "alice", alter_request, &gr));
    fixture_name(&gr, "1");
    job = cull_append(&gr, GR_jobs);
    cull_set(job, JB_override_tickets, 1u);
    assert_true(fixture_ask(f, "boss", alter_request, &gr));
    assert_int_equal(fixture_job(f, 1)->rec.JB_override_tickets, 1);
}

static void what_only_the_qmaster_can_say_is_dropped_from_a_submit(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    struct JB_Type *job = a_job(&gr);
    cull_set(job, JB_department, "root's");
    cull_set(job, JB_owner, "root");
    cull_set(job, JB_files_bytes, UINT64_MAX);
    assert_true(fixture_ask(f, "alice", submit_request, &gr));
    const struct JB_Type *rec = &fixture_job(f, 1)->rec;
    assert_null(rec->JB_department);
    assert_string_equal(rec->JB_owner, "alice");
    assert_true(rec->JB_files_bytes < 4096);
}

static void each_text_and_number_of_a_job_has_its_limit(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    char *path = uti_calloc(1, 4098);
    memset(path, 'x', 4097);
    cull_set(a_job(&gr), JB_cwd, path);
    assert_refused(f, &gr, "job rejected: its working directory has 4097 bytes; the limit is 4096");
    cull_set(a_job(&gr), JB_mail_options, 16u);
    assert_refused(f, &gr, "job rejected: its mail options is 16; the limit is 15");
    submit(f, .name = "J");
    fixture_name(&gr, "1");
    cull_set((struct JB_Type *)cull_append(&gr, GR_jobs), JB_cwd, path);
    assert_false(fixture_ask(f, "alice", alter_request, &gr));
    free(path);
}

static void each_list_of_a_job_has_its_limit(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    struct JB_Type *job = a_job(&gr);
    for (int i = 0; i < 2; i++)
        cull_append(job, JB_binding);
    assert_refused(f, &gr, "job rejected: it has 2 bindings; the limit is 1");
    job = a_job(&gr);
    for (int i = 0; i < 16385; i++) {
        struct ST_Type *arg = cull_append(job, JB_job_args);
        cull_set(arg, ST_name, "x");
    }
    assert_refused(f, &gr, "job rejected: it has 16385 arguments; the limit is 16384");
    job = a_job(&gr);
    for (int i = 0; i < 16385; i++)
        cull_set(cull_append(job, JB_env_list), VA_variable, "V");
    assert_refused(f, &gr, "job rejected: it has 16385 environment variables; the limit is 16384");
    job = a_job(&gr);
    for (int i = 0; i < 16384; i++) {
        struct ST_Type *arg = cull_append(job, JB_job_args);
        cull_set(arg, ST_name, "x");
    }
    assert_true(fixture_ask(f, "alice", submit_request, &gr));
}

/* a global configuration with these qmaster_params */
static void set_params(struct fixture *f, const char *params)
{
    struct CONF_Type rec = { 0 };
    cull_copy(&cull_CONF_Type, &rec, &settings_conf(&f->q.settings, CONF_GLOBAL)->rec);
    assert_int_equal(conf_set(&rec, "qmaster_params", params, NULL), 0);
    settings_put_conf(&f->q.settings, &rec);
}

static void what_a_user_may_have_of_the_network_is_set(void **state)
{
    struct fixture *f = *state;
    const struct settings *s = &f->q.settings;
    assert_int_equal(s->user_connections, 0); /* the usual */
    assert_int_equal(s->user_bytes, 0);
    set_params(f, "MAX_USER_CONNECTIONS=3,MAX_USER_BYTES=16M");
    assert_int_equal(s->user_connections, 3);
    assert_int_equal(s->user_bytes, 16 << 20);
    set_params(f, "MAX_USER_CONNECTIONS=none");
    assert_int_equal(s->user_connections, 0);
}

/* alice's binary job with an argument of BYTES */
static bool submit_large(struct fixture *f, const char *user, size_t bytes)
{
    struct GR_Type gr = { 0 };
    struct JB_Type *job = a_job(&gr);
    struct ST_Type *arg = cull_append(job, JB_job_args);
    char *text = uti_calloc(1, bytes + 1);
    memset(text, 'x', bytes);
    cull_set(arg, ST_name, text);
    free(text);
    return fixture_ask(f, user, submit_request, &gr);
}

static void a_user_has_a_share_of_memory_and_all_have_one(void **state)
{
    struct fixture *f = *state;
    set_params(f, "MAX_USER_MEMORY=2M,MAX_JOBS_MEMORY=5M");
    assert_true(submit_large(f, "alice", 1 << 20));
    assert_false(submit_large(f, "alice", 1 << 20));
    assert_string_equal(said(f), "denied: the jobs of user alice would take 3 MiB of memory; the "
                                 "limit is 2 MiB (qmaster_params MAX_USER_MEMORY)");
    assert_int_not_equal(submit(f, .name = "small"), 0);
    assert_true(submit_large(f, "boss", 3 << 20)); /* managers are not stopped, but counted */
    assert_false(submit_large(f, "bob", 1 << 20));
    assert_string_equal(said(f), "denied: the jobs of all users would take 6 MiB of memory; the "
                                 "limit is 5 MiB (qmaster_params MAX_JOBS_MEMORY)");
    fixture_commit(f);
    fixture_restart(f);
    set_params(f, "MAX_USER_MEMORY=2M");
    assert_false(submit_large(f, "alice", 1 << 20)); /* counted from the spool */
    fixture_delete(f, "alice", "1");
    assert_true(submit_large(f, "alice", 1 << 20)); /* what is deleted is given back */
}

static void links_between_jobs_count_for_the_share_of_memory(void **state)
{
    struct fixture *f = *state;
    uint32_t n = 0;
    set_params(f, "MAX_USER_MEMORY=2M");
    while (n < 1000 && submit(f, .name = "J", .jid = "*") != 0)
        n++;
    assert_in_range(n, 100, 300); /* 45000 links of 48 bytes are more than 2 MiB */
    assert_non_null(strstr(said(f), "the limit is 2 MiB (qmaster_params MAX_USER_MEMORY)"));
    fixture_delete(f, "alice", "J");
    fixture_commit(f);
    assert_int_not_equal(submit(f, .name = "J", .jid = "*"), 0);
}

/* 50 patterns, each of which means the queue that there is */
static void ask_for_queues(struct JB_Type *job)
{
    enum { PATTERNS = 50 };
    struct dstr name = DSTR_INIT;
    dstr_add(&name, "all.q@node1");
    for (int i = 0; i < PATTERNS; i++) {
        dstr_add(&name, "*");
        cull_set(cull_append(job, JB_hard_queue_list), QR_name, dstr_get(&name));
    }
    dstr_free(&name);
}

/* how many jobs of alice's are taken until there is one too many */
static uint32_t count_taken(struct fixture *f, bool has_requests)
{
    uint32_t n = 0;
    for (bool is_taken = true; is_taken; n += is_taken) {
        struct GR_Type gr = { 0 };
        struct JB_Type *job = a_job(&gr);
        if (has_requests)
            ask_for_queues(job);
        is_taken = fixture_ask(f, "alice", submit_request, &gr);
    }
    assert_string_equal(said(f), "denied: the jobs of user alice would take 3 MiB of memory; the "
                                 "limit is 2 MiB (qmaster_params MAX_USER_MEMORY)");
    return n;
}

static void what_requests_take_in_the_scheduler_counts_for_the_share_of_memory(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    set_params(f, "MAX_USER_MEMORY=2M");
    uint32_t plain = count_taken(f, false);
    fixture_name(&gr, "1");
    ask_for_queues(cull_append(&gr, GR_jobs));
    assert_false(fixture_ask(f, "alice", alter_request, &gr));
    assert_non_null(strstr(said(f), "the limit is 2 MiB (qmaster_params MAX_USER_MEMORY)"));
    const struct job *job = fixture_job(f, 1);
    size_t in_scheduler = sched_job_bytes(&job->rec, 1);
    assert_true(job->share.memory >= sizeof *job + in_scheduler);
    fixture_delete(f, "alice", "*");
    fixture_commit(f);
    uint32_t costly = count_taken(f, true);
    assert_in_range(plain, 1000, 3000);
    assert_in_range(costly, 50, 250);
    job = jobs_at_or_after(&f->q.jobs, 0);
    in_scheduler = sched_job_bytes(&job->rec, 1);
    assert_true(in_scheduler > cull_field_heap_bytes(&cull_JB_Type, &job->rec, JB_hard_queue_list));
    assert_true(job->share.memory >= sizeof *job + in_scheduler);
    uint64_t all = f->q.jobs.share.memory;
    fixture_commit(f);
    fixture_restart(f); /* the same is counted from the spool */
    assert_in_range(f->q.jobs.share.memory, all - all / 10, all);
}

static void scripts_count_for_the_share_of_the_spool(void **state)
{
    struct fixture *f = *state;
    char *text = uti_calloc(1, (1 << 20) + 1);
    memset(text, 'x', 1 << 20);
    set_params(f, "MAX_USER_SPOOL=2M,MAX_USER_MEMORY=64K");
    assert_int_equal(submit(f, .script = text), 1);
    for (int round = 0; round < 2; round++) { /* as submitted, and as read at a restart */
        assert_int_equal(submit(f, .script = text), 0);
        assert_string_equal(said(f),
                            "denied: the jobs of user alice would take 3 MiB of the spool; the "
                            "limit is 2 MiB (qmaster_params MAX_USER_SPOOL)");
        fixture_commit(f);
        fixture_restart(f);
        set_params(f, "MAX_USER_SPOOL=2M,MAX_USER_MEMORY=64K");
    }
    fixture_delete(f, "alice", "1");
    assert_int_not_equal(submit(f, .script = text), 0);
    free(text);
}

static void at_the_limit_what_does_not_grow_may_change(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    assert_true(submit_large(f, "alice", 1 << 20));
    set_params(f, "MAX_USER_MEMORY=1M");
    fixture_name(&gr, "1");
    struct JB_Type *job = cull_append(&gr, GR_jobs);
    cull_set(job, JB_priority, (uint32_t)JOB_PRIORITY_BASE - 1);
    assert_true(fixture_ask(f, "alice", alter_request, &gr));
    fixture_name(&gr, "1");
    job = cull_append(&gr, GR_jobs);
    struct VA_Type *va = cull_append(job, JB_context);
    cull_set(va, VA_variable, "a");
    assert_false(fixture_ask(f, "alice", alter_request, &gr));
    fixture_name(&gr, "1");
    job = cull_append(&gr, GR_jobs);
    struct ST_Type *arg = cull_append(job, JB_job_args);
    cull_set(arg, ST_name, "short");
    assert_true(fixture_ask(f, "alice", alter_request, &gr));
    fixture_commit(f);
    assert_int_not_equal(submit(f, .name = "J"), 0); /* there is room again */
}

static void priority_has_bounds_and_rights(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    struct JB_Type *job = a_job(&gr);
    cull_set(job, JB_priority, (uint32_t)JOB_PRIORITY_BASE + 1);
    assert_refused(f, &gr,
                   "job rejected: positive submission priority requires operator privileges");
    job = a_job(&gr);
    cull_set(job, JB_priority, UINT32_MAX);
    assert_false(fixture_ask(f, "boss", submit_request, &gr));
    job = a_job(&gr);
    cull_set(job, JB_priority, (uint32_t)JOB_PRIORITY_BASE + 1);
    assert_true(fixture_ask(f, "boss", submit_request, &gr));
}

/* who you are is proved, never claimed; and the job net is the qmaster's */
static void nobody_says_what_is_the_qmasters_to_say(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    submit(f, .name = "A", .tasks = "1-3");
    struct JB_Type *job = an_array(&gr, 1, 3, 1);
    cull_set(job, JB_owner, "root");
    cull_set(job, JB_uid, 0u);
    cull_set(job, JB_gid, 0u);
    cull_set(job, JB_group, "root");
    cull_set(job, JB_job_number, 1u);
    cull_set(job, JB_submission_time, UINT64_C(1));
    range_set_add(cull_ranges(job, JB_ja_a_h_ids), 0, 2);
    range_set_add(cull_ranges(job, JB_ja_pending_ids), 0, 4000000000u);
    struct JRE_Type *link = cull_append(job, JB_ja_ad_sucessor_list);
    cull_set(link, JRE_job_number, 1u);
    link = cull_append(job, JB_jid_predecessor_list);
    cull_set(link, JRE_job_number, 1u);
    assert_true(fixture_ask(f, "alice", submit_request, &gr));
    assert_int_equal(f->number, 2);
    const struct JB_Type *rec = &fixture_job(f, 2)->rec;
    assert_string_equal(rec->JB_owner, "alice");
    assert_string_equal(rec->JB_group, "alice");
    assert_int_equal(rec->JB_uid, fixture_connection(f, "alice")->who.uid);
    assert_int_equal(rec->JB_gid, fixture_connection(f, "alice")->who.gid);
    assert_int_equal(rec->JB_submission_time, f->q.now_s);
    assert_string_equal(fixture_ready(f, 2), "1-3:1");
    assert_int_equal(rec->JB_ja_ad_sucessor_list.n, 0);
}

static void holds_of_a_submit_stay_within_the_array(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    struct JB_Type *job = an_array(&gr, 1, 5, 2);
    range_set_add(cull_ranges(job, JB_ja_u_h_ids), 1, UINT32_MAX - 1);
    assert_true(fixture_ask(f, "alice", submit_request, &gr));
    assert_string_equal(fixture_ready(f, f->number), "1");
    assert_int_equal(range_set_count(&fixture_job(f, f->number)->rec.JB_ja_u_h_ids), 2);
    job = an_array(&gr, 1, 5, 2);
    range_set_add(cull_ranges(job, JB_ja_o_h_ids), 0, 0);
    assert_refused(f, &gr, "denied: \"alice\" must be operator to set operator hold");
}

static void numbers_go_round_and_pass_over_jobs_that_are_there(void **state)
{
    struct fixture *f = *state;
    submit(f);
    f->q.jobs.next_number = 9999999;
    assert_int_equal(submit(f), 9999999);
    assert_int_equal(submit(f), 2);
}

static void a_job_has_a_size_that_messages_can_hold(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    char *text = uti_alloc(JOB_BYTES_MOST + 1);
    memset(text, 'x', JOB_BYTES_MOST);
    text[JOB_BYTES_MOST] = '\0';
    struct JB_Type *rec = a_job(&gr);
    cull_set(rec, JB_script_ptr, text);
    char *before = fixture_picture(f);
    assert_false(fixture_ask(f, "alice", submit_request, &gr));
    assert_non_null(strstr(said(f), "the limit is 33554432"));
    fixture_assert_picture(f, before);
    text[JOB_BYTES_MOST - 1000] = '\0';
    uint32_t job = submit(f, .script = text);
    assert_int_not_equal(job, 0);
    char number[16]; /* and no alter makes it larger */
    snprintf(number, sizeof number, "%u", job);
    fixture_name(&gr, number);
    text[2000] = '\0';
    rec = cull_append(&gr, GR_jobs);
    struct ST_Type *arg = cull_append(rec, JB_job_args);
    cull_set(arg, ST_name, text);
    assert_false(fixture_ask(f, "alice", alter_request, &gr));
    assert_non_null(strstr(said(f), "the limit is 33554432"));
    assert_int_equal(fixture_job(f, job)->rec.JB_job_args.n, 0);
    free(text);
}

static void without_its_script_a_job_is_no_larger_than_a_batch_can_hold(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    char *text = uti_alloc(JOB_RECORD_MOST + 1);
    memset(text, 'x', JOB_RECORD_MOST);
    text[JOB_RECORD_MOST] = '\0';
    struct JB_Type *rec = a_job(&gr);
    struct VA_Type *var = cull_append(rec, JB_env_list);
    cull_set(var, VA_variable, "A");
    cull_set(var, VA_value, text);
    char *before = fixture_picture(f);
    assert_false(fixture_ask(f, "alice", submit_request, &gr));
    assert_non_null(strstr(said(f), "without its script it has 41943"));
    assert_non_null(strstr(said(f), "the limit is 4194304"));
    fixture_assert_picture(f, before);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(a_submit_is_one_job),
        TEST(each_resource_and_queue_is_requested_once_whatever_a_client_sends),
        TEST(a_job_needs_a_name_and_a_script),
        TEST(files_are_staged_only_where_the_configuration_says_so),
        TEST(an_interactive_job_has_one_task_one_kind_and_a_digest),
        TEST(ranges_are_ranges),
        TEST(limits_say_which),
        TEST(what_is_asked_for_must_exist),
        TEST(a_job_is_charged_to_a_project_that_exists),
        TEST(deadlines_are_for_users_of_the_set),
        TEST(a_deadline_is_not_in_the_past),
        TEST(override_tickets_are_the_operators),
        TEST(what_only_the_qmaster_can_say_is_dropped_from_a_submit),
        TEST(each_text_and_number_of_a_job_has_its_limit),
        TEST(each_list_of_a_job_has_its_limit),
        TEST(a_user_has_a_share_of_memory_and_all_have_one),
        TEST(links_between_jobs_count_for_the_share_of_memory),
        TEST(what_requests_take_in_the_scheduler_counts_for_the_share_of_memory),
        TEST(scripts_count_for_the_share_of_the_spool),
        TEST(at_the_limit_what_does_not_grow_may_change),
        TEST(priority_has_bounds_and_rights),
        TEST(nobody_says_what_is_the_qmasters_to_say),
        TEST(holds_of_a_submit_stay_within_the_array),
        TEST(numbers_go_round_and_pass_over_jobs_that_are_there),
        TEST(what_a_user_may_have_of_the_network_is_set),
        TEST(a_job_has_a_size_that_messages_can_hold),
        TEST(without_its_script_a_job_is_no_larger_than_a_batch_can_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
