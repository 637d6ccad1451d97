/* Vectors of strings, and the functions of the interface that read those of names, values and ids.
 * They need no session: what a host program has got it may read afterwards. */
#include "libs/drmaa/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libs/drmaa/drmaa.h"
#include "libs/drmaa/library.h"
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

/* ---- the interface ---- */

struct vector_args {
    enum handle_kind kind;
    const void *handle;
    char *value;
    size_t value_len;
    int *size;
};

static int read_next(void *args, struct answer *ans)
{
    const struct vector_args *a = args;
    (void)ans;
    library_lock();
    struct texts *s = handle_find(library_handles(), a->kind, a->handle);
    int number = s == NULL || a->value == NULL           ? DRMAA_ERRNO_INVALID_ARGUMENT
                 : texts_next(s, a->value, a->value_len) ? DRMAA_ERRNO_SUCCESS
                                                         : DRMAA_ERRNO_NO_MORE_ELEMENTS;
    library_unlock();
    return number;
}

static int next_text(enum handle_kind kind, const void *handle, char *value, size_t value_len)
{
    struct vector_args a = { kind, handle, value, value_len, NULL };
    return library_run(read_next, &a, NULL, 0);
}

int drmaa_get_next_attr_name(drmaa_attr_names_t *values, char *value, size_t value_len)
{
    return next_text(HANDLE_NAMES, values, value, value_len);
}

int drmaa_get_next_attr_value(drmaa_attr_values_t *values, char *value, size_t value_len)
{
    return next_text(HANDLE_VALUES, values, value, value_len);
}

int drmaa_get_next_job_id(drmaa_job_ids_t *values, char *value, size_t value_len)
{
    return next_text(HANDLE_IDS, values, value, value_len);
}

static int count_texts(void *args, struct answer *ans)
{
    const struct vector_args *a = args;
    (void)ans;
    library_lock();
    const struct texts *s = handle_find(library_handles(), a->kind, a->handle);
    if (s != NULL && a->size != NULL)
        *a->size = (int)s->n;
    library_unlock();
    return s != NULL && a->size != NULL ? DRMAA_ERRNO_SUCCESS : DRMAA_ERRNO_INVALID_ARGUMENT;
}

static int count_of(enum handle_kind kind, const void *handle, int *size)
{
    struct vector_args a = { kind, handle, NULL, 0, size };
    return library_run(count_texts, &a, NULL, 0);
}

int drmaa_get_num_attr_names(drmaa_attr_names_t *values, int *size)
{
    return count_of(HANDLE_NAMES, values, size);
}

int drmaa_get_num_attr_values(drmaa_attr_values_t *values, int *size)
{
    return count_of(HANDLE_VALUES, values, size);
}

int drmaa_get_num_job_ids(drmaa_job_ids_t *values, int *size)
{
    return count_of(HANDLE_IDS, values, size);
}

static int release_vector(void *args, struct answer *ans)
{
    const struct vector_args *a = args;
    (void)ans;
    texts_free(library_take(a->kind, a->handle));
    return DRMAA_ERRNO_SUCCESS;
}

static void release_handle(enum handle_kind kind, const void *handle)
{
    struct vector_args a = { kind, handle, NULL, 0, NULL };
    (void)library_run(release_vector, &a, NULL, 0);
}

void drmaa_release_attr_names(drmaa_attr_names_t *values)
{
    release_handle(HANDLE_NAMES, values);
}

void drmaa_release_attr_values(drmaa_attr_values_t *values)
{
    release_handle(HANDLE_VALUES, values);
}

void drmaa_release_job_ids(drmaa_job_ids_t *values)
{
    release_handle(HANDLE_IDS, values);
}
