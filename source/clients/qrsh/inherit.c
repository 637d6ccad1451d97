/* qrsh -inherit: a process of a parallel job runs a command on a host of the job, as a part of it.
 * The execution daemon of that host starts it, as a petask, and accounts for it; the qmaster has
 * no part in that. Source: qrsh(1); captures. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/command.h"
#include "clients/common/request.h"
#include "clients/qrsh/msg_qrsh.h"
#include "clients/qrsh/qrsh.h"
#include "libs/cli/submit_files.h"
#include "libs/gdi/cell.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/job_state.h"
#include "libs/task/session_frame.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/os.h"

enum { SECRET_BYTES = 16 };

static const struct known_option {
    const char *name;
    int n_words; /* that follow it */
} known_options[] = {
    { "-inherit", 0 }, { "-cwd", 0 },     { "-wd", 1 },      { "-v", 1 },   { "-V", 0 },
    { "-noshell", 0 }, { "-nostdin", 0 }, { "-verbose", 0 }, { "-pty", 1 },
};

static const struct known_option *find_known(const char *word)
{
    for (size_t i = 0; i < ARRAY_LEN(known_options); i++)
        if (strcmp(word, known_options[i].name) == 0)
            return &known_options[i];
    return NULL;
}

/* the number of words of the options, the program's name among them */
static int count_option_words(int argc, char *const *argv)
{
    int i = 1;
    while (i < argc && argv[i][0] == '-') {
        const struct known_option *known = find_known(argv[i]);
        i += known != NULL ? 1 + known->n_words : 1;
    }
    return i < argc ? i : argc;
}

bool inherit_is_asked(int argc, char *const *argv)
{
    int n = count_option_words(argc, argv);
    for (int i = 1; i < n; i++)
        if (strcmp(argv[i], "-inherit") == 0)
            return true;
    return false;
}

static const char *unknown_option(int n, char *const *argv)
{
    for (int i = 1; i < n;) {
        const struct known_option *known = find_known(argv[i]);
        if (known == NULL)
            return argv[i];
        i += 1 + known->n_words;
    }
    return NULL;
}

/* The options are those of any qrsh: the same parser reads them, with a command that stands for the
 * words behind the host. */
static int read_options(struct client *c, int n, char **argv)
{
    static char command[] = "true";
    struct submit_files none = { { NULL } };
    char **words = uti_calloc((size_t)n + 2, sizeof *words);
    int n_words = 0;
    for (int i = 0; i < n; i++)
        if (strcmp(argv[i], "-inherit") != 0)
            words[n_words++] = argv[i];
    words[n_words++] = command;
    cull_set(&c->command.job, JB_type, (uint32_t)JOB_TYPE_BINARY);
    int rc = job_command_submit(&c->command, n_words, words, &none, &c->ans);
    free(words);
    return rc;
}

/* ---- the request ---- */

static void add_text(struct dstr *out, const char *text)
{
    dstr_addn(out, text, strlen(text) + 1);
}

static bool has_directory(int n, char *const *argv)
{
    for (int i = 1; i < n; i++)
        if (strcmp(argv[i], "-cwd") == 0 || strcmp(argv[i], "-wd") == 0)
            return true;
    return false;
}

static void add_variables(const struct JB_Type *job, struct dstr *out)
{
    for (uint32_t i = 0; i < job->JB_env_list.n; i++) {
        const struct VA_Type *va = &job->JB_env_list.v[i];
        if (strncmp(va->VA_variable, ENV_SUBMIT_PREFIX, strlen(ENV_SUBMIT_PREFIX)) == 0)
            continue; /* what the job was submitted with stays */
        dstr_addf(out, "%s=%s", va->VA_variable, va->VA_value != NULL ? va->VA_value : "");
        dstr_addc(out, '\0');
    }
}

/* where the command begins behind the host; "--" between them, as some callers of a remote shell
 * have it, is not a part of it */
static int first_word(int n_options, int argc, char *const *argv)
{
    int at = n_options + 1;
    return at + 1 < argc && strcmp(argv[at], "--") == 0 ? at + 1 : at;
}

static void make_request(const struct client *c, int n_options, int argc, char *const *argv,
                         struct dstr *out)
{
    char count[16];
    int first = first_word(n_options, argc, argv);
    const struct JB_Type *job = &c->command.job;
    bool has_own = has_directory(n_options, argv) && job->JB_cwd != NULL;
    (void)snprintf(count, sizeof count, "%d", argc - first);
    add_text(out, has_own ? job->JB_cwd : "");
    add_text(out, count);
    for (int i = first; i < argc; i++)
        add_text(out, argv[i]);
    add_variables(job, out);
}

/* ---- the session ---- */

static const char *own_variable(const struct client *c, const char *name)
{
    return submitter_getenv(&c->by, name, strlen(name));
}

/* the task of the job that this program runs in; false if it is in none */
static bool own_task(const struct client *c, struct dstr *out)
{
    const char *job = own_variable(c, "JOB_ID"), *task = own_variable(c, "SGE_TASK_ID");
    if (job == NULL)
        return false;
    dstr_addf(out, "%s.%s", job, task == NULL || strcmp(task, "undefined") == 0 ? "1" : task);
    return true;
}

static int run_session(struct client *c, const char *host, const char *task, const char *secret,
                       const struct petask_order *order)
{
    char *socket = cell_session_socket(c->cell, c->by.host);
    int status = EXIT_FAILURE;
    struct session_options o = { .cell = c->cell,
                                 .petask = order,
                                 .socket = socket,
                                 .host = host,
                                 .task = task,
                                 .secret = secret,
                                 .is_terminal = c->command.job.JB_pty,
                                 .has_no_stdin = c->command.has_no_stdin,
                                 .wake_fd = terminal_signals(false) };
    if (order->is_verbose)
        fprintf(stderr, MSG_INHERIT_STARTING_S, host);
    if (session_run(&o, &status) == SESSION_LOST)
        fputs(MSG_LOST, stderr);
    free(socket);
    return status;
}

static size_t count_texts(const struct dstr *request)
{
    size_t n = 0;
    for (size_t i = 0; i < request->len; i++)
        n += request->s[i] == '\0';
    return n;
}

static int run_petask(struct client *c, int n_options, int argc, char *const *argv)
{
    struct dstr task = DSTR_INIT, secret = DSTR_INIT, request = DSTR_INIT;
    int status = EXIT_FAILURE;
    make_request(c, n_options, argc, argv, &request);
    struct petask_order order = { .number = own_variable(c, "JOB_ID"),
                                  .bytes = dstr_get(&request),
                                  .len = request.len,
                                  .has_no_shell = c->command.has_no_shell,
                                  .is_verbose = c->command.is_verbose };
    if (!own_task(c, &task))
        fputs(MSG_INHERIT_NO_JOB, stderr);
    else if (count_texts(&request) > PETASK_TEXTS_MOST)
        fprintf(stderr, MSG_INHERIT_TEXTS_U, (unsigned)PETASK_TEXTS_MOST);
    else if (request.len > PETASK_REQUEST_MOST)
        fprintf(stderr, MSG_INHERIT_LONG_U, (unsigned)request.len, (unsigned)PETASK_REQUEST_MOST);
    else if (random_text(&secret, SECRET_BYTES, &c->ans) != 0)
        (void)client_print_errors(c, stderr);
    else
        status = run_session(c, argv[n_options], dstr_get(&task), dstr_get(&secret), &order);
    dstr_free(&task);
    dstr_free(&secret);
    dstr_free(&request);
    return status;
}

int inherit_run(struct client *c, int argc, char **argv)
{
    int n = count_option_words(argc, argv);
    const char *unknown = unknown_option(n, argv);
    if (unknown != NULL) {
        fprintf(stderr, MSG_INHERIT_OPTION_S, unknown);
        return EXIT_FAILURE;
    }
    if (argc - n < 2) {
        fputs(MSG_INHERIT_USAGE, stderr);
        return EXIT_FAILURE;
    }
    c->cell = cell_open(&c->ans);
    if (c->cell == NULL || read_options(c, n, argv) < 0) {
        (void)client_print_errors(c, stderr);
        return EXIT_FAILURE;
    }
    return run_petask(c, n, argc, argv);
}
