/* qrsh, qlogin and qsh - run a command, or a shell, as a job whose input and output are here; qsh
 * a terminal. The job is submitted like any other; its digest of a secret shows the host on which
 * it starts which client is its own. While the session lasts there is no connection to the qmaster.
 * Source: qrsh(1). */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/command.h"
#include "clients/common/request.h"
#include "clients/qrsh/msg_qrsh.h"
#include "clients/qrsh/qrsh.h"
#include "libs/cli/submit_checks.h"
#include "libs/gdi/cell.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/job_state.h"
#include "libs/show/job_detail.h"
#include "libs/uti/dstr.h"
#include "libs/uti/os.h"
#include "libs/uti/sha256.h"

enum { SECRET_BYTES = 16, SIGNAL_EXIT_BASE = 128, DELETE_MS = 5000 };

struct qrsh {
    struct client c;
    struct dstr secret;
    uint32_t number; /* of the job; 0: not known */
    char *host;      /* owned: where it has started; NULL: it has not */
    char *program;   /* owned: that reaches it there; NULL: builtin */
    int wake_fd;
    bool is_verbose, has_answer;
};

/* ---- the job ---- */

static bool is_qsh(const struct qrsh *q)
{
    return q->c.command.program == QSH;
}

static bool is_login(const struct qrsh *q)
{
    return (q->c.command.job.JB_type & JOB_TYPE_LOGIN) != 0;
}

/* a shell reads the words of a command as one line, as a remote shell always has */
static void join_words(struct JB_Type *job)
{
    struct dstr line = DSTR_INIT;
    dstr_add(&line, job->JB_script_file);
    for (uint32_t i = 0; i < job->JB_job_args.n; i++)
        dstr_addf(&line, " %s", job->JB_job_args.v[i].ST_name);
    cull_set(job, JB_script_file, dstr_get(&line));
    cull_clear_field(&cull_JB_Type, job, JB_job_args);
    dstr_free(&line);
}

static void set_path(struct PN_Type *path)
{
    cull_set(path, PN_path, "/dev/null");
}

static bool is_detachable(const struct JB_Type *job)
{
    return (job->JB_type & JOB_TYPE_DETACH) != 0;
}

/* unless it may go on without its client, it neither has files nor runs again without its user */
static void drop_files(struct JB_Type *job)
{
    cull_set(job, JB_restart, (uint32_t)RESTART_NO);
    if (is_detachable(job))
        return;
    cull_clear_field(&cull_JB_Type, job, JB_stdout_path_list);
    cull_clear_field(&cull_JB_Type, job, JB_stderr_path_list);
    cull_clear_field(&cull_JB_Type, job, JB_merge_stderr);
    set_path(cull_append(job, JB_stdout_path_list));
    set_path(cull_append(job, JB_stderr_path_list));
}

/* the last of a variable counts */
static void add_variable(struct JB_Type *job, const char *name, const char *value)
{
    struct VA_Type *va = cull_append(job, JB_env_list);
    cull_set(va, VA_variable, name);
    cull_set(va, VA_value, value);
}

/* The terminal of qsh opens on a display that its host can reach: that of -display, or else the
 * caller's. The last of a variable counts. */
static int check_display(struct qrsh *q)
{
    struct JB_Type *job = &q->c.command.job;
    const char *display = submitter_getenv(&q->c.by, "DISPLAY", strlen("DISPLAY"));
    bool is_listed = false;
    for (uint32_t i = 0; i < job->JB_env_list.n; i++) {
        if (strcmp(job->JB_env_list.v[i].VA_variable, "DISPLAY") != 0)
            continue;
        display = job->JB_env_list.v[i].VA_value;
        is_listed = true;
    }
    if (display == NULL || *display == '\0')
        return ans_fail(&q->c.ans, STATUS_EUSAGE, MSG_NO_DISPLAY);
    if (*display == ':')
        return ans_fail(&q->c.ans, STATUS_EUSAGE, MSG_LOCAL_DISPLAY_S, display);
    if (!is_listed)
        add_variable(job, "DISPLAY", display);
    return 0;
}

/* A client opens no port: the port in QRSH_PORT is 0. */
static void add_variables(struct qrsh *q)
{
    struct JB_Type *job = &q->c.command.job;
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "%s:0", q->c.by.host);
    add_variable(job, "QRSH_PORT", dstr_get(&text));
    dstr_clear(&text);
    if (!is_qsh(q) && !is_login(q)) {
        dstr_add(&text, job->JB_script_file);
        for (uint32_t i = 0; i < job->JB_job_args.n; i++)
            dstr_addf(&text, " %s", job->JB_job_args.v[i].ST_name);
        add_variable(job, "QRSH_COMMAND", dstr_get(&text));
    }
    dstr_free(&text);
}

/* the client is the job's input and output, so it neither has files nor runs again without it */
static int complete_job(struct qrsh *q)
{
    struct JB_Type *job = &q->c.command.job;
    char digest[SHA256_TEXT_BYTES];
    drop_files(job);
    add_variables(q);
    if (is_qsh(q))
        return check_display(q);
    if (random_text(&q->secret, SECRET_BYTES, &q->c.ans) != 0)
        return -1;
    sha256_text(dstr_get(&q->secret), q->secret.len, digest);
    cull_set(job, JB_session_digest, digest);
    if (!is_login(q))
        cull_set(job, JB_type, job->JB_type | JOB_TYPE_QRSH);
    if (q->c.command.has_no_shell)
        cull_set(job, JB_type, job->JB_type | JOB_TYPE_NO_SHELL);
    else if (!is_login(q) && (job->JB_type & JOB_TYPE_BINARY) != 0)
        join_words(job);
    return 0;
}

/* ---- texts ---- */

static int refuse_job(struct qrsh *q)
{
    return client_print(&q->c, stderr) == STATUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

static void say_waiting(const struct qrsh *q)
{
    if (q->is_verbose) {
        submitted_print(stdout, &q->c.command.job, q->number, false);
        fflush(stdout);
        fputs(MSG_WAITING, stderr);
    }
}

static void say_started(const struct qrsh *q)
{
    if (q->is_verbose) {
        fprintf(stderr, MSG_SCHEDULED_U, q->number);
        if (!is_qsh(q))
            fprintf(stderr, MSG_ESTABLISHING_SS, q->program != NULL ? q->program : "builtin",
                    q->host);
    }
}

/* ---- the exchange with the qmaster ---- */

static int take_part(void *ctx, const struct GA_Type *part)
{
    struct qrsh *q = ctx;
    q->has_answer = true;
    if (q->number == 0 && cull_has(part, GA_job_number)) {
        q->number = part->GA_job_number;
        say_waiting(q);
    }
    if (part->GA_command != NULL && q->program == NULL)
        q->program = uti_strdup(part->GA_command);
    if (part->GA_queue != NULL && q->host == NULL) {
        const char *at = strchr(part->GA_queue, '@');
        q->host = uti_strdup(at != NULL ? at + 1 : part->GA_queue);
    }
    return 0;
}

/* the job is suspended with this program, or continued; a failure is printed, and no more */
static void suspend_job(void *ctx, bool is_stopped)
{
    struct qrsh *q = ctx;
    struct GR_Type gr = { 0 };
    struct dstr number = DSTR_INIT;
    cull_set(&gr, GR_verb, (uint32_t)GDI_ACT);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    cull_set(&gr, GR_action, (uint32_t)(is_stopped ? GDI_ACT_SUSPEND : GDI_ACT_UNSUSPEND));
    dstr_addf(&number, "%u", q->number);
    struct ID_Type *id = cull_append(&gr, GR_select);
    cull_set(id, ID_str, dstr_get(&number));
    (void)client_call(&q->c, &gr, NULL, NULL);
    (void)client_print_errors(&q->c, stderr);
    ans_free(&q->c.ans);
    gdi_close(q->c.gdi);
    q->c.gdi = NULL;
    dstr_free(&number);
    cull_clear(&cull_GR_Type, &gr);
}

/* the job is of no use without this client; whether it is still there does not matter */
static void delete_job(struct qrsh *q)
{
    struct GR_Type gr = { 0 };
    struct dstr number = DSTR_INIT;
    if (q->number == 0)
        return;
    if (q->c.gdi != NULL)
        gdi_stop_on(q->c.gdi, -1);
    cull_set(&gr, GR_verb, (uint32_t)GDI_DEL);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    dstr_addf(&number, "%u", q->number);
    struct ID_Type *id = cull_append(&gr, GR_select);
    cull_set(id, ID_str, dstr_get(&number));
    if (q->c.gdi ==
        NULL) /* the way to the qmaster may have gone with the session: that is no news */
        q->c.gdi = gdi_open(q->c.cell, option_program_name(q->c.command.program), &q->c.ans);
    if (q->c.gdi != NULL) {
        gdi_set_retry(q->c.gdi, DELETE_MS);
        (void)gdi_call(q->c.gdi, &gr, NULL, NULL, &q->c.ans);
    }
    ans_free(&q->c.ans);
    dstr_free(&number);
    cull_clear(&cull_GR_Type, &gr);
}

static bool is_not_now(const struct qrsh *q)
{
    for (uint32_t i = 0; i < q->c.ans.n; i++)
        if (q->c.ans.v[i].status == STATUS_NOTOK_DOAGAIN && q->number != 0)
            return q->c.command.job.JB_is_immediate;
    return false;
}

static int say_not_started(struct qrsh *q)
{
    if (is_not_now(q)) {
        ans_free(&q->c.ans);
        fprintf(stderr, MSG_NOT_NOW_S, option_program_name(q->c.command.program));
        return EXIT_FAILURE;
    }
    if (q->is_verbose && q->number != 0)
        fputs("\n", stderr);
    bool is_refused = ans_has_error(&q->c.ans);
    if (is_refused)
        (void)refuse_job(q);
    else if (q->number == 0)
        return client_print(&q->c, stdout) == STATUS_OK ? EXIT_SUCCESS : EXIT_FAILURE; /* -w v */
    else
        fputs(MSG_RECONNECTED, stderr);
    delete_job(q);
    return EXIT_FAILURE;
}

/* A qmaster that was away knows the request by its id, and has the job. Until it answers no more
 * this client waits. */
static int ask_again(struct qrsh *q, struct GR_Type *gr, int rc)
{
    while (rc < 0 && q->number != 0 && q->host == NULL && q->has_answer) {
        ans_free(&q->c.ans);
        q->has_answer = false;
        rc = gdi_call(q->c.gdi, gr, take_part, q, &q->c.ans);
    }
    return rc;
}

/* submits and waits for the start; true with the host, or false with *STATUS */
static bool wait_for_start(struct qrsh *q, int *status)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_ADD);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    cull_copy(&cull_JB_Type, cull_append(&gr, GR_jobs), &q->c.command.job);
    int rc = client_connect(&q->c);
    if (rc == 0 && q->wake_fd >= 0)
        gdi_stop_on(q->c.gdi, q->wake_fd);
    int sig = 0;
    if (rc == 0)
        do { /* another size of the window stops a call, too */
            rc = ask_again(q, &gr, gdi_call(q->c.gdi, &gr, take_part, q, &q->c.ans));
            sig = terminal_ending(q->wake_fd);
            if (sig == SIGTSTP) { /* there is no job to suspend yet */
                (void)raise(SIGSTOP);
                sig = 0;
            }
        } while (rc == 1 && sig == 0);
    cull_clear(&cull_GR_Type, &gr);
    if (sig != 0) {
        delete_job(q);
        *status = SIGNAL_EXIT_BASE + sig;
    } else if (rc < 0 || q->host == NULL) {
        *status = say_not_started(q);
    }
    if (sig == 0 && q->host != NULL)
        (void)client_print(&q->c, stderr);
    return sig == 0 && q->host != NULL;
}

/* ---- the session ---- */

/* this program has lost its job, or its own terminal */
static bool has_gone(enum session_result result, int status)
{
    return result == SESSION_LOST ||
           (result == SESSION_SIGNALLED && status == SIGNAL_EXIT_BASE + SIGHUP);
}

static int run_session(struct qrsh *q)
{
    struct dstr task = DSTR_INIT;
    const struct JB_Type *job = &q->c.command.job;
    char *socket = cell_session_socket(q->c.cell, q->c.by.host);
    int status = EXIT_FAILURE;
    dstr_addf(&task, "%u.1", q->number);
    struct session_options o = { .cell = q->c.cell,
                                 .socket = socket,
                                 .host = q->host,
                                 .task = dstr_get(&task),
                                 .secret = dstr_get(&q->secret),
                                 .is_terminal = is_login(q) || job->JB_pty,
                                 .has_no_stdin = q->c.command.has_no_stdin,
                                 .command = q->program,
                                 .setting = job_session_setting(job, false),
                                 .form = (job->JB_type & JOB_TYPE_QLOGIN) != 0 ? FORM_QLOGIN
                                         : is_login(q)                         ? FORM_RLOGIN
                                                                               : FORM_RSH,
                                 .is_verbose = q->is_verbose,
                                 .on_stop = suspend_job,
                                 .ctx = q,
                                 .wake_fd = q->wake_fd };
    gdi_close(q->c.gdi);
    q->c.gdi = NULL;
    if (is_detachable(job) && q->program != NULL)
        fprintf(stderr, MSG_NOT_DETACHED_S, o.setting);
    enum session_result result = session_run(&o, &status);
    bool is_left = is_detachable(job) && q->program == NULL && has_gone(result, status);
    if (is_left)
        fprintf(stderr, MSG_DETACHED_U, q->number);
    else if (result == SESSION_LOST)
        fputs(MSG_LOST, stderr);
    if (result != SESSION_ENDED && !is_left)
        delete_job(q);
    free(socket);
    dstr_free(&task);
    return status;
}

static int submit_job(struct qrsh *q)
{
    struct client *c = &q->c;
    int status;
    submit_check_paths(&c->command.job, &c->by, &c->ans);
    client_print_warnings(c);
    if (complete_job(q) != 0)
        return refuse_job(q);
    if (is_detachable(&c->command.job) && is_login(q)) {
        fputs(MSG_DETACH_LOGIN, stderr);
        return EXIT_FAILURE;
    }
    if (c->command.is_verify) {
        job_verify_text(stdout, &c->command.job);
        return EXIT_SUCCESS;
    }
    if (submit_check_hosts(&c->command.job, &c->ans) < 0)
        return refuse_job(q);
    q->wake_fd = terminal_signals(c->command.is_suspended_too);
    if (!wait_for_start(q, &status))
        return status;
    say_started(q);
    return is_qsh(q) ? EXIT_SUCCESS : run_session(q);
}

static int run_qrsh(struct qrsh *q, int argc, char **argv)
{
    struct client *c = &q->c;
    struct submit_files files = { { NULL } };
    struct answer none = ANSWER_INIT;
    c->cell = cell_open(&none);
    ans_free(&none); /* said when the qmaster is needed */
    submit_files_find(&files, c->cell == NULL ? NULL : cell_path(c->cell, "sge_request"), &c->by);
    cull_set(&c->command.job, JB_type, (uint32_t)JOB_TYPE_BINARY);
    cull_set(&c->command.job, JB_is_immediate, true);
    int result = job_command_submit(&c->command, argc, argv, &files, &c->ans);
    submit_files_free(&files);
    if (result < 0) {
        (void)client_print_errors(c, stderr);
        return EXIT_FAILURE;
    }
    if (c->command.is_help) {
        client_print_help(c);
        return EXIT_SUCCESS;
    }
    bool is_wrong = is_qsh(q) ? (c->command.job.JB_type & JOB_TYPE_QSH) == 0
                              : c->command.program == QLOGIN && !is_login(q);
    if (is_wrong) {
        fputs(MSG_UNKNOWN_SCRIPT, stderr);
        return EXIT_FAILURE;
    }
    q->is_verbose = c->command.is_verbose || c->command.program != QRSH;
    return submit_job(q);
}

int main(int argc, char **argv)
{
    struct qrsh q = { .secret = DSTR_INIT, .wake_fd = -1 };
    int status = client_begin(&q.c, SGE_PROGRAM, environ);
    bool is_inherit = SGE_PROGRAM == QRSH && inherit_is_asked(argc, argv);
    if (status == 0)
        status = is_inherit ? inherit_run(&q.c, argc, argv) : run_qrsh(&q, argc, argv);
    dstr_free(&q.secret);
    free(q.host);
    free(q.program);
    return client_end(&q.c, status);
}
