#ifndef VIEW_SUBMIT_PLACE_H
#define VIEW_SUBMIT_PLACE_H

#include "libs/gdi/message.h"
#include "libs/view/submit_form.h"

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
