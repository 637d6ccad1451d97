#ifndef VIEW_JOB_OPTIONS_H
#define VIEW_JOB_OPTIONS_H

#include "libs/sgeobj/rows.h"
#include "libs/view/submit_form.h"

/* What a job has, as the options of qalter would say it. Pure. */

/* job_option_value - append the value of OPTION ("-l", with IS_SOFT what follows -soft) of JOB
 * False: the job does not have it, or it cannot be read back (the environment, the context). The
 * time zone is that of the process. */
bool job_option_value(const struct JB_Type *job, const char *option, bool is_soft,
                      struct dstr *out);
/* job_options_fill - all fields of FORM, made by submit_form_new_change, become what JOB has */
void job_options_fill(struct submit_form *form, const struct JB_Type *job);

#endif
