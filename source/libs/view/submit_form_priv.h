#ifndef VIEW_SUBMIT_FORM_PRIV_H
#define VIEW_SUBMIT_FORM_PRIV_H

#include "libs/uti/dstr.h"
#include "libs/view/submit_form.h"

/* The form from within, for submit_form.c, which keeps the fields, and submit_text.c, which reads
 * and writes them. */
struct submit_form {
    const struct submitter *by; /* borrowed */
    unsigned program;           /* QSUB or QALTER */
    struct form_field *v;
    uint32_t n, cap;
    struct words jobs; /* of QALTER: their numbers */
};

/* field_words - append the words that FIELD, which is set, takes on a command line. Returns 0, or
 * -1 with ans: a quote is open */
int field_words(const struct form_field *field, struct words *out, struct answer *ans);

#endif
