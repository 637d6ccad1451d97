/* Vectors of strings. */
#include "libs/drmaa/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"

enum { TASK_ID_BYTES = 32 }; /* two numbers and a point */

struct texts *texts_new(void)
{
    return uti_calloc(1, sizeof(struct texts));
}

void texts_free(struct texts *s)
{
    if (s == NULL)
        return;
    for (uint32_t i = 0; s->v != NULL && i < s->n; i++)
        free(s->v[i]);
    free(s->v);
    free(s);
}

void texts_add(struct texts *s, const char *text)
{
    s->v = uti_vec_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
    s->v[s->n] = uti_strdup(text);
    s->n++;
}

struct texts *texts_of_tasks(uint32_t job, uint32_t first, uint32_t step, uint32_t n)
{
    struct texts *s = texts_new();
    s->job = job;
    s->first_task = first;
    s->step = step;
    s->n = n;
    return s;
}

void text_copy(char *buf, size_t bytes, const char *text)
{
    if (buf == NULL || bytes == 0)
        return;
    size_t len = strnlen(text, bytes - 1);
    memcpy(buf, text, len);
    buf[len] = '\0';
}

bool texts_next(struct texts *s, char *buf, size_t bytes)
{
    if (s->at >= s->n)
        return false;
    uint32_t at = s->at++;
    if (s->v != NULL) {
        text_copy(buf, bytes, s->v[at]);
        return true;
    }
    char id[TASK_ID_BYTES];
    (void)snprintf(id, sizeof id, "%u.%u", s->job, s->first_task + at * s->step);
    text_copy(buf, bytes, id);
    return true;
}
