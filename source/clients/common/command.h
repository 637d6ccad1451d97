#ifndef CLIENTS_COMMON_COMMAND_H
#define CLIENTS_COMMON_COMMAND_H

#include "libs/uti/parse.h"

struct answer;
struct dstr;

/* A command with options of its own (below), as its main sees it. OPTIONS is the struct
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

/* ---- options ---- */

/* Command lines of the clients that show things: a table of options, one row each, read by one
 * loop. (Options of jobs are libs/cli's.) */
enum option_argument {
    ARGUMENT_NONE,
    ARGUMENT_NEEDED,
    ARGUMENT_MAYBE, /* taken unless it begins with `-` */
    ARGUMENTS,      /* a list: as many words as come before one that begins with `-`, at least 1 */
    ARGUMENTS_MAYBE /* the same, or none */
};

struct client_option {
    const char *name;
    enum option_argument argument;
    /* called with each argument, once with NULL if there is none; AT is a member of the options
     * false: wrong argument; NULL: known, but not supported yet */
    bool (*apply)(void *at, const char *argument, unsigned value);
    const char *usage; /* as -help shows it; NULL: not on a line of its own */
    const char *what;
    size_t at;      /* offset of the member of the options; 0: all of them */
    unsigned value; /* passed to `apply` */
};
struct option_table {
    const struct client_option *rows;
    size_t n;
    const char *indent; /* of the lines of -help */
    int width;          /* of the column of options in them */
    /* takes a word that is no option; NULL or false: it is an error */
    bool (*operand)(void *options, const char *word);
};

/* option_table_parse - read the N words ARGS into OPTIONS (the struct that the rows' functions
 * know)
 * Returns 0, or -1 with one error in ans; *shows_usage is set when the usage text comes before
 * it. */
int option_table_parse(const struct option_table *t, int n, char *const *args, void *options,
                       bool *shows_usage, struct answer *ans);
/* option_table_help - append the lines of the options */
void option_table_help(const struct option_table *t, struct dstr *out);

/* ---- for rows: each takes a member of the options ---- */

/* option_flag - a bool becomes true
 * option_bits - VALUE, bits, is added to an unsigned
 * option_form - an enum doc_form becomes VALUE
 * option_word - a const char * becomes the argument, which is borrowed
 * option_text - a char * becomes a copy of the argument; what was there is freed
 * option_names - the items of a list of names are appended to a name_list
 * option_requests - those of a list of requests for resources */
bool option_flag(void *at, const char *argument, unsigned value);
bool option_bits(void *at, const char *argument, unsigned value);
bool option_form(void *at, const char *argument, unsigned value);
bool option_word(void *at, const char *argument, unsigned value);
bool option_text(void *at, const char *argument, unsigned value);
bool option_names(void *at, const char *argument, unsigned value);
bool option_requests(void *at, const char *argument, unsigned value);

#endif
