/* Reads what a qsub says, from all its sources: request files, the script's `#$` lines, the command
 * line, in rising rank. The command line is obeyed twice: first alone with the request files,
 * because -b and -C say whether and how a script is read (and its errors come before the script's),
 * then with everything. Source: submit(1), sge_request(5). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/cli/job_command.h"
#include "libs/cli/msg_cli.h"
#include "libs/cli/option_uses.h"
#include "libs/cli/request_file.h"
#include "libs/cli/script.h"
#include "libs/cli/submitter.h"
#include "libs/cli/variables.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

#define SCRIPT_PREFIX     "#$"
#define SCRIPT_STDIN_NAME "STDIN"

enum { RANK_CELL = 0, RANK_SCRIPT = 3, RANK_LINE = 4, SOURCES = 5 }; /* 0..2: request files */

struct submit_words {
    struct words words[SOURCES];
    struct option_uses uses[SOURCES];
    uint32_t command; /* index of the first word of the command line that is not an option */
};

static void submit_words_free(struct submit_words *s)
{
    for (int i = 0; i < SOURCES; i++) {
        option_uses_free(&s->uses[i]);
        words_free(&s->words[i]);
    }
}

static int gather_files(struct submit_words *s, const struct submit_files *files,
                        struct answer *ans)
{
    for (unsigned i = 0; i < RANK_SCRIPT; i++) {
        const char *path = files->request[i];
        struct option_source source = { QSUB, SCRIPT, i, path };
        if (path == NULL || *path == '\0')
            continue;
        if ((i == RANK_CELL ? words_of_file(path, true, &s->words[i], ans)
                            : request_file_words(path, &s->words[i], ans)) < 0 ||
            option_uses_scan_all(&s->uses[i], &s->words[i], &source, ans) < 0)
            return -1;
    }
    return 0;
}

static int gather_line(struct submit_words *s, int argc, char *const *argv, struct answer *ans)
{
    struct option_source source = { QSUB, 0, RANK_LINE, NULL };
    words_add_args(&s->words[RANK_LINE], argc, argv);
    long at = option_uses_scan(&s->uses[RANK_LINE], &s->words[RANK_LINE], 1, &source, ans);
    s->command = at < 0 ? 0 : (uint32_t)at;
    return at < 0 ? -1 : 0;
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
    struct option_source source = { QSUB, SCRIPT, RANK_SCRIPT, name };
    if (words_of_script(text, len, prefix, name, &s->words[RANK_SCRIPT], ans) < 0)
        return -1;
    return option_uses_scan_all(&s->uses[RANK_SCRIPT], &s->words[RANK_SCRIPT], &source, ans);
}

static void set_command(struct JB_Type *job, const struct submit_words *s)
{
    const struct words *line = &s->words[RANK_LINE];
    cull_set(job, JB_script_file, s->command < line->n ? line->v[s->command] : SCRIPT_STDIN_NAME);
    for (uint32_t i = s->command + 1; i < line->n; i++) {
        struct ST_Type *arg = cull_append(job, JB_job_args);
        cull_set(arg, ST_name, line->v[i]);
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
                     const char *name, const char *otherwise)
{
    const char *value = submitter_getenv(by, from, strlen(from));
    if (value != NULL || otherwise != NULL)
        job_env_set(job, name, strlen(name), value == NULL ? otherwise : value);
}

/* Variables that every job carries; execd makes SGE_O_... of them. They go first: what the user
 * asks for with -v or -V comes after them. */
static void set_submit_env(struct JB_Type *job, const struct submitter *by)
{
    set_from(job, by, "HOME", ENV_SUBMIT_PREFIX "O_HOME", by->home);
    set_from(job, by, "LOGNAME", ENV_SUBMIT_PREFIX "O_LOGNAME", by->user);
    set_from(job, by, "PATH", ENV_SUBMIT_PREFIX "O_PATH", NULL);
    set_from(job, by, "SHELL", ENV_SUBMIT_PREFIX "O_SHELL", NULL);
    set_from(job, by, "TZ", ENV_SUBMIT_PREFIX "O_TZ", NULL);
    set_from(job, by, "MAIL", ENV_SUBMIT_PREFIX "O_MAIL", NULL);
    job_env_set(job, "TERM", strlen("TERM"), submitter_getenv(by, "TERM", strlen("TERM")));
    job_env_set(job, ENV_SUBMIT_PREFIX "O_HOST", strlen(ENV_SUBMIT_PREFIX "O_HOST"), by->host);
    job_env_set(job, ENV_SUBMIT_PREFIX "O_WORKDIR", strlen(ENV_SUBMIT_PREFIX "O_WORKDIR"), by->cwd);
}

static void complete_job(struct job_command *c)
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
    const struct words *line = &s->words[RANK_LINE];
    const char *path = s->command < line->n ? line->v[s->command] : NULL;
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
    job_command_init(&first, QSUB, c->by);
    int result = obey_sources(s, &first, &warnings);
    bool is_binary = (first.job.JB_type & JOB_TYPE_BINARY) != 0;
    c->is_help = first.is_help;
    if (result < 0) {
        ans_move(ans, &warnings);
    } else if (!c->is_help && is_binary && s->command >= s->words[RANK_LINE].n) {
        result = ans_fail(ans, STATUS_EUSAGE, MSG_BINARY_NO_COMMAND_S, option_speaker(QSUB));
    } else if (!c->is_help && !is_binary) {
        const char *prefix = first.job.JB_directive_prefix;
        result = read_script(c, s, prefix == NULL ? SCRIPT_PREFIX : prefix, ans);
    }
    ans_free(&warnings);
    job_command_free(&first);
    return result;
}

int job_command_submit(struct job_command *c, int argc, char *const *argv,
                       const struct submit_files *files, struct answer *ans)
{
    struct submit_words s = { 0 };
    int result = gather_line(&s, argc, argv, ans);
    if (result == 0)
        result = gather_files(&s, files, ans);
    if (result == 0)
        result = read_preliminary(c, &s, ans);
    if (result == 0 && !c->is_help) {
        set_submit_env(&c->job, c->by);
        set_command(&c->job, &s);
        result = obey_sources(&s, c, ans);
        if (result == 0)
            complete_job(c);
    }
    submit_words_free(&s);
    return result;
}
