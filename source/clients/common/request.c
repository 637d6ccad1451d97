/* The frame of the clients that change jobs. Owns the order of what is said: warnings of the
 * command line, the detail of a failed connection, the qmaster's texts. Streams and exit statuses
 * follow captured behaviour of each command. */
#include "clients/common/request.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/command.h"
#include "clients/common/msg_clients.h"
#include "libs/gdi/cell.h"
#include "libs/sgeobj/job_state.h"
#include "libs/show/job_detail.h"
#include "libs/uti/dstr.h"

int client_begin(struct client *c, unsigned program, char *const *env)
{
    *c = (struct client){ .ans = ANSWER_INIT };
    if (submitter_init(&c->by, env, &c->ans) < 0) {
        client_print(c, stderr);
        return EXIT_FAILURE;
    }
    job_command_init(&c->command, program, &c->by);
    return 0;
}

int client_end(struct client *c, int status)
{
    job_command_free(&c->command);
    gdi_close(c->gdi);
    cell_free(c->cell);
    submitter_free(&c->by);
    ans_free(&c->ans);
    return output_finish(status);
}

/* ---- texts of answers ---- */

enum answer_status client_print(struct client *c, FILE *out)
{
    enum answer_status status = STATUS_OK;
    for (uint32_t i = 0; i < c->ans.n; i++) {
        const struct answer_entry *e = &c->ans.v[i];
        /* programs parse what qsub and qalter print */
        bool is_aside = e->status == STATUS_EUNKNOWN && e->quality == ANSWER_QUALITY_WARNING;
        fprintf(is_aside ? stderr : out, "%s\n", e->text);
        if (e->quality <= ANSWER_QUALITY_ERROR)
            status = e->status == STATUS_OK ? STATUS_ESEMANTIC : e->status;
    }
    ans_free(&c->ans);
    return status;
}

void client_print_warnings(struct client *c)
{
    for (uint32_t i = 0; i < c->ans.n; i++) {
        bool is_known_on_stdout = c->ans.v[i].status == STATUS_EEXIST && !c->command.is_terse;
        fprintf(is_known_on_stdout ? stdout : stderr, "%s\n", c->ans.v[i].text);
    }
    ans_free(&c->ans);
}

static void print_help(unsigned program, FILE *out)
{
    struct dstr text = DSTR_INIT;
    option_help(program, &text);
    fputs(dstr_get(&text), out);
    dstr_free(&text);
}

void client_print_help(const struct client *c)
{
    print_help(c->command.program, stdout);
}

/* ---- the command line ---- */

static int refuse_empty(unsigned program)
{
    print_help(program, stderr);
    fprintf(program == QDEL ? stdout : stderr, "%s\n", MSG_NO_ARGUMENT);
    return EXIT_FAILURE;
}

enum answer_status client_print_errors(struct client *c, FILE *out)
{
    struct answer errors = ANSWER_INIT;
    for (uint32_t i = 0; i < c->ans.n; i++)
        if (c->ans.v[i].quality <= ANSWER_QUALITY_ERROR)
            ans_add(&errors, c->ans.v[i].status, ANSWER_QUALITY_ERROR, "%s", c->ans.v[i].text);
    ans_free(&c->ans);
    ans_move(&c->ans, &errors);
    return client_print(c, out);
}

/* What is wrong with the command line; qmod and qdel have manners of their own. */
static int refuse_request(struct client *c)
{
    unsigned program = c->command.program;
    enum answer_status first = STATUS_OK;
    for (uint32_t i = 0; i < c->ans.n && first == STATUS_OK; i++)
        first = c->ans.v[i].status;
    if ((program == QMOD || program == QRDEL) && first == STATUS_EUSAGE)
        print_help(program, stderr);
    if (program == QDEL)
        fputs("error: ", stderr);
    enum answer_status status =
        client_print_errors(c, program == QALTER && first == STATUS_ESEMANTIC ? stdout : stderr);
    bool is_failure = (program & (QDEL | QMOD | QRDEL | QRSUB)) != 0;
    return is_failure || (int)status >= STATUS_EEXIST ? EXIT_FAILURE : (int)status;
}

/* is nothing said of what is to be done? */
static bool is_empty(const struct job_command *command, int argc)
{
    if (command->program == QRSUB)
        return argc < 2;
    if (command->program == QMOD)
        return command->n_actions == 0;
    return command->select.n == 0 && command->users.n == 0;
}

bool client_read(struct client *c, int argc, char *const *argv, int *status)
{
    const struct job_command *command = &c->command;
    int result = job_command_read(&c->command, argc, argv, &c->ans);
    if (result == 0 && command->is_help) {
        print_help(command->program, stdout);
        *status = EXIT_SUCCESS;
        return false;
    }
    if (result < 0) {
        *status = refuse_request(c);
        return false;
    }
    if (is_empty(command, argc)) {
        *status = refuse_empty(command->program);
        return false;
    }
    client_print_warnings(c);
    return true;
}

/* ---- the exchange ---- */

/* Why there was no answer: the first entries at once, the last N left for the command's own
 * manner. */
static int say_detail(struct client *c, uint32_t left)
{
    struct answer_entry *v = c->ans.v;
    uint32_t said = c->ans.n > left ? c->ans.n - left : 0;
    for (uint32_t i = 0; i < said; i++) {
        fprintf(
            stderr, "%s%s\n",
            v[i].quality == ANSWER_QUALITY_CRITICAL ? "critical error: " : "error: ", v[i].text);
        free(v[i].text);
    }
    c->ans.n -= said;
    memmove(v, v + said, c->ans.n * sizeof *v);
    return -1;
}

int client_connect(struct client *c)
{
    if (c->cell == NULL && (c->cell = cell_open(&c->ans)) == NULL)
        return say_detail(c, 0);
    if (c->gdi == NULL &&
        (c->gdi = gdi_open(c->cell, option_program_name(c->command.program), &c->ans)) == NULL)
        return say_detail(c, 1);
    return 0;
}

int client_call(struct client *c, struct GR_Type *gr, gdi_part_fn fn, void *ctx)
{
    if (client_connect(c) != 0)
        return -1;
    return gdi_call(c->gdi, gr, fn, ctx, &c->ans) < 0 ? say_detail(c, 1) : 0;
}

struct said {
    struct client *c;
    enum answer_status status;
};

static void say_answers(struct said *s)
{
    enum answer_status status = client_print(s->c, stdout);
    if (status != STATUS_OK)
        s->status = status;
}

static int say_part(void *ctx, const struct GA_Type *part)
{
    (void)part; /* its texts are in c->ans already */
    say_answers(ctx);
    return 0;
}

int client_change(struct client *c, struct GR_Type *gr, enum answer_status *status)
{
    struct said s = { c, STATUS_OK };
    int called = client_call(c, gr, say_part, &s);
    say_answers(&s); /* why there was no answer, or no more of it */
    *status = s.status;
    return called;
}

void client_select(const struct job_command *command, struct GR_Type *gr)
{
    for (uint32_t i = 0; i < command->select.n; i++)
        cull_copy(&cull_ID_Type, cull_append(gr, GR_select), &command->select.v[i]);
    for (uint32_t i = 0; i < command->users.n; i++)
        cull_copy(&cull_ST_Type, cull_append(gr, GR_users), &command->users.v[i]);
}

void client_holds(const struct job_command *command, struct GR_Type *gr)
{
    uint32_t op = command->is_hold_cleared     ? GDI_HOLD_CLEAR
                  : command->add_holds != 0    ? GDI_HOLD_ADD
                  : command->remove_holds != 0 ? GDI_HOLD_REMOVE
                                               : GDI_HOLD_KEEP;
    if (op == GDI_HOLD_KEEP)
        return;
    cull_set(gr, GR_hold_op, op);
    cull_set(gr, GR_hold_kinds,
             (uint32_t)(op == GDI_HOLD_REMOVE ? command->remove_holds : command->add_holds));
    if (op == GDI_HOLD_ADD && command->remove_holds != 0)
        cull_set(gr, GR_hold_lift, (uint32_t)command->remove_holds);
}

/* ---- the line that has a job's number ---- */
/* The line that tells a job's number. Source: captured behaviour of qsub and qresub, and what their
 * callers cut out of it. */

void submitted_print(FILE *out, const struct JB_Type *job, uint32_t number, bool is_terse)
{
    struct dstr id = DSTR_INIT;
    dstr_addf(&id, "%u", number);
    if (job_is_array(job))
        dstr_addf(&id, ".%u-%u:%u", job->JB_ja_first, job->JB_ja_last, job->JB_ja_step);
    if (is_terse)
        fprintf(out, "%s\n", dstr_get(&id));
    else
        fprintf(out, MSG_SUBMITTED_SSS, job_is_array(job) ? "-array" : "", dstr_get(&id),
                job->JB_job_name);
    dstr_free(&id);
}

/* ---- qalter, qhold, qrls ---- */
/* qalter, qhold and qrls: the same request under three names. The texts of what was changed are the
 * qmaster's. */

/* what the interface gives for a failure of this kind */
static int exit_status(unsigned program, enum answer_status status)
{
    if (status == STATUS_OK)
        return EXIT_SUCCESS;
    return program == QALTER || (int)status >= STATUS_EEXIST ? EXIT_FAILURE : (int)status;
}

static int alter_jobs(struct client *c)
{
    struct job_command *command = &c->command;
    struct GR_Type gr = { 0 };
    if (command->is_verify) {
        job_verify_text(stdout, &command->job);
        return EXIT_SUCCESS;
    }
    cull_set(&gr, GR_verb, (uint32_t)GDI_MOD);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    client_select(command, &gr);
    client_holds(command, &gr);
    cull_copy(&cull_JB_Type, cull_append(&gr, GR_jobs), &command->job);
    enum answer_status status;
    int called = client_change(c, &gr, &status);
    cull_clear(&cull_GR_Type, &gr);
    return called < 0 ? EXIT_FAILURE : exit_status(command->program, status);
}

int alter_main(unsigned program, int argc, char **argv)
{
    struct client c;
    int status = client_begin(&c, program, environ);
    if (status == 0 && client_read(&c, argc, argv, &status))
        status = alter_jobs(&c);
    return client_end(&c, status);
}

/* ---- qdel, qrdel ---- */
static int delete_selected(struct client *c)
{
    const struct job_command *command = &c->command;
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_DEL);
    cull_set(&gr, GR_target, command->program == QRDEL ? (uint32_t)GDI_AR : (uint32_t)GDI_JOB);
    if (command->is_forced)
        cull_set(&gr, GR_options, (uint32_t)GDI_FORCE);
    client_select(command, &gr);
    enum answer_status status;
    int called = client_change(c, &gr, &status);
    cull_clear(&cull_GR_Type, &gr);
    return called == 0 && status == STATUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

int delete_main(unsigned program, int argc, char **argv)
{
    struct client c;
    int status = client_begin(&c, program, environ);
    if (status == 0 && client_read(&c, argc, argv, &status))
        status = delete_selected(&c);
    return client_end(&c, status);
}
