#ifndef VIEW_SUBMIT_FORM_H
#define VIEW_SUBMIT_FORM_H

#include "libs/cli/option.h"
#include "libs/cli/words.h"
#include "libs/sgeobj/ja_dependency.h"

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

/* submit_form_blamed - the field that SAID, a refusal, is about; NULL: unknown
 * Of the fields that are set: the one whose option it names first; else the one of which it quotes
 * the value, or a part of it, and uses the noun (submit_place.h); else the only one that is set. */
const struct form_field *submit_form_blamed(const struct submit_form *f, const char *said);

/* submit_form_array - the tasks that it says (-t), false if it says none */
bool submit_form_array(const struct submit_form *f, struct ja_shape *out);

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

#endif
