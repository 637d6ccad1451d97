/* The functions of the interface that read vectors of names, values and ids. They need no session:
 * what a host program has got it may read afterwards. */
#include "libs/drmaa/drmaa.h"
#include "libs/drmaa/library.h"
#include "libs/drmaa/texts.h"

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
