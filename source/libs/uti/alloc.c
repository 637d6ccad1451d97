/* Memory that is there. A refused allocation goes to the guard of the thread (guard.h) or ends the
 * process with a line on stderr. Nothing here allocates on the failing path. */
#include "libs/uti/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/uti/guard.h"
#include "libs/uti/msg_uti.h"

void uti_alloc_refused(size_t bytes)
{
    guard_refuse_memory();
    char line[80];
    int n = snprintf(line, sizeof line, MSG_ALLOC_FAILED_U, bytes);
    if (n > 0 && write(STDERR_FILENO, line, (size_t)n) < 0)
        _exit(2); /* there is no one to report it to */
    abort();
}

void *uti_alloc(size_t bytes)
{
    void *p = malloc(bytes > 0 ? bytes : 1);
    if (p == NULL)
        uti_alloc_refused(bytes);
    return p;
}

void *uti_calloc(size_t count, size_t bytes)
{
    void *p = calloc(count > 0 ? count : 1, bytes > 0 ? bytes : 1);
    if (p == NULL)
        uti_alloc_refused(count * bytes);
    return p;
}

void *uti_realloc(void *old, size_t bytes)
{
    void *p = realloc(old, bytes > 0 ? bytes : 1);
    if (p == NULL)
        uti_alloc_refused(bytes);
    return p;
}

char *uti_strdup(const char *s)
{
    return uti_strndup(s, SIZE_MAX);
}

char *uti_strndup(const char *s, size_t max_bytes)
{
    size_t len = strnlen(s, max_bytes);
    char *copy = uti_alloc(len + 1);
    memcpy(copy, s, len);
    copy[len] = '\0';
    return copy;
}

void *uti_try_alloc(size_t bytes)
{
    return malloc(bytes > 0 ? bytes : 1);
}

void *uti_try_realloc(void *old, size_t bytes)
{
    return realloc(old, bytes > 0 ? bytes : 1);
}

void *uti_vec_grow(void *v, uint32_t *cap, uint32_t want, size_t elem_bytes)
{
    if (want <= *cap)
        return v;
    uint64_t next = *cap > 0 ? (uint64_t)*cap * 2 : 4;
    if (next < want)
        next = want;
    if (next > UINT32_MAX)
        next = UINT32_MAX;
    size_t bytes;
    if (__builtin_mul_overflow((size_t)next, elem_bytes, &bytes))
        uti_alloc_refused(SIZE_MAX);
    v = uti_realloc(v, bytes);
    *cap = (uint32_t)next;
    return v;
}
