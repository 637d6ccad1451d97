#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include "common/basis.h"
#include "libs/cli/words.h"

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
enum {
    QSUB = 1,
    QALTER = 2,
    QRESUB = 4,
    QHOLD = 8,
    QRLS = 16,
    QDEL = 32,
    QMOD = 64,
    SCRIPT = 128,
    QRSH = 256, /* these three take what qsub takes, but for what a session has no use for */
    QLOGIN = 512,
    QSH = 1024,
    QRSUB = 2048,
    QRDEL = 4096,
    INTERACTIVE_PROGRAMS = QRSH | QLOGIN | QSH
};
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
/* option_is_of - may the option of ROW stand in all of WHERE? */
bool option_is_of(const struct option_row *row, unsigned where);
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

/* ---- uses ----
 *
 * The options of several sources (request files, script, command line), gathered in order of rank
 * and then obeyed in that order, so that the last one wins. */
struct option_use {
    const struct option_row *row;
    const char *const *args; /* borrowed from the words scanned */
    unsigned n_args, source, line;
    const char *file; /* NULL: command line; borrowed */
};
struct option_uses {
    struct option_use *v;
    uint32_t n, cap;
    struct words **files; /* owned: words of -@ files */
    uint32_t n_files, cap_files;
};
#define OPTION_USES_INIT                                                                           \
    {                                                                                              \
        NULL, 0, 0, NULL, 0, 0                                                                     \
    }
/* option_uses_free - U is empty afterwards */
void option_uses_free(struct option_uses *u);

/* Where words come from: who may stand there, and its name in messages. */
struct option_source {
    unsigned program; /* QSUB ... */
    unsigned also;    /* 0, or SCRIPT: the option must be allowed there as well */
    unsigned rank;    /* 0, 1 ...: later sources have higher ones */
    const char *file; /* NULL: command line; borrowed, outlives the uses */
    unsigned others;  /* programs whose own options may stand there, too */
};

#define OPTIONS_END "--"
/* option_uses_scan - take options from W, beginning at word FROM, up to the first word that is not
 * an option, or is OPTIONS_END
 *   w  borrowed, must outlive U and not change
 * -@ files are read on the way. Returns the index of the first word that is no option (w->n at the
 * end), or -1 with ans: an unknown option, a missing argument, an unreadable file. */
long option_uses_scan(struct option_uses *u, const struct words *w, uint32_t from,
                      const struct option_source *source, struct answer *ans);
/* option_uses_scan_one - the same for the one option at word AT. Returns the index of the word
 * after it, or -1 with ans. */
long option_uses_scan_one(struct option_uses *u, const struct words *w, uint32_t at,
                          const struct option_source *source, struct answer *ans);
/* option_uses_scan_all - the same for a file, where every word must belong to an option. Returns 0
 * or -1. */
int option_uses_scan_all(struct option_uses *u, const struct words *w,
                         const struct option_source *source, struct answer *ans);

/* option_uses_obey - call the parser of each use; of those before the last -clear only what its own
 * source said to the program
 * Returns 0, or -1 with ans at the first failure (TO is then of no use). Warnings: one for each
 * option that is only stored, and for each limit without a value. */
int option_uses_obey(const struct option_uses *u, struct job_command *to, struct answer *ans);

#endif
