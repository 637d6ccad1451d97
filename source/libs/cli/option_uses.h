#ifndef CLI_OPTION_USES_H
#define CLI_OPTION_USES_H

#include "libs/cli/option.h"
#include "libs/cli/words.h"

/* The options of several sources (request files, script, command line), gathered in order of rank
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
