/* An execd that a test plays. */
#include "daemons/qmaster/test/exec_asks.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>

#include "daemons/qmaster/reports/reports.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/task_key.h"

struct connection *connect_as(struct fixture *f, const char *user)
{
    return fixture_connect(f, user, strcmp(user, "root") == 0 ? 0 : 4711);
}

static void add_report(struct XM_Type *m, const char *text)
{
    static const struct {
        const char *word;
        uint32_t state;
    } states[] = { { "started", REPORT_STARTED },
                   { "running", REPORT_RUNNING },
                   { "ended", REPORT_ENDED },
                   { "unknown", REPORT_UNKNOWN } };
    unsigned attempt;
    struct task_key key = { 0 };
    char word[16], petask[16];
    int n = sscanf(text, "%u.%u/%u %15s %15s", &key.job_number, &key.task_number, &attempt, word,
                   petask);
    assert_in_range(n, 4, 5);
    key.petask = n == 5 ? petask : NULL;
    struct JR_Type *r = cull_append(m, XM_reports);
    task_key_report(&key, attempt, r);
    for (size_t i = 0; i < ARRAY_LEN(states); i++)
        if (strcmp(word, states[i].word) == 0)
            cull_set(r, JR_state, states[i].state);
    assert_true(cull_has(r, JR_state));
}

void hear_message(struct fixture *f, struct connection *s, struct XM_Type *m)
{
    struct packer p = { 0 };
    cull_pack(&p, &cull_XM_Type, m, NULL);
    cull_clear(&cull_XM_Type, m);
    struct frame frame = { .kind = GDI_FRAME_EXEC, .body = p.data, .len = p.len };
    exec_handle(&f->q, s, &frame);
    packer_free(&p);
}

void say_report(struct fixture *f, struct connection *s, const char *report)
{
    struct XM_Type m = { 0 };
    cull_set(&m, XM_kind, (uint32_t)EXEC_REPORTS);
    add_report(&m, report);
    hear_message(f, s, &m);
}

void say_hello(struct fixture *f, struct connection *s, const char *host, const char *a,
               const char *b)
{
    struct XM_Type m = { 0 };
    cull_set(&m, XM_kind, (uint32_t)EXEC_REGISTER);
    struct EH_Type *eh = cull_append(&m, XM_hosts);
    cull_set(eh, EH_name, host);
    if (a != NULL)
        add_report(&m, a);
    if (b != NULL)
        add_report(&m, b);
    hear_message(f, s, &m);
}

void say_load(struct fixture *f, const char *name, const char *value)
{
    struct XM_Type m = { 0 };
    cull_set(&m, XM_kind, (uint32_t)EXEC_LOAD);
    struct EH_Type *host = cull_append(&m, XM_hosts);
    cull_set(host, EH_name, "node1");
    struct VA_Type *va = cull_append(host, EH_load_list);
    cull_set(va, VA_variable, name);
    if (value != NULL)
        cull_set(va, VA_value, value);
    hear_message(f, fixture_connection(f, "root"), &m);
}

static void describe_message(struct dstr *out, const struct XM_Type *m)
{
    static const char *const kinds[] = {
        [EXEC_CONFIG] = "config", [EXEC_START] = "start",       [EXEC_SIGNAL] = "signal",
        [EXEC_END_ACK] = "ack",   [EXEC_FORGET_JOB] = "forget", [EXEC_SHUTDOWN] = "shutdown",
    };
    dstr_addf(out, "%s%s", out->len > 0 ? ", " : "", kinds[m->XM_kind]);
    if (m->XM_kind == EXEC_SIGNAL)
        dstr_addf(out, " %u", m->XM_signal);
    for (uint32_t i = 0; i < m->XM_jobs.n; i++)
        dstr_addf(out, " job %u", m->XM_jobs.v[i].JB_job_number);
    for (uint32_t i = 0; i < m->XM_tasks.n; i++)
        dstr_addf(out, " %u.%u/%u", m->XM_tasks.v[i].JAT_job_number,
                  m->XM_tasks.v[i].JAT_task_number, m->XM_tasks.v[i].JAT_attempt);
    for (uint32_t i = 0; i < m->XM_reports.n; i++) {
        const struct JR_Type *r = &m->XM_reports.v[i];
        dstr_addf(out, " %u.%u/%u", r->JR_job_number, r->JR_task_number, r->JR_attempt);
        if (r->JR_pe_task_id != NULL)
            dstr_addf(out, " (%s)", r->JR_pe_task_id);
    }
}

const char *text_told(struct fixture *f, const struct connection *s)
{
    dstr_clear(&f->said);
    for (uint32_t i = 0; i < f->n_sent; i++) {
        struct XM_Type m = { 0 };
        struct unpacker u = unpacker_over(f->sent[i].body, f->sent[i].len);
        if (f->sent[i].conn != s->conn || f->sent[i].kind != GDI_FRAME_EXEC)
            continue;
        assert_int_equal(cull_unpack(&u, &cull_XM_Type, NULL, NULL, &m, NULL), 0);
        describe_message(&f->said, &m);
        cull_clear(&cull_XM_Type, &m);
    }
    fixture_forget_sent(f);
    return dstr_get(&f->said);
}

const char *told_after_sync(struct fixture *f, const struct connection *s)
{
    fixture_commit(f);
    return text_told(f, s);
}
