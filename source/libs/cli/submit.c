/* Reads what a qsub says, from all its sources: request files, the script's `#$` lines, the command
 * line, in rising rank. The command line is obeyed twice: first alone with the request files,
 * because -b and -C say whether and how a script is read (and its errors come before the script's),
 * then with everything. Source: submit(1), sge_request(5). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/cli/job_command.h"
#include "libs/cli/msg_cli.h"
#include "libs/cli/option.h"
#include "libs/cli/parse_options.h"
#include "libs/cli/submit_files.h"
#include "libs/cli/submitter.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

#define SCRIPT_PREFIX     "#$"
#define SCRIPT_STDIN_NAME "STDIN"
#define LOGIN_NAME        "QLOGIN"
#define QRSH_LOGIN_NAME   "QRLOGIN"
#define QSH_NAME          "INTERACTIVE"
#define ALLOW_CWD         "SGE_DRMAA_ALLOW_CWD"

/* 0..2: request files; a program's job has its category and its own options instead of a command
 * line */
enum { RANK_CELL = 0, RANK_SCRIPT = 3, RANK_LINE = 4, RANK_CATEGORY = 4, RANK_NATIVE = 5, SOURCES };

struct submit_words {
    struct words words[SOURCES];
    struct option_uses uses[SOURCES];
    const char *command; /* borrowed; NULL: the script comes from standard input */
    char *const *args;   /* of the command, n_args of them; borrowed */
    uint32_t n_args;
    bool has_end; /* `--` stands before the arguments: of a script they are all of it */
};

static void submit_words_free(struct submit_words *s)
{
    for (int i = 0; i < SOURCES; i++) {
        option_uses_free(&s->uses[i]);
        words_free(&s->words[i]);
    }
}

void submit_files_find(struct submit_files *out, char *of_cell, const struct submitter *by)
{
    bool is_home = strcmp(by->home, by->cwd) == 0;
    out->request[0] = of_cell;
    out->request[1] = path_join(by->home, ".sge_request");
    out->request[2] = is_home ? NULL : path_join(by->cwd, ".sge_request");
}

void submit_files_free(struct submit_files *files)
{
    for (size_t i = 0; i < ARRAY_LEN(files->request); i++)
        free(files->request[i]);
}

static int gather_files(struct submit_words *s, const struct submit_files *files,
                        struct answer *ans)
{
    for (unsigned i = 0; i < RANK_SCRIPT; i++) {
        const char *path = files->request[i];
        struct option_source source = { QSUB, SCRIPT, i, path, INTERACTIVE_PROGRAMS };
        if (path == NULL || *path == '\0')
            continue;
        if ((i == RANK_CELL ? words_of_file(path, true, &s->words[i], ans)
                            : request_file_words(path, &s->words[i], ans)) < 0 ||
            option_uses_scan_all(&s->uses[i], &s->words[i], &source, ans) < 0)
            return -1;
    }
    return 0;
}

static int gather_line(struct submit_words *s, unsigned program, int argc, char *const *argv,
                       struct answer *ans)
{
    struct option_source source = { program, 0, RANK_LINE, NULL, 0 };
    words_add_args(&s->words[RANK_LINE], argc, argv);
    long at = option_uses_scan(&s->uses[RANK_LINE], &s->words[RANK_LINE], 1, &source, ans);
    const struct words *line = &s->words[RANK_LINE];
    if (at >= 0 && (uint32_t)at < line->n) {
        s->has_end = strcmp(line->v[at], OPTIONS_END) == 0;
        s->command = s->has_end ? NULL : line->v[at];
        s->args = line->v + at + 1;
        s->n_args = line->n - (uint32_t)at - 1;
    }
    return at < 0 ? -1 : 0;
}

/* what stands behind `--` is arguments of a script from standard input, but of a binary job the
 * command and its arguments */
static void take_command(struct submit_words *s)
{
    if (!s->has_end || s->n_args == 0)
        return;
    s->command = *s->args++;
    s->n_args--;
}

/* obey what was gathered so far, lowest rank first */
static int obey_sources(const struct submit_words *s, struct job_command *to, struct answer *ans)
{
    struct option_uses all = OPTION_USES_INIT;
    for (int i = 0; i < SOURCES; i++)
        for (uint32_t j = 0; j < s->uses[i].n; j++) {
            all.v = uti_vec_grow(all.v, &all.cap, all.n + 1, sizeof *all.v);
            all.v[all.n++] = s->uses[i].v[j];
        }
    int result = option_uses_obey(&all, to, ans);
    option_uses_free(&all);
    return result;
}

/* ---- script and command ---- */

static int gather_script(struct submit_words *s, const char *text, size_t len, const char *prefix,
                         const char *name, struct answer *ans)
{
    struct option_source source = { QSUB, SCRIPT, RANK_SCRIPT, name, 0 };
    if (words_of_script(text, len, prefix, name, &s->words[RANK_SCRIPT], ans) < 0)
        return -1;
    return option_uses_scan_all(&s->uses[RANK_SCRIPT], &s->words[RANK_SCRIPT], &source, ans);
}

static void set_command(struct JB_Type *job, const struct submit_words *s)
{
    cull_set(job, JB_script_file, s->command != NULL ? s->command : SCRIPT_STDIN_NAME);
    for (uint32_t i = 0; i < s->n_args; i++) {
        struct ST_Type *arg = cull_append(job, JB_job_args);
        cull_set(arg, ST_name, s->args[i]);
    }
}

/* The job's default name: the file name of the command's first word. */
static void set_default_name(struct JB_Type *job)
{
    char *name = uti_strndup(job->JB_script_file, strcspn(job->JB_script_file, " \t\n"));
    const char *slash = strrchr(name, '/');
    cull_set(job, JB_job_name, slash != NULL && slash[1] != '\0' ? slash + 1 : name);
    free(name);
}

/* ---- what the submitter brings along ---- */

static void set_from(struct JB_Type *job, const struct submitter *by, const char *from,
                     const char *name)
{
    const char *value = submitter_getenv(by, from, strlen(from));
    if (value != NULL)
        job_env_set(job, name, strlen(name), value);
}

/* Variables that every job carries; execd makes SGE_O_... of them. They go first: what the user
 * asks for with -v or -V comes after them. */
static void set_submit_env(struct JB_Type *job, const struct submitter *by)
{
    job_env_set(job, ENV_SUBMIT_PREFIX "O_HOME", strlen(ENV_SUBMIT_PREFIX "O_HOME"), by->home);
    job_env_set(job, ENV_SUBMIT_PREFIX "O_LOGNAME", strlen(ENV_SUBMIT_PREFIX "O_LOGNAME"),
                by->user);
    set_from(job, by, "PATH", ENV_SUBMIT_PREFIX "O_PATH");
    set_from(job, by, "SHELL", ENV_SUBMIT_PREFIX "O_SHELL");
    set_from(job, by, "TZ", ENV_SUBMIT_PREFIX "O_TZ");
    set_from(job, by, "MAIL", ENV_SUBMIT_PREFIX "O_MAIL");
    job_env_set(job, "TERM", strlen("TERM"), submitter_getenv(by, "TERM", strlen("TERM")));
    job_env_set(job, ENV_SUBMIT_PREFIX "O_HOST", strlen(ENV_SUBMIT_PREFIX "O_HOST"), by->host);
    job_env_set(job, ENV_SUBMIT_PREFIX "O_WORKDIR", strlen(ENV_SUBMIT_PREFIX "O_WORKDIR"), by->cwd);
}

void job_command_complete(struct job_command *c)
{
    struct JB_Type *job = &c->job;
    /* a script may say -b y of itself: then it runs where it lies */
    if ((job->JB_type & JOB_TYPE_BINARY) != 0) {
        cull_clear_field(&cull_JB_Type, job, JB_script_ptr);
        cull_clear_field(&cull_JB_Type, job, JB_script_size);
    }
    if (!cull_has(job, JB_job_name))
        set_default_name(job);
    if (!cull_has(job, JB_type))
        cull_set(job, JB_type, 0u);
    if (!cull_has(job, JB_priority))
        cull_set(job, JB_priority, (uint32_t)JOB_PRIORITY_BASE);
    if (!cull_has(job, JB_mail_list)) {
        struct MR_Type *mr = cull_append(job, JB_mail_list);
        cull_set(mr, MR_user, c->by->user);
        cull_set(mr, MR_host, c->by->host);
    }
    if (!cull_has(job, JB_ja_first)) {
        cull_set(job, JB_ja_first, 1u);
        cull_set(job, JB_ja_last, 1u);
        cull_set(job, JB_ja_step, 1u);
    }
    if (c->is_held)
        range_set_add(cull_ranges(job, JB_ja_u_h_ids), 0, job_task_count(job) - 1);
}

/* does a directory of PATH have an executable file of that name? */
static bool is_command(const struct submitter *by, const char *name)
{
    const char *at = submitter_getenv(by, "PATH", strlen("PATH"));
    bool is_there = false;
    while (!is_there && at != NULL && *at != '\0') {
        size_t len = strcspn(at, ":");
        struct dstr path = DSTR_INIT;
        dstr_addn(&path, at, len);
        dstr_addf(&path, "/%s", name);
        is_there = access(dstr_get(&path), X_OK) == 0;
        dstr_free(&path);
        at += len + (at[len] == ':');
    }
    return is_there;
}

/* what is often meant by a script that is not there, or looks wrong in one that is */
static void add_hints(const struct submitter *by, const char *path, const struct dstr *text,
                      bool is_read, struct answer *ans)
{
    const char *end = strchr(dstr_get(text), '\n');
    if (!is_read && path != NULL && strchr(path, '/') == NULL && access(path, F_OK) != 0 &&
        is_command(by, path))
        ans_fail(ans, STATUS_ENOFILE, MSG_COMMAND_HINT_SS, path, path);
    if (is_read && end != NULL && end > text->s && end[-1] == '\r')
        ans_add(ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_SCRIPT_CRLF_S,
                path == NULL ? "the script" : path);
}

static int read_script(struct job_command *c, struct submit_words *s, const char *prefix,
                       struct answer *ans)
{
    const char *path = s->command;
    struct dstr text = DSTR_INIT;
    int result = script_read(path, &text, ans);
    add_hints(c->by, path, &text, result == 0, ans);
    if (result == 0)
        result = gather_script(s, dstr_get(&text), text.len, prefix,
                               path == NULL ? "standard input" : path, ans);
    if (result == 0) {
        cull_set(&c->job, JB_script_ptr, dstr_get(&text));
        cull_set(&c->job, JB_script_size, (uint32_t)text.len);
    }
    dstr_free(&text);
    return result;
}

/* The first reading: what the command line and the request files say about the script. */
static int read_preliminary(struct job_command *c, struct submit_words *s, struct answer *ans)
{
    struct job_command first;
    struct answer warnings = ANSWER_INIT;
    job_command_init(&first, c->program, c->by);
    if (cull_has(&c->job, JB_type)) /* where a program's job begins */
        cull_set(&first.job, JB_type, c->job.JB_type);
    int result = obey_sources(s, &first, &warnings);
    bool is_binary = (first.job.JB_type & JOB_TYPE_BINARY) != 0;
    c->is_help = first.is_help;
    if (is_binary)
        take_command(s);
    if (result < 0) {
        ans_move(ans, &warnings);
    } else if (!c->is_help && is_binary && s->command == NULL) {
        result = ans_fail(ans, STATUS_EUSAGE, MSG_BINARY_NO_COMMAND_S, option_speaker(c->program));
    } else if (!c->is_help && !is_binary) {
        const char *prefix = first.job.JB_directive_prefix;
        result = read_script(c, s, prefix == NULL ? SCRIPT_PREFIX : prefix, ans);
    }
    ans_free(&warnings);
    job_command_free(&first);
    return result;
}

/* files say what qsub is to do: what an interactive program has no use for is passed over */
static void drop_of_others(struct submit_words *s, unsigned program)
{
    for (unsigned i = 0; i <= RANK_SCRIPT; i++) {
        struct option_uses *u = &s->uses[i];
        uint32_t kept = 0;
        for (uint32_t j = 0; j < u->n; j++)
            if (option_is_of(u->v[j].row, program))
                u->v[kept++] = u->v[j];
        u->n = kept;
    }
}

/* a login has a name in place of a command */
static void use_login_name(struct submit_words *s, struct job_command *c)
{
    if (c->program == QSH && s->command == NULL) {
        s->command = QSH_NAME; /* what stands behind `--` is for the terminal */
        s->has_end = false;
        cull_set(&c->job, JB_type, (uint32_t)(JOB_TYPE_BINARY | JOB_TYPE_QSH));
        return;
    }
    if ((c->program & INTERACTIVE_PROGRAMS) == 0 || s->command != NULL ||
        (s->has_end && s->n_args > 0))
        return;
    bool is_qlogin = c->program == QLOGIN;
    s->command = is_qlogin ? LOGIN_NAME : QRSH_LOGIN_NAME;
    cull_set(&c->job, JB_type,
             (uint32_t)(JOB_TYPE_BINARY | (is_qlogin ? JOB_TYPE_QLOGIN : JOB_TYPE_QRLOGIN)));
}

int job_command_submit(struct job_command *c, int argc, char *const *argv,
                       const struct submit_files *files, struct answer *ans)
{
    struct submit_words s = { 0 };
    int result = gather_line(&s, c->program, argc, argv, ans);
    if (result == 0)
        result = gather_files(&s, files, ans);
    drop_of_others(&s, c->program);
    use_login_name(&s, c);
    if (result == 0)
        result = read_preliminary(c, &s, ans);
    drop_of_others(&s, c->program);
    if (result == 0 && !c->is_help) {
        set_submit_env(&c->job, c->by);
        set_command(&c->job, &s);
        result = obey_sources(&s, c, ans);
        if (result == 0)
            job_command_complete(c);
    }
    submit_words_free(&s);
    return result;
}

/* ---- jobs that a program describes ---- */

/* what speaks to qsub, not of the job; -cwd, because a program's threads share their directory */
static bool is_for_qsub(const struct option_use *use, const struct submitter *by)
{
    static const char *const names[] = { "-help", "-sync", "-t", "-terse", "-verify" };
    const char *name = use->row->name;
    if (!option_is_of(use->row, QSUB))
        return true; /* of qrsh, in a request file */
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    if (strcmp(name, "-cwd") == 0)
        return submitter_getenv(by, ALLOW_CWD, strlen(ALLOW_CWD)) == NULL;
    return strcmp(name, "-w") == 0 && strpbrk(use->args[0], "wvp") != NULL;
}

static void drop_for_qsub(struct option_uses *u, const struct submitter *by)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < u->n; i++)
        if (!is_for_qsub(&u->v[i], by))
            u->v[kept++] = u->v[i];
    u->n = kept;
}

/* the tasks of a program's job are the ones that it asks for by its call, and it has no client */
static int refuse_some(const struct option_uses *u, struct answer *ans)
{
    for (uint32_t i = 0; i < u->n; i++) {
        const struct option_row *row = u->v[i].row;
        if (strcmp(row->name, "-t") == 0)
            return ans_fail(ans, STATUS_EUSAGE, MSG_TASKS_BULK_S, u->v[i].args[0]);
        if (!option_is_of(row, QSUB))
            return ans_fail(ans, STATUS_EUSAGE, MSG_INTERACTIVE_OPTION_S, row->name);
    }
    return 0;
}

static int gather_text(struct submit_words *s, unsigned rank, const char *text, const char *name,
                       struct answer *ans)
{
    struct option_source source = { QSUB, 0, rank, name, INTERACTIVE_PROGRAMS };
    if (text == NULL)
        return 0;
    if (words_of_text(text, strlen(text), name, &s->words[rank], ans) < 0 ||
        option_uses_scan_all(&s->uses[rank], &s->words[rank], &source, ans) < 0)
        return -1;
    return refuse_some(&s->uses[rank], ans);
}

int job_command_describe(struct job_command *c, const struct submit_description *d,
                         const struct submit_files *files, struct answer *ans)
{
    struct submit_words s = { .command = d->script, .args = d->args, .n_args = d->n_args };
    int result = gather_files(&s, files, ans);
    if (result == 0)
        result = gather_text(&s, RANK_CATEGORY, d->category, "the job category", ans);
    if (result == 0)
        result = gather_text(&s, RANK_NATIVE, d->native, "the native specification", ans);
    for (int i = 0; result == 0 && i < SOURCES; i++)
        drop_for_qsub(&s.uses[i], c->by);
    if (result == 0)
        result = read_preliminary(c, &s, ans);
    drop_for_qsub(&s.uses[RANK_SCRIPT], c->by);
    if (result == 0) {
        s.command = d->command;
        set_submit_env(&c->job, c->by);
        set_command(&c->job, &s);
        result = obey_sources(&s, c, ans);
    }
    submit_words_free(&s);
    return result;
}
