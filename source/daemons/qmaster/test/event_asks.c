/* What event clients ask for in tests, and what they have heard, as text. */
#include "daemons/qmaster/test/event_asks.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>

#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/sched/events.h"
#include "libs/sgeobj/event.h"

static void put_names(struct EP_Type *wish, const struct wishes *w)
{
    for (size_t i = 0; i < ARRAY_LEN(w->kinds) && w->kinds[i] != NULL; i++)
        cull_set(cull_append(wish, EP_kinds), ST_name, w->kinds[i]);
    for (size_t i = 0; i < ARRAY_LEN(w->fields) && w->fields[i] != NULL; i++)
        cull_set(cull_append(wish, EP_fields), ST_name, w->fields[i]);
    for (size_t i = 0; i < ARRAY_LEN(w->objects) && w->objects[i] != NULL; i++)
        cull_set(cull_append(wish, EP_objects), ST_name, w->objects[i]);
}

static void give_frame(struct fixture *f, struct connection *s, uint8_t kind,
                       const struct EP_Type *body)
{
    struct packer p = { 0 };
    cull_pack(&p, &cull_EP_Type, body, NULL);
    struct frame frame = { .kind = kind, .body = p.data, .len = p.len };
    if (kind == GDI_FRAME_EVENT_REGISTER)
        events_on_register(&f->q, s, &frame);
    else
        events_on_ack(&f->q, s, &frame);
    packer_free(&p);
}

void register_session(struct fixture *f, struct connection *s, struct wishes w)
{
    struct EP_Type wish = { 0 };
    put_names(&wish, &w);
    cull_set(&wish, EP_wants_all, w.wants_all);
    cull_set(&wish, EP_interval_ms, w.interval_ms);
    give_frame(f, s, GDI_FRAME_EVENT_REGISTER, &wish);
    cull_clear(&cull_EP_Type, &wish);
}

void acknowledge_package(struct fixture *f, struct connection *s, uint64_t package)
{
    struct EP_Type ack = { 0 };
    cull_set(&ack, EP_number, package);
    give_frame(f, s, GDI_FRAME_EVENT_ACK, &ack);
    cull_clear(&cull_EP_Type, &ack);
}

/* ---- what was heard, as text ---- */

static uint64_t first_start_s;

static void add_event(struct dstr *text, const struct EV_Type *ev)
{
    uint32_t job = ev->EV_jobs.n > 0 ? ev->EV_jobs.v[0].JB_job_number : ev->EV_job_number;
    dstr_addf(text, "%s%s", text->len > 0 ? ", " : "", event_kind_name(ev->EV_kind));
    if (job != 0)
        dstr_addf(text, " %u", job);
    if (ev->EV_queues.n > 0)
        dstr_addf(text, " %s",
                  ev->EV_queues.v[0].QU_qhostname != NULL ? ev->EV_queues.v[0].QU_qhostname
                                                          : ev->EV_queues.v[0].QU_full_name);
    if (ev->EV_queues.n > 0 && cull_has(&ev->EV_queues.v[0], QU_slots_used))
        dstr_addf(text, " used=%u", ev->EV_queues.v[0].QU_slots_used);
    if (ev->EV_hosts.n > 0)
        dstr_addf(text, " %s", ev->EV_hosts.v[0].EH_name);
    if (ev->EV_queue != NULL)
        dstr_addf(text, " %s", ev->EV_queue);
    if (ev->EV_owner != NULL)
        dstr_addf(text, " %s", ev->EV_owner);
    if (ev->EV_texts.n > 0)
        dstr_addf(text, " %s", ev->EV_texts.v[0].TX_name);
    if (ev->EV_kind == EV_TASKS_STARTED || ev->EV_kind == EV_TASKS_DONE) {
        struct range run;
        for (uint64_t at = 0; range_set_next_run(&ev->EV_ids, at, &run);
             at = (uint64_t)run.last + 1)
            dstr_addf(text, ":%u-%u", run.first, run.last);
    }
    if (ev->EV_kind == EV_TASKS_STARTED && ev->EV_start_time != first_start_s)
        dstr_addf(text, "@%d", (int)(ev->EV_start_time - first_start_s));
}

static uint64_t add_package(struct dstr *text, const struct sent *sent)
{
    struct unpacker u = unpacker_over_own(sent->body, sent->len);
    struct EP_Type package = { 0 };
    assert_int_equal(cull_unpack(&u, &cull_EP_Type, NULL, NULL, &package, NULL), 0);
    for (uint32_t i = 0; i < package.EP_events.n; i++)
        add_event(text, &package.EP_events.v[i]);
    uint64_t number = package.EP_number;
    cull_clear(&cull_EP_Type, &package);
    return number;
}

void run_core(struct fixture *f)
{
    do {
        while (work_step(&f->q))
            ;
        events_flush(&f->q);
    } while (work_is_due(&f->q));
}

const char *heard_by(struct fixture *f, struct connection *s, bool is_prompt)
{
    static struct dstr text = DSTR_INIT;
    uint64_t last = 0;
    dstr_clear(&text);
    run_core(f);
    fixture_commit(f);
    for (uint32_t i = 0; i < f->n_sent; i++)
        if (f->sent[i].conn == s->conn && f->sent[i].kind == GDI_FRAME_EVENTS)
            last = add_package(&text, &f->sent[i]);
    fixture_forget_sent(f);
    if (is_prompt && last != 0)
        acknowledge_package(f, s, last);
    return dstr_get(&text);
}

const char *text_heard(struct fixture *f, const char *user)
{
    return heard_by(f, fixture_connection(f, user), true);
}

const char *text_answered(struct fixture *f, const struct connection *s)
{
    static char text[200];
    text[0] = '\0';
    for (uint32_t i = 0; i < f->n_sent; i++) {
        struct unpacker u = unpacker_over(f->sent[i].body, f->sent[i].len);
        struct GA_Type ga = { 0 };
        if (f->sent[i].conn != s->conn || f->sent[i].kind != GDI_FRAME_ANSWER)
            continue;
        assert_int_equal(cull_unpack(&u, &cull_GA_Type, NULL, NULL, &ga, NULL), 0);
        assert_true(ga.GA_is_last);
        snprintf(text, sizeof text, "%s", ga.GA_answers.v[0].AN_text);
        cull_clear(&cull_GA_Type, &ga);
    }
    fixture_forget_sent(f);
    return text;
}

void starts_shown_from(uint64_t at_s)
{
    first_start_s = at_s;
}
