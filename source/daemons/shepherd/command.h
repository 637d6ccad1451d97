#ifndef SHEPHERD_COMMAND_H
#define SHEPHERD_COMMAND_H

#include "common/basis.h"

/* What is executed: from the configuration to the arguments of execve. Pure. */
struct task_config;
struct strings {
    char **v; /* owned, NULL-terminated when n > 0 */
    uint32_t n, cap;
};
struct exec_command {
    struct strings paths; /* tried in this order until one can be executed */
    struct strings argv;  /* its arguments, argv[0] first */
    struct strings
        fallback;     /* for a script without "#!": the same through the shell; may be empty */
    char *name;       /* owned: what is executed, as it was given */
    char *stdin_path; /* the shell reads the script from here; NULL = nothing special */
};

/* command_of_job - the job itself
 *
 *   conf         borrowed
 *   search_path  value of PATH, for a name without "/"; NULL = "/usr/bin:/bin"
 *
 * A binary runs through "shell -c": alone as it is, with arguments each quoted so that it stays one
 * word and its "$" are left to expand; -shell n and scripts in mode unix_behavior are executed
 * directly.
 * Source: qsub(1) -b, -shell, -S; queue_conf(5) shell_start_mode */
void command_of_job(struct exec_command *out, const struct task_config *conf,
                    const char *search_path);

/* command_of_words - a hook: TEXT cut at blanks, with $name replaced by LOOKUP's text (NULL leaves
 * it as it is) */
typedef const char *(*command_lookup_fn)(void *ctx, const char *name);
void command_of_words(struct exec_command *out, const char *text, command_lookup_fn lookup,
                      void *ctx, const char *search_path);
/* command_through_shell - C, of command_of_words, becomes "SHELL -s arguments", whose standard
 * input is what C would have executed */
void command_through_shell(struct exec_command *c, const char *shell);
void command_free(struct exec_command *c);

struct dstr;
/* command_quote - append WORD so that a shell reads it as one word in which only $ expands */
void command_quote(struct dstr *out, const char *word);

#endif
