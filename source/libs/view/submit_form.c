/* The form of a job that is to be. Owns the values of its fields.
 *
 * Invariant: a field whose value is there and whose `wrong` is not could stand on a command line of
 * qsub as it is. */
#include "libs/view/submit_form_priv.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/basis.h"
#include "libs/cli/job_command.h"
#include "libs/cli/option.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/view/msg_view.h"

/* ---- the fields ---- */

/* options that say how a command line is read, or what the command qsub itself does */
static bool is_of_program(const struct option_row *row)
{
    static const char *const names[] = { "-help",  "-@",      "-clear", "-hard", "-soft",
                                         "-terse", "-verify", "-sync",  "-u" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strcmp(row->name, names[i]) == 0)
            return true;
    return false;
}

static bool may_be_soft(const struct option_row *row)
{
    return strcmp(row->name, "-l") == 0 || strcmp(row->name, "-q") == 0;
}

static enum field_kind kind_of(const struct option_row *row)
{
    if (row->argument[0] == '\0')
        return FIELD_FLAG;
    return strpbrk(row->argument, " [") != NULL ? FIELD_WORDS : FIELD_WORD;
}

static void add_field(struct submit_form *f, const struct form_field *field)
{
    f->v = uti_vec_grow(f->v, &f->cap, f->n + 1, sizeof *f->v);
    f->v[f->n++] = *field;
}

/* hidden rows of qalter that set something of the job are those of qsub with another parser */
static bool is_wanted(const struct option_row *row, unsigned program)
{
    bool is_shown = row->help != NULL || (program == QALTER && row->sets != OPTION_SETS_NOTHING);
    return (row->where & program) != 0 && row->effect != OPTION_WAITS && is_shown &&
           !is_of_program(row);
}

static void add_options(struct submit_form *f)
{
    for (unsigned i = 0; i < option_rows_n; i++) {
        const struct option_row *row = &option_rows[i];
        if (!is_wanted(row, f->program))
            continue;
        add_field(f, &(struct form_field){ .row = row, .kind = kind_of(row) });
        if (may_be_soft(row))
            add_field(f, &(struct form_field){ .row = row, .kind = kind_of(row), .is_soft = true });
    }
}

struct submit_form *submit_form_new(const struct submitter *by)
{
    struct submit_form *f = uti_calloc(1, sizeof *f);
    f->by = by;
    f->program = QSUB;
    add_field(f, &(struct form_field){ .kind = FIELD_COMMAND });
    add_options(f);
    return f;
}

struct submit_form *submit_form_new_change(const struct submitter *by)
{
    struct submit_form *f = uti_calloc(1, sizeof *f);
    f->by = by;
    f->program = QALTER;
    add_options(f);
    return f;
}

static void field_forget(struct form_field *field)
{
    free(field->value);
    free(field->wrong);
    field->value = field->wrong = NULL;
}

void submit_form_clear(struct submit_form *f)
{
    for (uint32_t i = 0; i < f->n; i++) {
        field_forget(&f->v[i]);
        free(f->v[i].was);
        f->v[i].was = NULL;
    }
}

void submit_form_free(struct submit_form *f)
{
    if (f == NULL)
        return;
    submit_form_clear(f);
    words_free(&f->jobs);
    free(f->v);
    free(f);
}

unsigned submit_form_program(const struct submit_form *f)
{
    return f->program;
}

uint32_t submit_form_count(const struct submit_form *f)
{
    return f->n;
}

const struct form_field *submit_form_at(const struct submit_form *f, uint32_t number)
{
    return number < f->n ? &f->v[number] : NULL;
}

const struct form_field *submit_form_find(const struct submit_form *f, const char *option,
                                          bool is_soft)
{
    for (uint32_t i = 0; i < f->n; i++)
        if (f->v[i].row != NULL && f->v[i].is_soft == is_soft &&
            strcmp(f->v[i].row->name, option) == 0)
            return &f->v[i];
    return NULL;
}

const char *field_name(const struct form_field *field, struct dstr *buffer)
{
    dstr_clear(buffer);
    dstr_addf(buffer, "%s%s", field->is_soft ? "-soft " : "",
              field->row != NULL ? field->row->name : "command");
    return dstr_get(buffer);
}

/* ---- values ---- */

int field_words(const struct form_field *field, struct words *out, struct answer *ans)
{
    if (field->row != NULL)
        words_add(out, field->row->name, strlen(field->row->name), 0);
    const char *value = field->value != NULL ? field->value : "";
    if (field->kind == FIELD_WORD)
        words_add(out, value, strlen(value), 0);
    if (field->kind == FIELD_WORDS || field->kind == FIELD_COMMAND)
        return words_of_text(value, strlen(value), MSG_FORM_VALUE, out, ans);
    return 0;
}

/* the words of an option, all of them, and what its parser makes of them: in TO, which is empty */
static int try_words(const struct words *w, struct job_command *to, struct answer *ans)
{
    struct option_source source = { .program = to->program };
    struct option_uses uses = OPTION_USES_INIT;
    long at = option_uses_scan(&uses, w, 0, &source, ans);
    int result = at < 0 ? -1 : 0;
    if (at >= 0 && (uint32_t)at < w->n)
        result = ans_fail(ans, STATUS_EUSAGE, MSG_FORM_TOO_MANY_S, w->v[at]);
    if (result == 0)
        result = option_uses_obey(&uses, to, ans);
    option_uses_free(&uses);
    return result;
}

static char *why_wrong(unsigned program, const struct answer *ans)
{
    const char *why = ans_first_error(ans), *speaker = option_speaker(program);
    size_t length = strlen(speaker);
    bool speaks = strncmp(why, speaker, length) == 0 && strncmp(why + length, ": ", 2) == 0;
    return uti_strdup(speaks ? why + length + 2 : why);
}

static bool field_check(const struct submit_form *f, struct form_field *field)
{
    struct answer ans = ANSWER_INIT;
    struct words w = WORDS_INIT;
    struct job_command unused;
    job_command_init(&unused, f->program, f->by);
    bool is_good = field_words(field, &w, &ans) == 0 &&
                   (field->row == NULL || try_words(&w, &unused, &ans) == 0);
    job_command_free(&unused);
    free(field->wrong);
    field->wrong = is_good ? NULL : why_wrong(f->program, &ans);
    words_free(&w);
    ans_free(&ans);
    return is_good;
}

/* nothing is said of FIELD any more: what the jobs have goes, if qalter has words for that */
static bool field_check_taken_back(struct form_field *field)
{
    if (field->was != NULL && field->kind != FIELD_WORD)
        field->wrong = uti_strdup(MSG_FORM_STAYS);
    return field->wrong == NULL;
}

bool submit_form_set(struct submit_form *f, const struct form_field *field, const char *value)
{
    struct form_field *mine = &f->v[field - f->v];
    char *copy = value != NULL ? uti_strdup(value) : NULL;
    field_forget(mine);
    if (copy == NULL || (copy[0] == '\0' && mine->kind != FIELD_FLAG)) {
        free(copy);
        return field_check_taken_back(mine);
    }
    mine->value = copy;
    return field_check(f, mine);
}

void submit_form_was(struct submit_form *f, const struct form_field *field, const char *value)
{
    struct form_field *mine = &f->v[field - f->v];
    free(mine->was);
    mine->was = NULL;
    (void)submit_form_set(f, field, value);
    mine->was = value != NULL ? uti_strdup(value) : NULL;
}

void submit_form_jobs(struct submit_form *f, const struct range_set *jobs)
{
    struct range run;
    struct dstr number = DSTR_INIT;
    words_free(&f->jobs);
    for (uint64_t at = 0; at <= UINT32_MAX && range_set_next_run(jobs, at, &run);
         at = (uint64_t)run.last + 1)
        for (uint64_t n = run.first; n <= run.last; n++) {
            dstr_clear(&number);
            dstr_addf(&number, "%u", (unsigned)n);
            words_add(&f->jobs, number.s, number.len, 0);
        }
    dstr_free(&number);
}

bool submit_form_is_changed(const struct form_field *field)
{
    if (field->value == NULL || field->was == NULL)
        return field->value != field->was;
    return strcmp(field->value, field->was) != 0;
}

const struct form_field *submit_form_wrong(const struct submit_form *f)
{
    for (uint32_t i = 0; i < f->n; i++)
        if (f->v[i].wrong != NULL)
            return &f->v[i];
    return NULL;
}

bool submit_form_array(const struct submit_form *f, struct ja_shape *out)
{
    const struct form_field *tasks = submit_form_find(f, "-t", false);
    struct words w = WORDS_INIT;
    struct job_command command;
    if (tasks->value == NULL || tasks->wrong != NULL)
        return false;
    job_command_init(&command, QSUB, f->by);
    bool is_array = field_words(tasks, &w, NULL) == 0 && try_words(&w, &command, NULL) == 0;
    if (is_array)
        *out = ja_shape_of(&command.job);
    job_command_free(&command);
    words_free(&w);
    return is_array;
}

/* ---- the order of the fields ---- */
/* The fields of a job in the order in which a window shows them. Hints are examples: short enough
 * to stand beside a field.
 * Source: submit(1), qalter(1) */

enum { BOTH = QSUB | QALTER };

static const struct submit_choice yes_no[] = {
    { "y", "yes", "Yes" },
    { "n", "no", "No" },
    { NULL, NULL, NULL },
};
static const struct submit_choice kinds[] = {
    { "n", "no", "Script" },
    { "y", "yes", "Program" },
    { NULL, NULL, NULL },
};
static const struct submit_choice checks[] = {
    { "e", "e", "Refuse if nothing fits" },
    { "w", "w", "Warn if nothing fits" },
    { "n", "n", "No check" },
    { "v", "v", "Only check (empty cell)" },
    { "p", "p", "Only check (present load)" },
    { NULL, NULL, NULL },
};

#define TEXT    INPUT_TEXT, NULL, 0
#define FLAG    INPUT_FLAG, NULL, 0
#define YES_NO  INPUT_CHOICE, yes_no, 0
#define KIND    INPUT_CHOICE, kinds, 0
#define CHECK   INPUT_CHOICE, checks, 0
#define QUEUES  INPUT_NAMES, NULL, GDI_CQUEUE
#define PROJECT INPUT_NAMES, NULL, GDI_PROJECT
#define CKPT    INPUT_NAMES, NULL, GDI_CKPT
#define PE      INPUT_PE, NULL, GDI_PE

/* clang-format off */
const struct submit_place submit_places[] = {
    { SUBMIT_JOB, "",             QSUB,   false, "Command",               "script or program, and its arguments",    TEXT,    "script|command|argument" },
    { SUBMIT_JOB, "-b",           QSUB,   false, "Command is a",          "default: script",                         KIND,    NULL },
    { SUBMIT_JOB, "-N",           BOTH,   false, "Name",                  "render_v2",                               TEXT,    "job name|job_name" },
    { SUBMIT_JOB, "-t",           QSUB,   false, "Tasks",                 "1-100, or 1-100:5 for every fifth",       TEXT,    "task id|tasks" },
    { SUBMIT_JOB, "-tc",          BOTH,   false, "Tasks at a time",       "at most this many run: 20",               TEXT,    "task concurrency" },
    { SUBMIT_JOB, "-hold_jid",    BOTH,   false, "Waits for jobs",        "1234,model* (all of their tasks)",        TEXT,    "predecessor|dependency|jobs to wait for" },
    { SUBMIT_JOB, "-hold_jid_ad", BOTH,   false, "Waits for tasks of",    "1234 (task by task, same range)",         TEXT,    "array dependency|dependent array" },
    { SUBMIT_JOB, "-l",           BOTH,   false, "Resources",             "h_rt=1:00:00,h_vmem=2G",                  TEXT,    "resource|complex attribute" },
    { SUBMIT_JOB, "-pe",          BOTH,   false, "Parallel environment",  "and number of slots: 4, or 2-8",          PE,      "parallel environment|pe range|slots" },
    { SUBMIT_JOB, "-o",           BOTH,   false, "Output to",             "$HOME/logs (file or directory)",          TEXT,    "stdout path|output path" },
    { SUBMIT_JOB, "-j",           BOTH,   false, "Errors to output file", "default: No, a file of their own",        YES_NO,  NULL },
    { SUBMIT_JOB, "-cwd",         BOTH,   false, "Run in this directory", "default: the home directory",             FLAG,    NULL },

    { SUBMIT_QUEUES, "-q",        BOTH,   false, "Queues",                "all.q,*@@fast",                           QUEUES,  "queue" },
    { SUBMIT_QUEUES, "-masterq",  BOTH,   false, "Queue of master task",  "of a parallel job: big.q",                QUEUES,  "master queue" },
    { SUBMIT_QUEUES, "-q",        BOTH,   true,  "Preferred queues",      "others are used if these are full",       QUEUES,  "soft queue" },
    { SUBMIT_QUEUES, "-l",        BOTH,   true,  "Preferred resources",   "gpu=1",                                  TEXT,    "soft resource" },
    { SUBMIT_QUEUES, "-R",        BOTH,   false, "Reserve resources",     "default: No",                             YES_NO,  "reservation" },
    { SUBMIT_QUEUES, "-binding",  BOTH,   false, "Bind to cores",         "linear:4",                                TEXT,    "binding" },
    { SUBMIT_QUEUES, "-ar",       BOTH,   false, "Advance reservation",   "number of the reservation: 12",           TEXT,    "advance reservation" },
    { SUBMIT_QUEUES, "-w",        BOTH,   false, "Check at submit",       "default: no check",                       CHECK,   "verify mode" },

    { SUBMIT_START, "-p",         BOTH,   false, "Priority",              "-1023 to 1024; default: 0",               TEXT,    "priority" },
    { SUBMIT_START, "-a",         BOTH,   false, "Not before",            "[[CC]YY]MMDDhhmm: 202612312200",          TEXT,    "start time" },
    { SUBMIT_START, "-dl",        BOTH,   false, "Deadline",              "[[CC]YY]MMDDhhmm: 202612312200",          TEXT,    "deadline" },
    { SUBMIT_START, "-h",         QSUB,   false, "Submit on hold",        "until released with qrls",                FLAG,    "user hold" },
    { SUBMIT_START, "-h",         QALTER, false, "Holds",                 "u, o, s set a hold; U, O, S remove it",   TEXT,    "hold" },
    { SUBMIT_START, "-now",       QSUB,   false, "Start now or never",    "default: No, wait in the queue",          YES_NO,  NULL },
    { SUBMIT_START, "-r",         BOTH,   false, "Rerun if host fails",   "default: as set for the queue",           YES_NO,  "restart" },
    { SUBMIT_START, "-js",        BOTH,   false, "Job share",             "of the share tree: 10",                   TEXT,    "job share|jobshare" },
    { SUBMIT_START, "-ot",        BOTH,   false, "Override tickets",      "100 (operators only)",                    TEXT,    "override tickets" },

    { SUBMIT_FILES, "-e",         BOTH,   false, "Errors to",             "$HOME/logs (file or directory)",          TEXT,    "stderr path|error output path" },
    { SUBMIT_FILES, "-i",         BOTH,   false, "Input from",            "$HOME/input.txt",                         TEXT,    "stdin path|input path" },
    { SUBMIT_FILES, "-wd",        BOTH,   false, "Working directory",     "/shows/a/shot10",                         TEXT,    "working directory" },

    { SUBMIT_ENVIRONMENT, "-v",     BOTH, false, "Variables",             "SHOT=10,LEVEL=2, or names to copy",       TEXT,    "environment variable" },
    { SUBMIT_ENVIRONMENT, "-V",     BOTH, false, "Copy all variables",    "of the environment of qmon",              FLAG,    "environment" },
    { SUBMIT_ENVIRONMENT, "-S",     BOTH, false, "Shell",                 "/bin/bash",                               TEXT,    "shell" },
    { SUBMIT_ENVIRONMENT, "-shell", QSUB, false, "Start by a shell",      "programs only; default: Yes",             YES_NO,  NULL },
    { SUBMIT_ENVIRONMENT, "-C",     QSUB, false, "Option line prefix",    "in scripts; default: #$",                 TEXT,    "directive prefix" },

    { SUBMIT_NOTIFICATION, "-m",      BOTH, false, "Mail at",             "b begin, e end, a abort, s suspend",      TEXT,    "mail options" },
    { SUBMIT_NOTIFICATION, "-M",      BOTH, false, "Mail to",             "alice@example.com",                       TEXT,    "mail list|mail address" },
    { SUBMIT_NOTIFICATION, "-notify", BOTH, false, "Warn the job",        "by a signal before suspend or kill",      FLAG,    "notify" },

    { SUBMIT_ACCOUNTING, "-P",    BOTH,   false, "Project",               "a name from the list",                    PROJECT, "project" },
    { SUBMIT_ACCOUNTING, "-A",    BOTH,   false, "Account",               "text in the accounting record",           TEXT,    "account" },
    { SUBMIT_ACCOUNTING, "-ac",   BOTH,   false, "Add context",           "artist=ann,take=3",                       TEXT,    "context" },
    { SUBMIT_ACCOUNTING, "-sc",   BOTH,   false, "Set context",           "artist=ann (replaces all others)",        TEXT,    "context" },
    { SUBMIT_ACCOUNTING, "-dc",   BOTH,   false, "Remove context",        "artist,take",                             TEXT,    "context" },

    { SUBMIT_CHECKPOINTING, "-ckpt", BOTH, false, "Checkpointing",        "a name from the list",                    CKPT,    "checkpointing environment" },
    { SUBMIT_CHECKPOINTING, "-c",    BOTH, false, "Checkpoint at",        "s, m, x, n, or a time: 0:30:0",           TEXT,    "checkpoint" },
    { SUBMIT_CHECKPOINTING, "-he",   BOTH, false, "Error if not restored", "default: No",                             YES_NO,  "hard error handling" },
};
/* clang-format on */
const unsigned submit_places_n = ARRAY_LEN(submit_places);

const char *submit_group_title(enum submit_group group)
{
    static const char *const titles[SUBMIT_GROUPS] = {
        [SUBMIT_JOB] = "Job",
        [SUBMIT_QUEUES] = "Queues and Hosts",
        [SUBMIT_START] = "Priority and Start",
        [SUBMIT_FILES] = "Files and Directories",
        [SUBMIT_ENVIRONMENT] = "Environment and Shell",
        [SUBMIT_NOTIFICATION] = "Notification",
        [SUBMIT_ACCOUNTING] = "Accounting and Context",
        [SUBMIT_CHECKPOINTING] = "Checkpointing",
    };
    return titles[group];
}

static bool is_place_of(const struct submit_place *place, const struct form_field *field)
{
    const char *option = field->row != NULL ? field->row->name : "";
    return place->is_soft == field->is_soft && strcmp(place->option, option) == 0;
}

const struct submit_place *submit_place_of(const struct form_field *field, unsigned program)
{
    for (unsigned i = 0; i < submit_places_n; i++)
        if ((submit_places[i].programs & program) != 0 && is_place_of(&submit_places[i], field))
            return &submit_places[i];
    return NULL;
}

const struct form_field *submit_place_field(const struct submit_form *form,
                                            const struct submit_place *place)
{
    if ((place->programs & submit_form_program(form)) == 0)
        return NULL;
    for (uint32_t i = 0; i < submit_form_count(form); i++)
        if (is_place_of(place, submit_form_at(form, i)))
            return submit_form_at(form, i);
    return NULL;
}

int submit_choice_number(const struct submit_choice *choices, const char *value)
{
    for (int i = 0; value != NULL && choices[i].value != NULL; i++)
        if (strcasecmp(value, choices[i].value) == 0 || strcasecmp(value, choices[i].word) == 0)
            return i;
    return -1;
}
