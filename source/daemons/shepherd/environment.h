#ifndef SHEPHERD_ENVIRONMENT_H
#define SHEPHERD_ENVIRONMENT_H

#include "common/basis.h"

/* The environment of the job: what execd wrote, and a few variables that only the shepherd
 * knows. */
struct config;
struct environment {
    char **v; /* owned, NULL-terminated: for execve */
    uint32_t n, cap;
};

/* environment_from - the lines of file "environment", read like a configuration */
void environment_from(struct environment *e, const struct config *lines);
void environment_free(struct environment *e);
/* environment_for_hooks - what a hook gets of JOB's: what the system says of job and submission,
 * with a PATH that the submitter has not chosen, and nothing else of his: no LD_*, BASH_ENV, ENV
 * ... */
void environment_for_hooks(struct environment *e, const struct environment *job);
/* environment_set - set VARIABLE, replacing its value; environment_get - its value or NULL */
void environment_set(struct environment *e, const char *variable, const char *value);
const char *environment_get(const struct environment *e, const char *variable);

#endif
