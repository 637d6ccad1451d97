#ifndef CLIENTS_COMMON_COMMAND_H
#define CLIENTS_COMMON_COMMAND_H

#include "common/basis.h"

struct answer;
struct dstr;

/* A command with options of its own (option_table.h), as its main sees it. OPTIONS is the struct
 * that all of its functions know. */
struct command {
    /* reads the N words ARGS; 0, or -1 with ans. *shows_usage: the usage text comes before it */
    int (*parse)(int n, char *const *args, void *options, bool *shows_usage, struct answer *ans);
    /* does what OPTIONS say and returns the exit status; *shows_usage as above */
    int (*run)(void *options, bool *shows_usage, struct answer *ans);
    void (*usage)(struct dstr *out); /* appends the help text */
};

/* command_main - the rest of a main: words in, usage and errors out
 *   wants_help  a member of OPTIONS: the help text is all
 * Returns the exit status. What OPTIONS own stays the caller's. */
int command_main(const struct command *c, int argc, char **argv, void *options,
                 const bool *wants_help);

/* caller_name - of the user whose process this is, or the id where it has no name; new: free */
char *caller_name(void);

/* output_finish - before main returns: has all that was printed on stdout been written?
 *
 *   status  the exit status so far
 *
 * Returns STATUS, or EXIT_FAILURE in place of EXIT_SUCCESS after saying on stderr what is wrong: a
 * full disk, not a command that did nothing. Source: EXIT STATUS of each command's page. */
int output_finish(int status);

#endif
