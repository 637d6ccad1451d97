/* Requests about sessions, a line each in the tests of kept ends; the answers as short texts. */
#include "daemons/qmaster/test/ends_asks.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <inttypes.h>

#include "daemons/qmaster/requests/requests.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_state.h"

struct packer pack_request(struct GR_Type *gr)
{
    struct packer p = { 0 };
    cull_pack(&p, &cull_GR_Type, gr, NULL);
    cull_clear(&cull_GR_Type, gr);
    return p;
}

struct GR_Type for_session(uint32_t verb, const char *key)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, verb);
    cull_set(&gr, GR_target, (uint32_t)GDI_SESSION);
    if (key != NULL)
        cull_set(&gr, GR_session, key);
    return gr;
}

void ask_session(struct fixture *f, const char *user, uint32_t serial, uint32_t verb,
                 const char *key)
{
    struct GR_Type gr = for_session(verb, key);
    fixture_hear(f, fixture_connection(f, user), serial, &gr);
}

void ask_watch(struct fixture *f, const char *user, uint32_t serial, const char *key, uint32_t job)
{
    struct GR_Type gr = for_session(GDI_WATCH, key);
    if (job != 0)
        cull_set(&gr, GR_job_number, job);
    fixture_hear(f, fixture_connection(f, user), serial, &gr);
}

struct GR_Type for_take(const char *key, uint32_t job, uint32_t first, uint32_t last)
{
    struct GR_Type gr = for_session(GDI_ACT, key);
    cull_set(&gr, GR_action, (uint32_t)GDI_ACT_TAKE);
    struct EN_Type *end = cull_append(&gr, GR_ends);
    cull_set(end, EN_job_number, job);
    range_set_add(cull_ranges(end, EN_ordinals), first, last);
    return gr;
}

void ask_take(struct fixture *f, const char *user, uint32_t serial, const char *key, uint32_t job,
              uint32_t first, uint32_t last)
{
    struct GR_Type gr = for_take(key, job, first, last);
    fixture_hear(f, fixture_connection(f, user), serial, &gr);
}

void ask_submit(struct fixture *f, const char *user, uint32_t serial, uint32_t last,
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
    fixture_hear(f, fixture_connection(f, user), serial, &gr);
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

const char *text_told(struct fixture *f, const char *user)
{
    uint64_t conn = fixture_connection(f, user)->conn;
    dstr_clear(&f->said);
    for (uint32_t i = 0; i < f->n_sent; i++)
        if (f->sent[i].conn == conn && f->sent[i].kind == GDI_FRAME_ANSWER)
            add_part(f, &f->sent[i]);
    fixture_forget_sent(f);
    return dstr_get(&f->said);
}

const char *told_after_sync(struct fixture *f, const char *user)
{
    fixture_commit(f);
    return text_told(f, user);
}

const char *kept_of(struct fixture *f, const char *user, const char *key)
{
    fixture_commit(f);
    fixture_forget_sent(f);
    fixture_hang_up(f, user);
    ask_watch(f, user, 99, key, 0);
    return told_after_sync(f, user);
}

void begin_session(struct fixture *f, uint32_t last)
{
    ask_session(f, "alice", 1, GDI_ADD, "s");
    ask_submit(f, "alice", 2, last, "s", 0, NULL);
    assert_string_equal(told_after_sync(f, "alice"), "1:s(0). 2:job1.");
}
