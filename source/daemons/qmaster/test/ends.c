/* Sessions that keep how tasks end: what is kept, who is told of it, what survives, and what goes.
 * message.h; qsub(1) -sync. */
#include "daemons/qmaster/ends/ends.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/sessions.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/core.h"
#include "daemons/qmaster/ends/kept.h"
#include "daemons/qmaster/requests/requests.h"
#include "daemons/qmaster/test/fixture.h"
#include "libs/sgeobj/end.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_state.h"
#include "libs/task/task_dir.h"

/* ---- what clients say ---- */
static struct packer pack_request(struct GR_Type *gr)
{
    struct packer p = { 0 };
    cull_pack(&p, &cull_GR_Type, gr, NULL);
    cull_clear(&cull_GR_Type, gr);
    return p;
}

/* a request as it comes from the network */
static void request_as(struct fixture *f, const char *user, uint32_t serial, struct GR_Type *gr)
{
    struct packer p = pack_request(gr);
    struct frame frame = {
        .kind = GDI_FRAME_REQUEST, .serial = serial, .body = p.data, .len = p.len
    };
    requests_handle(&f->q, fixture_session(f, user), &frame);
    packer_free(&p);
}

static struct GR_Type for_session(uint32_t verb, const char *key)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, verb);
    cull_set(&gr, GR_target, (uint32_t)GDI_SESSION);
    if (key != NULL)
        cull_set(&gr, GR_session, key);
    return gr;
}

static void ask_session(struct fixture *f, const char *user, uint32_t serial, uint32_t verb,
                        const char *key)
{
    struct GR_Type gr = for_session(verb, key);
    request_as(f, user, serial, &gr);
}

static void ask_watch(struct fixture *f, const char *user, uint32_t serial, const char *key,
                      uint32_t job)
{
    struct GR_Type gr = for_session(GDI_WATCH, key);
    if (job != 0)
        cull_set(&gr, GR_job_number, job);
    request_as(f, user, serial, &gr);
}

static struct GR_Type for_take(const char *key, uint32_t job, uint32_t first, uint32_t last)
{
    struct GR_Type gr = for_session(GDI_ACT, key);
    cull_set(&gr, GR_action, (uint32_t)GDI_ACT_TAKE);
    struct EN_Type *end = cull_append(&gr, GR_ends);
    cull_set(end, EN_job_number, job);
    range_set_add(cull_ranges(end, EN_ordinals), first, last);
    return gr;
}

static void ask_take(struct fixture *f, const char *user, uint32_t serial, const char *key,
                     uint32_t job, uint32_t first, uint32_t last)
{
    struct GR_Type gr = for_take(key, job, first, last);
    request_as(f, user, serial, &gr);
}

/* a job with tasks 1-LAST in the session KEY; OPTIONS: GDI_WATCH_TOO is qsub -sync y */
static void ask_submit(struct fixture *f, const char *user, uint32_t serial, uint32_t last,
                       const char *key, uint32_t options, const char *id)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_ADD);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    cull_set(&gr, GR_options, options);
    if (key != NULL)
        cull_set(&gr, GR_session, key);
    if (id != NULL)
        cull_set(&gr, GR_request_id, id);
    struct JB_Type *job = cull_append(&gr, GR_jobs);
    cull_set(job, JB_job_name, "J");
    cull_set(job, JB_type, (uint32_t)(JOB_TYPE_BINARY | JOB_TYPE_ARRAY));
    cull_set(job, JB_ja_first, 1u);
    cull_set(job, JB_ja_last, last);
    cull_set(job, JB_ja_step, 1u);
    request_as(f, user, serial, &gr);
}

/* ---- what they hear ---- */
static void add_end(struct dstr *out, const struct EN_Type *end)
{
    static const char *const words[] = { "?", "end", "killed", "unrun" };
    struct range run;
    dstr_addf(out, "%s%u.", words[end->EN_how <= END_UNRUN ? end->EN_how : 0], end->EN_job_number);
    for (uint64_t at = 0; at <= UINT32_MAX && range_set_next_run(&end->EN_ordinals, at, &run);
         at = (uint64_t)run.last + 1) {
        dstr_addf(out, "%s%u", at > 0 ? "," : "", end_task_id(end, run.first));
        if (run.last > run.first)
            dstr_addf(out, "-%u", end_task_id(end, run.last));
    }
    if (end->EN_how != END_UNRUN)
        dstr_addf(out, "/%u", end->EN_failed);
}

static void add_part(struct fixture *f, const struct sent *s)
{
    struct GA_Type ga = { 0 };
    struct unpacker u = unpacker_over(s->body, s->len);
    assert_int_equal(cull_unpack(&u, &cull_GA_Type, NULL, NULL, &ga, NULL), 0);
    dstr_addf(&f->said, "%s%u:", f->said.len > 0 ? " " : "", s->serial);
    if (cull_has(&ga, GA_job_number))
        dstr_addf(&f->said, "job%u", ga.GA_job_number);
    if (cull_has(&ga, GA_n_ends))
        dstr_addf(&f->said, "%s(%" PRIu64 ")", ga.GA_session, ga.GA_n_ends);
    for (uint32_t i = 0; i < ga.GA_reports.n; i++)
        dstr_addf(&f->said, "error%u", ga.GA_reports.v[i].JR_task_number);
    for (uint32_t i = 0; i < ga.GA_ends.n; i++)
        add_end(&f->said, &ga.GA_ends.v[i]);
    for (uint32_t i = 0; i < ga.GA_answers.n; i++)
        dstr_add(&f->said, ga.GA_answers.v[i].AN_text);
    dstr_add(&f->said, ga.GA_is_synced ? "|" : "");
    dstr_add(&f->said, ga.GA_is_last ? "." : "");
    cull_clear(&cull_GA_Type, &ga);
}

/* the parts of answers that have left for USER since the last look: "SERIAL:what", with a bar where
 * all that was kept has been told, and a full stop behind the last part */
static const char *text_told(struct fixture *f, const char *user)
{
    uint64_t conn = fixture_session(f, user)->conn;
    dstr_clear(&f->said);
    for (uint32_t i = 0; i < f->n_sent; i++)
        if (f->sent[i].conn == conn && f->sent[i].kind == GDI_FRAME_ANSWER)
            add_part(f, &f->sent[i]);
    fixture_forget_sent(f);
    return dstr_get(&f->said);
}

static const char *told_after_sync(struct fixture *f, const char *user)
{
    fixture_commit(f);
    return text_told(f, user);
}

/* what a look at KEY from a new connection finds */
static const char *kept_of(struct fixture *f, const char *user, const char *key)
{
    fixture_commit(f);
    fixture_forget_sent(f);
    fixture_hang_up(f, user);
    ask_watch(f, user, 99, key, 0);
    return told_after_sync(f, user);
}

/* a session "s" of alice with job 1 of LAST tasks */
static void begin_session(struct fixture *f, uint32_t last)
{
    ask_session(f, "alice", 1, GDI_ADD, "s");
    ask_submit(f, "alice", 2, last, "s", 0, NULL);
    assert_string_equal(told_after_sync(f, "alice"), "1:s(0). 2:job1.");
}

/* ---- sessions ---- */
static void a_session_is_made_once_and_joined_after_that(void **state)
{
    struct fixture *f = *state;
    ask_session(f, "alice", 1, GDI_ADD, "run-7");
    ask_session(f, "alice", 2, GDI_ADD, "run-7");
    ask_session(f, "alice", 3, GDI_GET, "run-7");
    assert_string_equal(told_after_sync(f, "alice"), "1:run-7(0). 2:run-7(0). 3:run-7(0).");
}

static void a_key_of_the_qmasters_is_long_and_random(void **state)
{
    struct fixture *f = *state;
    char first[64];
    ask_session(f, "alice", 1, GDI_ADD, NULL);
    const char *told = told_after_sync(f, "alice");
    assert_int_equal(strlen(told), strlen("1:(0).") + 32);
    snprintf(first, sizeof first, "%s", told);
    ask_session(f, "alice", 1, GDI_ADD, NULL);
    assert_string_not_equal(told_after_sync(f, "alice"), first);
}

static void what_is_no_key_is_refused(void **state)
{
    static const char *const bad[] = { "",
                                       "a b",
                                       "a/b",
                                       "a\nb",
                                       "\xc3\xa4",
                                       "0123456789012345678901234567890123456789012345678901234567"
                                       "8901234" };
    struct fixture *f = *state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        ask_session(f, "alice", 1, GDI_ADD, bad[i]);
        assert_string_equal(told_after_sync(f, "alice"),
                            "1:denied: the name of a session has 1 to 64 letters, digits, \".\", "
                            "\"_\" and \"-\".");
    }
    ask_session(f, "alice", 1, GDI_ADD, bad[ARRAY_LEN(bad) - 1] + 1);
    assert_non_null(strstr(told_after_sync(f, "alice"), "1234(0)."));
}

static void a_session_of_somebody_else_is_unknown(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 1);
    ask_session(f, "bob", 1, GDI_GET, "s");
    ask_watch(f, "bob", 2, "s", 0);
    ask_take(f, "bob", 3, "s", 1, 0, 0);
    ask_session(f, "bob", 4, GDI_DEL, "s");
    ask_submit(f, "bob", 5, 1, "s", 0, NULL);
#define UNKNOWN "denied: session \"s\" does not exist. "
    assert_string_equal(told_after_sync(f, "bob"),
                        "1:" UNKNOWN "2:" UNKNOWN "3:" UNKNOWN "4:" UNKNOWN
                        "5:denied: session \"s\" does not exist.");
    ask_session(f, "bob", 6, GDI_ADD, "s"); /* his own of that name */
    assert_string_equal(told_after_sync(f, "bob"), "6:s(0).");
    fixture_run(f, 1, 1, 0);
    assert_string_equal(kept_of(f, "bob", "s"), "99:|");
    assert_string_equal(kept_of(f, "alice", "s"), "99:end1.1/0 99:|");
}

static void a_manager_may_end_a_session_that_he_names_with_its_owner(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 1);
    for (int i = 0; i < 2; i++) {
        struct GR_Type gr = for_session(GDI_DEL, "s");
        cull_set((struct ST_Type *)cull_append(&gr, GR_users), ST_name, "alice");
        request_as(f, i == 0 ? "bob" : "boss", 1, &gr);
    }
    assert_string_equal(told_after_sync(f, "alice"), "");
    ask_session(f, "alice", 1, GDI_GET, "s");
    assert_string_equal(told_after_sync(f, "alice"), "1:denied: session \"s\" does not exist.");
}

/* ---- ends ---- */
static void an_end_is_kept_until_it_is_taken(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 3);
    fixture_run(f, 1, 2, 0);
    fixture_run(f, 1, 1, TASK_FAILED_AFTER_JOB);
    assert_string_equal(kept_of(f, "alice", "s"), "99:end1.1/100end1.2/0 99:|");
    ask_take(f, "alice", 5, "s", 1, 1, 1);
    assert_string_equal(told_after_sync(f, "alice"), "5:.");
    assert_string_equal(kept_of(f, "alice", "s"), "99:end1.1/100 99:|");
    ask_take(f, "alice", 6, "s", 1, 0, UINT32_MAX - 1); /* and what is not there */
    ask_take(f, "alice", 7, "s", 4711, 0, 0);
    assert_string_equal(told_after_sync(f, "alice"), "6:. 7:.");
    assert_string_equal(kept_of(f, "alice", "s"), "99:|");
}

static void who_watches_is_told_each_end_once_after_the_disk(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 3);
    fixture_run(f, 1, 1, 0);
    fixture_commit(f);
    ask_watch(f, "alice", 3, "s", 0);
    assert_string_equal(told_after_sync(f, "alice"), "3:end1.1/0 3:|");
    fixture_run(f, 1, 3, 0);
    core_commit(&f->q);
    assert_string_equal(text_told(f, "alice"), "");
    assert_string_equal(told_after_sync(f, "alice"), "3:end1.3/0");
    fixture_run(f, 1, 2, 0); /* the job goes, the session stays */
    assert_string_equal(told_after_sync(f, "alice"), "3:end1.2/0");
}

/* what happens while the kept ones are read is neither missed nor told twice */
static void ends_beside_the_reading_are_told_once(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 600);
    for (uint32_t task = 1; task <= 600; task += 2)
        fixture_run(f, 1, task, 0);
    fixture_commit(f);
    ask_watch(f, "alice", 3, "s", 0);
    for (uint32_t task = 2; task <= 600; task += 2) {
        fixture_run(f, 1, task, 0);
        if (task % 100 == 0)
            fixture_turn(f);
    }
    fixture_commit(f);
    uint32_t told = 0;
    bool seen[601] = { false };
    for (const char *at = text_told(f, "alice"); (at = strstr(at, "end1.")) != NULL; told++) {
        unsigned task = 0;
        assert_int_equal(sscanf(at += 5, "%u", &task), 1);
        assert_false(seen[task]);
        seen[task] = true;
    }
    assert_int_equal(told, 600);
}

static void everybody_who_watches_is_told(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 1);
    ask_watch(f, "alice", 3, "s", 0);
    ask_watch(f, "alice", 4, "s", 0);
    assert_string_equal(told_after_sync(f, "alice"), "3:| 4:|");
    fixture_run(f, 1, 1, 0);
    assert_string_equal(told_after_sync(f, "alice"), "3:end1.1/0 4:end1.1/0");
}

static void more_watchers_than_may_be_are_refused(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 1);
    for (uint32_t i = 0; i < 64; i++)
        ask_watch(f, "alice", 1, "s", 0);
    told_after_sync(f, "alice");
    ask_watch(f, "alice", 9, "s", 0);
    assert_string_equal(told_after_sync(f, "alice"),
                        "9:denied: session \"s\" is watched by 64 already.");
}

static void deleted_tasks_are_kept_as_ranges(void **state)
{
    struct fixture *f = *state;
    f->q.settings.max_aj_tasks = 0;
    begin_session(f, 1000000);
    fixture_start(f, 1, 3);
    fixture_start(f, 1, 500000);
    fixture_run(f, 1, 7, 0);
    fixture_delete(f, "alice", "1"); /* those that run get a signal */
    assert_string_equal(kept_of(f, "alice", "s"),
                        "99:unrun1.1-2,4-6,8-499999,500001-1000000 99:end1.7/0 99:|");
    fixture_report(f, 1, 3, REPORT_ENDED, TASK_FAILED_AFTER_JOB);
    assert_string_equal(told_after_sync(f, "alice"), "99:killed1.3/100");
    fixture_restart(f);
    ask_take(f, "alice", 5, "s", 1, 0, 999990);
    told_after_sync(f, "alice");
    assert_string_equal(kept_of(f, "alice", "s"), "99:unrun1.999992-1000000 99:|");
}

static void a_task_that_is_put_back_or_parked_has_not_ended(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 2);
    ask_watch(f, "alice", 3, "s", 0);
    told_after_sync(f, "alice");
    fixture_run(f, 1, 1, TASK_FAILED_RESCHEDULE);
    fixture_run(f, 1, 2, TASK_FAILED_APPERROR);
    assert_string_equal(told_after_sync(f, "alice"), "");
    fixture_delete(f, "alice", "1.2"); /* in error: it has not run to its end */
    assert_string_equal(told_after_sync(f, "alice"), "3:unrun1.2");
    fixture_run(f, 1, 1, 0);
    assert_string_equal(told_after_sync(f, "alice"), "3:end1.1/0");
}

static void ends_of_jobs_without_that_session_are_not_kept(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 1);
    uint32_t other = submit(f);
    ask_submit(f, "alice", 3, 1, "t", 0, NULL);
    assert_string_equal(told_after_sync(f, "alice"), "3:denied: session \"t\" does not exist.");
    fixture_run(f, other, 1, 0);
    assert_string_equal(kept_of(f, "alice", "s"), "99:|");
}

/* ---- restarts ---- */
static void what_is_kept_survives_the_qmaster(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 4);
    fixture_run(f, 1, 2, 3);
    fixture_delete(f, "alice", "1.3");
    fixture_commit(f);
    fixture_restart(f);
    assert_string_equal(kept_of(f, "alice", "s"), "99:unrun1.3 99:end1.2/3 99:|");
    fixture_run(f, 1, 1, 0); /* the job knows its session */
    fixture_run(f, 1, 4, 0);
    fixture_commit(f);
    fixture_restart(f);
    assert_string_equal(kept_of(f, "alice", "s"), "99:unrun1.3 99:end1.1/0end1.2/3end1.4/0 99:|");
    ask_take(f, "alice", 5, "s", 1, 0, 3);
    assert_string_equal(told_after_sync(f, "alice"), "5:.");
    fixture_restart(f);
    assert_string_equal(kept_of(f, "alice", "s"), "99:|");
}

static void an_end_that_is_not_durable_is_neither_kept_nor_told(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 1);
    ask_watch(f, "alice", 3, "s", 0);
    told_after_sync(f, "alice");
    fixture_run(f, 1, 1, 0);
    core_commit(&f->q);
    assert_string_equal(text_told(f, "alice"), "");
    fixture_restart(f);
    assert_string_equal(kept_of(f, "alice", "s"), "99:|");
    assert_int_equal(fixture_job(f, 1)->rec.JB_job_number, 1);
}

static void a_session_that_was_ended_goes_with_all_it_kept(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 2000);
    for (uint32_t task = 1; task < 2000; task++)
        fixture_run(f, 1, task, 0);
    fixture_commit(f);
    ask_watch(f, "alice", 3, "s", 0);
    told_after_sync(f, "alice");
    ask_session(f, "alice", 4, GDI_DEL, "s");
    assert_string_equal(told_after_sync(f, "alice"),
                        "3:session \"s\" has gone, with all that it kept. 4:.");
    fixture_run(f, 1, 2000, 0); /* its job ran on, and nobody keeps that */
    ask_session(f, "alice", 5, GDI_ADD, "s");
    told_after_sync(f, "alice");
    assert_string_equal(kept_of(f, "alice", "s"), "99:|");
    fixture_restart(f);
    assert_string_equal(kept_of(f, "alice", "s"), "99:|");
    assert_false(kept_has_job(&f->q, 1));
}

/* the qmaster ended before all records of a session had gone: they go after the restart */
static void what_is_left_of_a_session_goes_at_the_next_start(void **state)
{
    struct fixture *f = *state;
    struct packer key = { 0 };
    begin_session(f, 3);
    fixture_run(f, 1, 1, 0);
    fixture_delete(f, "alice", "1.2");
    fixture_commit(f);
    uint64_t number = job_session_find(&f->q, "alice", "s")->rec.SN_number;
    pack_u32be(&key, (uint32_t)(number >> 32));
    pack_u32be(&key, (uint32_t)number);
    fixture_spool(f, SPOOL_SESSION, key.data, key.len, NULL);
    packer_free(&key);
    fixture_restart(f);
    assert_null(f->q.job_sessions->by_name);
    assert_false(kept_has_job(&f->q, 1));
    fixture_restart(f);
    assert_null(f->q.job_sessions->by_name);
}

/* ---- time and limits ---- */
static void a_session_that_nobody_asks_about_expires(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 2);
    fixture_run(f, 1, 1, 0);
    f->q.settings.session_timeout_s = 100;
    f->q.now_s += 99;
    ends_expire(&f->q);
    ask_session(f, "alice", 1, GDI_GET, "s"); /* it begins anew */
    assert_string_equal(told_after_sync(f, "alice"), "1:s(1).");
    ask_watch(f, "alice", 2, "s", 0);
    told_after_sync(f, "alice");
    f->q.now_s += 1000;
    ends_expire(&f->q); /* watched */
    fixture_hang_up(f, "alice");
    f->q.now_s += 99;
    ends_expire(&f->q);
    ask_session(f, "alice", 3, GDI_GET, "s");
    assert_string_equal(told_after_sync(f, "alice"), "3:s(1).");
    f->q.now_s += 100;
    ends_expire(&f->q);
    ask_session(f, "alice", 4, GDI_GET, "s");
    assert_string_equal(told_after_sync(f, "alice"), "4:denied: session \"s\" does not exist.");
    fixture_run(f, 1, 2, 0);
}

static void a_user_has_so_many_sessions(void **state)
{
    struct fixture *f = *state;
    f->q.settings.user_sessions = 2;
    ask_session(f, "alice", 1, GDI_ADD, "a");
    ask_session(f, "alice", 2, GDI_ADD, "b");
    ask_session(f, "alice", 3, GDI_ADD, "c");
    ask_submit(f, "alice", 4, 1, "c", GDI_WATCH_TOO, "id");
    ask_session(f, "alice", 5, GDI_ADD, "a"); /* joined */
#define TOO_MANY                                                                                   \
    "denied: user \"alice\" has 2 sessions; the limit is 2 (qmaster_params MAX_USER_SESSIONS). "
    assert_string_equal(told_after_sync(f, "alice"),
                        "1:a(0). 2:b(0). 3:" TOO_MANY "4:" TOO_MANY "5:a(0).");
    ask_session(f, "alice", 6, GDI_DEL, "b");
    ask_session(f, "alice", 7, GDI_ADD, "c");
    assert_string_equal(told_after_sync(f, "alice"), "6:. 7:c(0).");
    ask_session(f, "bob", 8, GDI_ADD, "b");
    assert_string_equal(told_after_sync(f, "bob"), "8:b(0).");
}

/* refused is the submit, so that an end that comes always has a place */
static void a_user_has_so_many_ends_kept_and_to_come(void **state)
{
    struct fixture *f = *state;
    f->q.settings.user_ends = 5;
    begin_session(f, 3);
    ask_submit(f, "alice", 3, 3, "s", 0, NULL);
    assert_string_equal(told_after_sync(f, "alice"),
                        "3:denied: the sessions of user \"alice\" would have to keep how 6 tasks "
                        "end; the limit is 5 (qmaster_params MAX_USER_ENDS).");
    fixture_run(f, 1, 1, 0);
    fixture_restart(f);
    f->q.settings.user_ends = 5;
    ask_submit(f, "alice", 4, 3, "s", 0, NULL);
    assert_non_null(strstr(told_after_sync(f, "alice"), "would have to keep how 6 tasks"));
    fixture_run(f, 1, 1, 0);
    fixture_delete(f, "alice", "1.2");
    ask_take(f, "alice", 5, "s", 1, 0, 0);
    ask_submit(f, "alice", 6, 3, "s", 0, NULL);
    assert_string_equal(told_after_sync(f, "alice"), "5:. 6:job2.");
    ask_session(f, "alice", 7, GDI_DEL, "s");
    ask_session(f, "alice", 8, GDI_ADD, "t");
    ask_submit(f, "alice", 9, 5, "t", 0, NULL);
    assert_string_equal(told_after_sync(f, "alice"), "7:. 8:t(0). 9:job3.");
}

static void who_does_not_read_is_cut_off(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 2);
    ask_watch(f, "alice", 3, "s", 0);
    told_after_sync(f, "alice");
    uint64_t conn = fixture_session(f, "alice")->conn;
    f->queued = WORK_BYTES_UNREAD + 1;
    fixture_run(f, 1, 1, 0);
    fixture_run(f, 1, 2, 0);
    fixture_commit(f);
    assert_int_equal(f->last_closed, conn);
    f->queued = 0;
    assert_string_equal(kept_of(f, "alice", "s"), "99:end1.1/0end1.2/0 99:|");
}

/* ---- hanging up ---- */
static void what_a_client_said_last_is_heard(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 3);
    fixture_run(f, 1, 1, 0);
    fixture_run(f, 1, 2, 0);
    fixture_commit(f);
    struct GR_Type gr = for_take("s", 1, 0, 0), late = { 0 };
    struct packer take = pack_request(&gr);
    cull_set(&late, GR_verb, (uint32_t)GDI_DEL);
    cull_set(&late, GR_target, (uint32_t)GDI_JOB);
    fixture_name(&late, "1");
    struct packer other = pack_request(&late);
    struct session *s = fixture_session(f, "alice");
    lane_put_frame(s->lane, &(struct frame){ .kind = GDI_FRAME_REQUEST,
                                             .serial = 8,
                                             .body = other.data,
                                             .len = other.len });
    lane_put_frame(
        s->lane, &(struct frame){
                     .kind = GDI_FRAME_REQUEST, .serial = 9, .body = take.data, .len = take.len });
    fixture_hang_up(f, "alice");
    assert_string_equal(kept_of(f, "alice", "s"), "99:end1.2/0 99:|");
    fixture_run(f, 1, 3, 0); /* nothing but that: it was not deleted */
}

static void who_has_gone_is_told_nothing_more(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 2);
    ask_watch(f, "alice", 3, "s", 0);
    uint64_t conn = fixture_session(f, "alice")->conn;
    fixture_hang_up(f, "alice");
    fixture_forget_sent(f);
    fixture_run(f, 1, 1, 0);
    fixture_commit(f);
    assert_int_equal(fixture_count_sent(f, conn, GDI_FRAME_ANSWER), 0);
}

/* ---- qsub -sync y ---- */
static void a_submit_that_watches_is_told_its_number_each_end_and_that_it_is_over(void **state)
{
    struct fixture *f = *state;
    ask_submit(f, "alice", 7, 2, "k", GDI_WATCH_TOO, "id");
    assert_string_equal(told_after_sync(f, "alice"), "7:job1|");
    fixture_run(f, 1, 2, 0);
    assert_string_equal(told_after_sync(f, "alice"), "7:end1.2/0");
    fixture_run(f, 1, 1, TASK_FAILED_AFTER_JOB);
    assert_string_equal(told_after_sync(f, "alice"), "7:end1.1/100 7:.");
}

static void a_submit_asked_again_watches_the_job_that_it_made(void **state)
{
    struct fixture *f = *state;
    ask_submit(f, "alice", 1, 2, "k", GDI_WATCH_TOO, "id");
    fixture_commit(f);
    fixture_hang_up(f, "alice");
    fixture_run(f, 1, 1, 0);
    fixture_commit(f);
    fixture_restart(f);
    ask_submit(f, "alice", 2, 2, "k", GDI_WATCH_TOO, "id");
    assert_string_equal(told_after_sync(f, "alice"), "2:job1 2:end1.1/0 2:|");
    fixture_run(f, 1, 2, 0);
    assert_string_equal(told_after_sync(f, "alice"), "2:end1.2/0 2:.");
    ask_submit(f, "alice", 3, 2, "k", GDI_WATCH_TOO, "id"); /* and when all is over */
    assert_string_equal(told_after_sync(f, "alice"), "3:job1 3:end1.1/0end1.2/0 3:| 3:.");
    ask_session(f, "alice", 4, GDI_DEL, "k");
    ask_submit(f, "alice", 5, 2, "k", GDI_WATCH_TOO, "id");
    assert_string_equal(told_after_sync(f, "alice"), "4:. 5:job1.");
}

static void a_refused_submit_leaves_no_session(void **state)
{
    struct fixture *f = *state;
    ask_submit(f, "alice", 1, 0, "k", GDI_WATCH_TOO, "id");
    assert_string_equal(told_after_sync(f, "alice"),
                        "1:job rejected: 1-0:1 is not a range of task ids.");
    ask_submit(f, "alice", 2, 1, NULL, GDI_WATCH_TOO, "id");
    assert_non_null(strstr(told_after_sync(f, "alice"), "denied: the name of a session"));
    assert_null(f->q.job_sessions->by_name);
}

static void a_watch_of_one_job_has_its_errors_too_and_ends_with_it(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 3);
    ask_submit(f, "alice", 3, 1, "s", 0, NULL);
    fixture_run(f, 1, 1, TASK_FAILED_APPERROR);
    fixture_run(f, 2, 1, 0);
    told_after_sync(f, "alice");
    ask_watch(f, "alice", 4, "s", 1);
    assert_string_equal(told_after_sync(f, "alice"), "4:error1 4:|");
    fixture_run(f, 1, 2, TASK_FAILED_APPERROR);
    assert_string_equal(told_after_sync(f, "alice"), "4:error2");
    fixture_run(f, 1, 3, 0);
    fixture_delete(f, "alice", "1");
    assert_string_equal(told_after_sync(f, "alice"), "4:end1.3/0 4:unrun1.1 4:unrun1.2 4:.");
    ask_watch(f, "alice", 5, "s", 1); /* when it has gone */
    assert_string_equal(told_after_sync(f, "alice"), "5:unrun1.1-2 5:end1.3/0 5:| 5:.");
    ask_watch(f, "alice", 6, "s", 4711);
    assert_string_equal(told_after_sync(f, "alice"), "6:| 6:.");
}

static void a_watch_of_very_many_tasks_in_error_begins_with_a_hundred(void **state)
{
    struct fixture *f = *state;
    uint32_t n = 0;
    begin_session(f, 101);
    for (uint32_t task = 1; task <= 101; task++)
        fixture_run(f, 1, task, TASK_FAILED_APPERROR);
    ask_watch(f, "alice", 1, "s", 1);
    for (const char *at = told_after_sync(f, "alice"); (at = strstr(at, "error")) != NULL; at++)
        n++;
    assert_int_equal(n, 100);
}

static void a_number_is_not_used_again_while_ends_of_it_are_kept(void **state)
{
    struct fixture *f = *state;
    begin_session(f, 1);
    fixture_run(f, 1, 1, 0);
    f->q.jobs.next_number = 1;
    assert_int_equal(submit(f), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(a_session_is_made_once_and_joined_after_that),
        TEST(a_key_of_the_qmasters_is_long_and_random),
        TEST(what_is_no_key_is_refused),
        TEST(a_session_of_somebody_else_is_unknown),
        TEST(a_manager_may_end_a_session_that_he_names_with_its_owner),
        TEST(an_end_is_kept_until_it_is_taken),
        TEST(who_watches_is_told_each_end_once_after_the_disk),
        TEST(ends_beside_the_reading_are_told_once),
        TEST(everybody_who_watches_is_told),
        TEST(more_watchers_than_may_be_are_refused),
        TEST(deleted_tasks_are_kept_as_ranges),
        TEST(a_task_that_is_put_back_or_parked_has_not_ended),
        TEST(ends_of_jobs_without_that_session_are_not_kept),
        TEST(what_is_kept_survives_the_qmaster),
        TEST(an_end_that_is_not_durable_is_neither_kept_nor_told),
        TEST(a_session_that_was_ended_goes_with_all_it_kept),
        TEST(what_is_left_of_a_session_goes_at_the_next_start),
        TEST(a_session_that_nobody_asks_about_expires),
        TEST(a_user_has_so_many_sessions),
        TEST(a_user_has_so_many_ends_kept_and_to_come),
        TEST(who_does_not_read_is_cut_off),
        TEST(what_a_client_said_last_is_heard),
        TEST(who_has_gone_is_told_nothing_more),
        TEST(a_submit_that_watches_is_told_its_number_each_end_and_that_it_is_over),
        TEST(a_submit_asked_again_watches_the_job_that_it_made),
        TEST(a_refused_submit_leaves_no_session),
        TEST(a_watch_of_one_job_has_its_errors_too_and_ends_with_it),
        TEST(a_watch_of_very_many_tasks_in_error_begins_with_a_hundred),
        TEST(a_number_is_not_used_again_while_ends_of_it_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
