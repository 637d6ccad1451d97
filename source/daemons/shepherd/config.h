#ifndef SHEPHERD_CONFIG_H
#define SHEPHERD_CONFIG_H

#include "common/basis.h"

/* The file "config" in memory: key=value lines as execd wrote them. */
struct answer;
struct config_pair {
    const char *key, *value;
};
struct config {
    char *text;            /* owned; keys and values point into it */
    struct config_pair *v; /* owned, in the order of the file */
    uint32_t n, cap;
};

/* config_parse - take TEXT apart, which is new and taken
 *
 *   what  names the text in errors
 *   ans   STATUS_ESYNTAX naming the line without "="
 *
 * Returns 0, or -1 with C empty. Pure. */
int config_parse(struct config *c, char *text, const char *what, struct answer *ans);
/* config_read - the same for file PATH in the working directory */
int config_read(struct config *c, const char *path, struct answer *ans);
void config_free(struct config *c);

/* config_get - value of KEY, OTHERWISE if it is not there */
const char *config_get(const struct config *c, const char *key, const char *otherwise);

/* The environment of the job: what execd wrote, and a few variables that only the shepherd
 * knows. */
struct environment {
    char **v; /* owned, NULL-terminated: for execve */
    uint32_t n, cap;
};

/* environment_from - the lines of file "environment", read like a configuration */
void environment_from(struct environment *e, const struct config *lines);
void environment_free(struct environment *e);
/* environment_for_hooks - what a hook of the job's owner gets of JOB's: all but for what decides
 * how programs find their parts (PATH, LD_*, BASH_ENV, PYTHON* ...): a mistake there would be the
 * queue's failure
 * environment_for_others - what a hook of another user gets: what the system says of job and
 * submission, and nothing else of the submitter's. Both have a PATH of their own. */
void environment_for_hooks(struct environment *e, const struct environment *job);
void environment_for_others(struct environment *e, const struct environment *job);
/* environment_set - set VARIABLE, replacing its value; environment_get - its value or NULL */
void environment_set(struct environment *e, const char *variable, const char *value);
const char *environment_get(const struct environment *e, const char *variable);
/* environment_find - where VARIABLE stands, until the next change; NULL: nowhere */
char **environment_find(const struct environment *e, const char *variable);

#endif
