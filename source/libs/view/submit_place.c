/* The fields of a job in the order in which a window shows them. Hints are examples: short enough
 * to stand beside a field.
 * Source: submit(1), qalter(1) */
#include "libs/view/submit_place.h"

#include <string.h>
#include <strings.h>

#include "common/basis.h"

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
