#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include "common/basis.h"

/* The option tables: one row per option, one loop that reads them.
 *
 * A row (sge_optionL.h) says the option's name, its argument, the field of JB_Type it sets, its
 * parser, where it may stand and the man page that describes it. Command lines, `#$` lines of
 * scripts, request files, -@ files, `-help` and what qalter may change all come from these rows.
 * Source: submit(1). */

struct answer;
struct dstr;
struct job_command;
struct option_row;

/* where an option may stand: programs, and SCRIPT for `#$` lines, request files and -@ files */
enum { QSUB = 1, QALTER = 2, QRESUB = 4, QHOLD = 8, QRLS = 16, QDEL = 32, QMOD = 64, SCRIPT = 128 };
enum { OPTION_SETS_NOTHING = -1 }; /* the option speaks to the program, not of the job */

enum option_effect {
    OPTION_ACTS, /* works */
    OPTION_KEPT, /* stored and shown; its effect belongs to a later part: one warning */
    OPTION_WAITS /* cannot be stored yet: refused */
};

/* One use of an option, as its parser sees it. */
struct option_call {
    const struct option_row *row;
    const char *const *args; /* the words that follow the option, as its row says */
    unsigned n_args;
    bool is_first; /* first use in its source */
    struct job_command *to;
};
/* An option's parser: fills call->to from call->args. Returns 0, or -1 with ans (texts name the
 * program and the option). */
typedef int (*option_fn)(const struct option_call *call, struct answer *ans);

struct option_row {
    const char *name; /* "-hold_jid_ad" */
    /* names of argument rows, blank between two words; "" = none; "[a|b]" = taken if the word is a
     * or b; "x ..." = words up to the next option */
    const char *argument;
    int sets;        /* enum JB_Type_fields or OPTION_SETS_NOTHING */
    option_fn parse; /* NULL: OPTION_WAITS */
    unsigned where;
    const char *documented; /* "submit(1)" */
    enum option_effect effect;
    const char *help; /* its words in -help */
};
extern const struct option_row option_rows[];
extern const unsigned option_rows_n;

/* What the words of `argument` are: its syntax stands in the lower part of -help and in
 * sge_types(1). */
struct argument_row {
    const char *name;   /* "wc_job_list" */
    const char *shown;  /* in -help: "job_identifier_list" */
    const char *syntax; /* NULL: said by the word itself */
    unsigned where;     /* programs whose -help explains it so */
};
extern const struct argument_row argument_rows[];
extern const unsigned argument_rows_n;

/* option_find - the row of NAME for a program or source (one bit of WHERE); NULL if it has none */
const struct option_row *option_find(const char *name, unsigned where);
/* option_words - how many of the LEFT words after the option are its argument; -1 if there are too
 * few "..." takes words up to the next one with a leading `-`. */
int option_words(const struct option_row *row, char *const *words, unsigned left);
/* argument_find - the row of an argument's word; NULL if unknown */
const struct argument_row *argument_find(const char *name, size_t len);
/* option_program_name - "qsub" ...
 * option_speaker - who speaks in messages about options: qhold and qrls do as qalter, as users know
 * it */
const char *option_program_name(unsigned program);
const char *option_speaker(unsigned program);

/* option_help - the -help text of a program: version, usage, a line per option, the syntax of the
 * arguments
 * Appends to OUT. O(rows x arguments). */
void option_help(unsigned program, struct dstr *out);

#endif
