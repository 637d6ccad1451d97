#ifndef VIEW_SUBMIT_FORM_H
#define VIEW_SUBMIT_FORM_H

#include "libs/cli/option.h"
#include "libs/cli/words.h"
#include "libs/gdi/message.h"
#include "libs/sgeobj/ja_dependency.h"
#include "libs/sgeobj/rows.h"

/* A job that is to be, as a form: a field for each option of qsub, made from the option table, so
 * that none is forgotten, and the command with its arguments. Whatever is put into it is checked by
 * the parser that qsub has for it, and stays as the user wrote it. No window, no network. */
struct answer;
struct dstr;
struct range_set;
struct submit_form;
struct submitter;

enum field_kind {
    FIELD_FLAG,  /* said or not */
    FIELD_WORD,  /* one argument, blanks and all */
    FIELD_WORDS, /* several, with blanks between; quotes group */
    FIELD_COMMAND
};
struct form_field {
    const struct option_row *row; /* NULL: the command */
    enum field_kind kind;
    bool is_soft; /* what follows -soft */
    char *value;  /* owned; NULL: not said; "" of a flag that is */
    char *was;    /* owned; of a change: what the jobs have already, as far as it is known */
    char *wrong;  /* owned; what keeps the value from being taken; NULL: nothing */
};

/* submit_form_new - nothing said; BY is borrowed for life. New: submit_form_free */
struct submit_form *submit_form_new(const struct submitter *by);
/* submit_form_new_change - a change of jobs that are there (qalter), which has no command: its
 * words are the fields whose value is not what it was */
struct submit_form *submit_form_new_change(const struct submitter *by);
void submit_form_free(struct submit_form *f);

/* submit_form_program - QSUB or QALTER
 * submit_form_count - how many fields there are; the command, if it has one, is the first
 * submit_form_at - field NUMBER, borrowed; NULL behind the last
 * submit_form_find - the field of OPTION ("-hold_jid_ad"), soft or hard; NULL: there is none */
unsigned submit_form_program(const struct submit_form *f);
uint32_t submit_form_count(const struct submit_form *f);
const struct form_field *submit_form_at(const struct submit_form *f, uint32_t number);
const struct form_field *submit_form_find(const struct submit_form *f, const char *option,
                                          bool is_soft);
/* field_name - "-l", "-soft -l", "command"; borrowed until the next call with the same BUFFER */
const char *field_name(const struct form_field *field, struct dstr *buffer);

/* submit_form_set - FIELD has VALUE from now on; NULL, and "" of all but flags: it is not said
 * True if it can be so; else its `wrong` says why not. O(length) */
bool submit_form_set(struct submit_form *f, const struct form_field *field, const char *value);
/* submit_form_was - the jobs have VALUE already; so says the field, too
 * submit_form_jobs - of a change: it is about JOBS (numbers), borrowed
 * submit_form_is_changed - would the field be on the command line? */
void submit_form_was(struct submit_form *f, const struct form_field *field, const char *value);
void submit_form_jobs(struct submit_form *f, const struct range_set *jobs);
bool submit_form_is_changed(const struct form_field *field);
/* submit_form_clear - all fields become unset, and count as unchanged */
void submit_form_clear(struct submit_form *f);
/* submit_form_wrong - the first field that cannot be so, NULL without one */
const struct form_field *submit_form_wrong(const struct submit_form *f);

/* submit_form_array - the tasks that it says (-t), false if it says none */
bool submit_form_array(const struct submit_form *f, struct ja_shape *out);

/* A form as a command line and as a request file, and the field that a refusal is about. Pure, but
 * for the files. */

/* submit_form_words - append the words of the command line, "qsub" or "qalter" first
 * submit_form_line - append the same as a shell reads it, to be copied
 * submit_form_text - append the options as a request file (sge_request(5)) has them, a line each */
void submit_form_words(const struct submit_form *f, struct words *out);
void submit_form_line(const struct submit_form *f, struct dstr *out);
void submit_form_text(const struct submit_form *f, struct dstr *out);

/* submit_form_load - the fields that request file PATH speaks of become what it says
 * submit_form_take_script - PATH is the command, and what its `#$` lines say goes to the fields
 * An option that stands there several times is put together with commas. Returns 0, or -1 with ans
 * and the form as it was. */
int submit_form_load(struct submit_form *f, const char *path, struct answer *ans);
int submit_form_take_script(struct submit_form *f, const char *path, struct answer *ans);
/* submit_form_script - append the path of the script that is the command; false: there is none
 * submit_form_reload - the same as submit_form_take_script for that script; the command with its
 * arguments stays */
bool submit_form_script(const struct submit_form *f, struct dstr *path);
int submit_form_reload(struct submit_form *f, struct answer *ans);

/* submit_form_blamed - the field that SAID, a refusal, is about; NULL: unknown
 * Of the fields that are set: the one whose option it names first; else the one of which it quotes
 * the value, or a part of it, and uses the noun (submit_place); else the only one that is set. */
const struct form_field *submit_form_blamed(const struct submit_form *f, const char *said);

/* ---- what a job has, as the options of qalter would say it (job_options.c); pure ---- */

/* job_option_value - append the value of OPTION ("-l", with IS_SOFT what follows -soft) of JOB
 * False: the job does not have it, or it cannot be read back (the environment, the context). The
 * time zone is that of the process. */
bool job_option_value(const struct JB_Type *job, const char *option, bool is_soft,
                      struct dstr *out);
/* job_options_fill - all fields of FORM, made by submit_form_new_change, become what JOB has */
void job_options_fill(struct submit_form *form, const struct JB_Type *job);

/* The order of the fields of a job in a window: a table of groups, first what most jobs need, with
 * a label, an example and the kind of input of each field. Pure. */
enum submit_group {
    SUBMIT_JOB,
    SUBMIT_QUEUES,
    SUBMIT_START,
    SUBMIT_FILES,
    SUBMIT_ENVIRONMENT,
    SUBMIT_NOTIFICATION,
    SUBMIT_ACCOUNTING,
    SUBMIT_CHECKPOINTING,
    SUBMIT_GROUPS
};
enum input_kind {
    INPUT_TEXT,
    INPUT_FLAG,   /* set or not */
    INPUT_CHOICE, /* one of `choices`, or the default */
    INPUT_NAMES,  /* text, or a name of an object of the cell */
    INPUT_PE      /* a name of a parallel environment and a range of slots */
};
struct submit_choice {
    const char *value, *word; /* as options take it: "y", or also "yes" */
    const char *label;        /* "Yes" */
};
struct submit_place {
    enum submit_group group;
    const char *option; /* "" is the command */
    unsigned programs;  /* QSUB, QALTER */
    bool is_soft;
    const char *label, *hint;
    enum input_kind input;
    const struct submit_choice *choices; /* ends with a value NULL */
    enum gdi_target names;               /* of INPUT_NAMES and INPUT_PE */
    const char *words; /* what refusals call it, "|" between; NULL: the option alone */
};
extern const struct submit_place submit_places[];
extern const unsigned submit_places_n;

/* submit_group_title - the heading above a group */
const char *submit_group_title(enum submit_group group);

/* submit_place_of - the row of FIELD in a form for PROGRAM; NULL if it has none */
const struct submit_place *submit_place_of(const struct form_field *field, unsigned program);

/* submit_place_field - the field of FORM that PLACE describes; NULL if the form has none */
const struct form_field *submit_place_field(const struct submit_form *form,
                                            const struct submit_place *place);

/* submit_choice_number - the choice that VALUE is, from 0; -1: none of them, or not set */
int submit_choice_number(const struct submit_choice *choices, const char *value);

#endif
