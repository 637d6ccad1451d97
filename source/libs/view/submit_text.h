#ifndef VIEW_SUBMIT_TEXT_H
#define VIEW_SUBMIT_TEXT_H

#include "libs/view/submit_form.h"

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

#endif
