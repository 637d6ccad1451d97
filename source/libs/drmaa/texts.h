#ifndef DRMAA_TEXTS_H
#define DRMAA_TEXTS_H

#include "common/basis.h"

/* A vector of strings as the host program reads it, one after the other: names and values are
 * texts, the ids of a bulk job are made when they are asked for, so that a million of them cost
 * nothing before. */
struct texts {
    char **v; /* owned; NULL: ids */
    uint32_t n, cap;
    uint32_t at; /* what comes next */
    /* of ids */
    uint32_t job, first_task, step;
};

/* texts_new - an empty vector; new: texts_free. texts_free - NULL is fine */
struct texts *texts_new(void);
void texts_free(struct texts *s);
/* texts_add - append a copy of TEXT */
void texts_add(struct texts *s, const char *text);
/* texts_of_tasks - the ids JOB.FIRST, JOB.FIRST+STEP ..., N of them; new: texts_free */
struct texts *texts_of_tasks(uint32_t job, uint32_t first, uint32_t step, uint32_t n);

/* texts_next - the next text into BUF; false: no more */
bool texts_next(struct texts *s, char *buf, size_t bytes);

#endif
