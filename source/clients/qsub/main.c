/* qsub - submit a job. Reads what the user says (libs/cli), makes one GDI_ADD of it, says the job's
 * number; -sync waits for the end. People start thousands of these: nothing is read, resolved or
 * allocated that this job does not need. Source: submit(1). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/request.h"
#include "clients/qsub/msg_qsub.h"
#include "clients/qsub/qsub.h"
#include "libs/cli/submit_checks.h"
#include "libs/gdi/cell.h"
#include "libs/show/job_detail.h"

/* ---- failures ---- */

/* The qmaster, or what stands before it, refuses: all texts between the two lines users know. */
static int refuse_command(struct client *c)
{
    int status = EXIT_FAILURE;
    if (c->ans.n == 0)
        return status;
    fputs(MSG_UNABLE, stderr);
    for (uint32_t i = 0; i < c->ans.n; i++) {
        fprintf(stderr, "%s\n", c->ans.v[i].text);
        if (c->ans.v[i].status == STATUS_NOTOK_DOAGAIN)
            status = STATUS_NOTOK_DOAGAIN;
    }
    fputs(MSG_EXITING, stderr);
    ans_free(&c->ans);
    return status;
}

static int refuse_command_line(struct client *c)
{
    enum answer_status status = client_print_errors(c, stderr);
    return (int)status < STATUS_EEXIST ? (int)status : EXIT_FAILURE;
}

/* ---- before the request ---- */

static void find_files(struct client *c, struct submit_files *files)
{
    struct answer none = ANSWER_INIT;
    c->cell = cell_open(&none);
    ans_free(&none); /* said when the qmaster is needed */
    submit_files_find(files, c->cell == NULL ? NULL : cell_path(c->cell, "sge_request"), &c->by);
}

/* ---- the request ---- */

/* that an immediate job has not started is said in words that users know */
static void drop_errors(struct answer *ans)
{
    struct answer others = ANSWER_INIT;
    for (uint32_t i = 0; i < ans->n; i++)
        if (ans->v[i].quality > ANSWER_QUALITY_ERROR)
            ans_add(&others, ans->v[i].status, ans->v[i].quality, "%s", ans->v[i].text);
    ans_free(ans);
    *ans = others;
}

/* The first part of the answer has the job's number, after the texts; with -sync more parts
 * follow. */
static int take_part(void *ctx, const struct GA_Type *part)
{
    struct sync_wait *wait = ctx;
    struct client *c = wait->c;
    if (wait->number == 0 && cull_has(part, GA_job_number)) {
        wait->number = part->GA_job_number;
        if (c->command.job.JB_is_immediate)
            drop_errors(&c->ans);
        client_print(c, c->command.is_terse ? stderr : stdout);
        submitted_print(stdout, &c->command.job, wait->number, c->command.is_terse);
        fflush(stdout); /* whoever reads the number need not wait for the end */
        if (c->command.job.JB_is_immediate)
            fputs(MSG_AT_ONCE_WAITING, stderr);
        if (c->command.is_sync)
            sync_begin(wait);
    }
    if (part->GA_has_started && !wait->has_started) {
        fprintf(stderr, MSG_AT_ONCE_STARTED_U, wait->number);
        wait->has_started = true;
    }
    sync_take(wait, part);
    return 0;
}

/* what became of the job that was submitted; IS_LOST: the connection went before the qmaster said
 * that it is over */
static int follow_job(struct sync_wait *wait, bool is_lost)
{
    bool is_known = !is_lost || sync_is_interrupted(wait) || sync_resume(wait) == 0;
    if (sync_is_interrupted(wait))
        return sync_cancel(wait);
    return is_known ? sync_finish(wait) : EXIT_FAILURE;
}

/* the qmaster has removed the job, as it could not start at once */
static int say_not_started(struct sync_wait *wait)
{
    ans_free(&wait->c->ans);
    fputs(MSG_AT_ONCE_NOT, stderr);
    if (wait->c->command.is_sync)
        sync_forget(wait);
    return EXIT_FAILURE;
}

/* what the answer says, if it came */
static int say_answer(struct sync_wait *wait, bool has_answer)
{
    struct client *c = wait->c;
    if (wait->number == 0 && (!has_answer || ans_has_error(&c->ans)))
        return refuse_command(c);
    if (c->command.job.JB_is_immediate && has_answer && wait->number != 0 && !wait->has_started)
        return say_not_started(wait);
    if (!has_answer && c->command.is_sync)
        ans_free(&c->ans); /* a connection that is made again is no error */
    bool is_lost = client_print(c, has_answer ? stdout : stderr) != STATUS_OK || !has_answer;
    return wait->number == 0 || !c->command.is_sync ? EXIT_SUCCESS : follow_job(wait, is_lost);
}

static int submit_job(struct client *c)
{
    struct GR_Type gr = { 0 };
    struct sync_wait wait = { .c = c };
    cull_set(&gr, GR_verb, (uint32_t)GDI_ADD);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    cull_copy(&cull_JB_Type, cull_append(&gr, GR_jobs), &c->command.job);
    bool has_answer = (!c->command.is_sync || sync_ask(&wait, &gr) == 0) &&
                      client_call(c, &gr, take_part, &wait) >= 0;
    cull_clear(&cull_GR_Type, &gr);
    int status = say_answer(&wait, has_answer);
    sync_free(&wait);
    return status;
}

static int run_qsub(struct client *c, int argc, char **argv)
{
    struct submit_files files = { { NULL } };
    find_files(c, &files);
    int result = job_command_submit(&c->command, argc, argv, &files, &c->ans);
    submit_files_free(&files);
    if (result < 0)
        return refuse_command_line(c);
    if (c->command.is_help) {
        client_print_help(c);
        return EXIT_SUCCESS;
    }
    submit_check_paths(&c->command.job, &c->by, &c->ans);
    client_print_warnings(c);
    if (c->command.is_verify) {
        job_verify_text(stdout, &c->command.job);
        return EXIT_SUCCESS;
    }
    if (submit_check_hosts(&c->command.job, &c->ans) < 0)
        return refuse_command(c);
    return submit_job(c);
}

int main(int argc, char **argv)
{
    struct client c;
    int status = client_begin(&c, QSUB, environ);
    if (status == 0)
        status = run_qsub(&c, argc, argv);
    return client_end(&c, status);
}
