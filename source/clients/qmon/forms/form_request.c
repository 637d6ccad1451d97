/* Forms as requests. Invariant: a form that is open has either work under way or a call. */
#include "clients/qmon/forms/form_request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/request.h"
#include "clients/qmon/widgets/msg_qmon.h"
#include "libs/cli/job_command.h"
#include "libs/cli/option.h"
#include "libs/cli/submit_checks.h"
#include "libs/cli/submitter.h"
#include "libs/feed/calls.h"
#include "libs/feed/workers.h"
#include "libs/gdi/cell.h"
#include "libs/gdi/message.h"
#include "libs/show/job_detail.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* what the thread makes of the words */
struct prepared {
    const struct cell *cell; /* borrowed for the life of qmon */
    struct words words;
    struct GR_Type request;
    struct answer ans; /* warnings, or what is wrong */
    char *shown;       /* instead of a request: -help, -verify; NULL: there is a request */
    bool is_wrong, is_terse;
};

static void free_prepared(void *data)
{
    struct prepared *p = data;
    words_free(&p->words);
    cull_clear(&cull_GR_Type, &p->request);
    ans_free(&p->ans);
    free(p->shown);
    free(p);
}

/* ---- in the thread ---- */

static void show_help(struct prepared *p, unsigned program)
{
    struct dstr text = DSTR_INIT;
    option_help(program, &text);
    p->shown = dstr_take(&text);
}

static void show_job(struct prepared *p, const struct JB_Type *job)
{
    size_t len;
    FILE *out = open_memstream(&p->shown, &len);
    if (out == NULL)
        return;
    job_verify_text(out, job);
    (void)fclose(out);
}

static void make_request(struct prepared *p, const struct job_command *c, enum gdi_verb verb)
{
    cull_set(&p->request, GR_verb, (uint32_t)verb);
    cull_set(&p->request, GR_target, (uint32_t)GDI_JOB);
    cull_copy(&cull_JB_Type, cull_append(&p->request, GR_jobs), &c->job);
    p->is_terse = c->is_terse;
}

static void prepare_submit(struct prepared *p, struct job_command *c)
{
    struct submit_files files;
    submit_files_find(&files, cell_path(p->cell, "sge_request"), c->by);
    p->is_wrong = job_command_submit(c, (int)p->words.n, p->words.v, &files, &p->ans) < 0;
    submit_files_free(&files);
    if (p->is_wrong)
        return;
    if (c->is_help) {
        show_help(p, QSUB);
        return;
    }
    submit_check_paths(&c->job, c->by, &p->ans);
    if (c->is_verify)
        show_job(p, &c->job);
    else if (submit_check_hosts(&c->job, &p->ans) < 0)
        p->is_wrong = true;
    else
        make_request(p, c, GDI_ADD);
}

static void prepare_change(struct prepared *p, struct job_command *c)
{
    p->is_wrong = job_command_read(c, (int)p->words.n, p->words.v, &p->ans) < 0;
    if (p->is_wrong)
        return;
    client_select(c, &p->request);
    client_holds(c, &p->request);
    make_request(p, c, GDI_MOD);
}

static void prepare_words(void *data)
{
    struct prepared *p = data;
    bool is_submit = strcmp(p->words.v[0], "qsub") == 0;
    struct submitter by;
    struct job_command command;
    p->is_wrong = submitter_init(&by, environ, &p->ans) < 0;
    if (p->is_wrong)
        return;
    job_command_init(&command, is_submit ? QSUB : QALTER, &by);
    if (is_submit)
        prepare_submit(p, &command);
    else
        prepare_change(p, &command);
    job_command_free(&command);
    submitter_free(&by);
}

/* ---- in the main thread ---- */

static void finish_form(struct form_request *r, bool is_good, const char *said)
{
    r->is_open = false;
    r->done(r->ctx, is_good, said);
    form_request_free(r);
}

static void add_texts(struct dstr *out, const struct answer *ans, bool are_errors)
{
    for (uint32_t i = 0; i < ans->n; i++)
        if (!are_errors || ans->v[i].quality <= ANSWER_QUALITY_ERROR)
            dstr_addf(out, "%s\n", ans->v[i].text);
}

/* the line that qsub prints */
static void add_number(const struct form_request *r, uint32_t number, struct dstr *out)
{
    char *line = NULL;
    size_t len;
    FILE *stream = open_memstream(&line, &len);
    if (stream == NULL)
        return;
    submitted_print(stream, &r->job, number, r->is_terse);
    (void)fclose(stream);
    dstr_add(out, line);
    free(line);
}

static void on_answer(void *ctx, const struct GA_Type *all, const struct answer *texts)
{
    struct form_request *r = ctx;
    bool is_refused = all == NULL;
    struct dstr said = DSTR_INIT;
    if (!is_refused)
        dstr_add(&said, r->warnings != NULL ? r->warnings : "");
    add_texts(&said, texts, false);
    if (!is_refused && cull_has(all, GA_job_number))
        add_number(r, all->GA_job_number, &said);
    finish_form(r, !is_refused, dstr_get(&said));
    dstr_free(&said);
}

static void finish_early(struct form_request *r, const struct prepared *p)
{
    struct dstr said = DSTR_INIT;
    add_texts(&said, &p->ans, p->is_wrong);
    dstr_add(&said, p->shown != NULL ? p->shown : "");
    finish_form(r, !p->is_wrong, dstr_get(&said));
    dstr_free(&said);
}

static void on_prepared(void *ctx, void *data)
{
    struct form_request *r = ctx;
    struct prepared *p = data;
    struct dstr warnings = DSTR_INIT;
    if (p->is_wrong || p->shown != NULL) {
        finish_early(r, p);
        return;
    }
    add_texts(&warnings, &p->ans, false);
    r->warnings = dstr_take(&warnings);
    r->is_terse = p->is_terse;
    cull_copy(&cull_JB_Type, &r->job, p->request.GR_jobs.v);
    if (calls_get(r->q->calls, &p->request, on_answer, r, &p->ans) != 0) {
        p->is_wrong = true;
        finish_early(r, p);
    }
}

int form_request_send(struct form_request *r, const struct words *words, struct answer *ans)
{
    struct prepared *p = uti_calloc(1, sizeof *p);
    p->cell = r->q->cell;
    words_add_args(&p->words, (int)words->n, words->v);
    const struct work work = { prepare_words, on_prepared, free_prepared, p, r };
    r->is_open = workers_run(r->q->workers, &work, ans) == 0;
    return r->is_open ? 0 : -1;
}

void form_request_free(struct form_request *r)
{
    free(r->warnings);
    r->warnings = NULL;
    cull_clear(&cull_JB_Type, &r->job);
}
