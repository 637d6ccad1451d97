/* Job templates, and the functions of the interface that fill and read them. Values are checked
 * before they are kept, so that a template never holds what no job could have. */
#include "libs/drmaa/template.h"

#include <stdlib.h>

#include "libs/drmaa/drmaa.h"
#include "libs/drmaa/library.h"
#include "libs/drmaa/msg_drmaa.h"
#include "libs/drmaa/texts.h"
#include "libs/uti/alloc.h"

/* ---- the object ---- */

struct template *template_new(void)
{
    return uti_calloc(1, sizeof(struct template));
}

static void free_value(struct template_value *v)
{
    for (uint32_t i = 0; i < v->n; i++)
        free(v->v[i]);
    free(v->v);
    *v = (struct template_value){ NULL, 0 };
}

void template_free(struct template *t)
{
    for (int i = 0; t != NULL && i < ATTRIBUTES; i++)
        free_value(&t->values[i]);
    free(t);
}

void template_set(struct template *t, enum attribute_id id, const char *const *values, uint32_t n)
{
    struct template_value next = { uti_calloc(n, sizeof(char *)), 0 };
    for (; next.n < n; next.n++)
        next.v[next.n] = uti_strdup(values[next.n]);
    free_value(&t->values[id]);
    t->values[id] = next;
}

struct template *template_copy(const struct template *t)
{
    struct template *copy = template_new();
    for (int i = 0; i < ATTRIBUTES; i++)
        if (t->values[i].v != NULL)
            template_set(copy, (enum attribute_id)i, (const char *const *)t->values[i].v,
                         t->values[i].n);
    return copy;
}

bool template_has(const struct template *t, enum attribute_id id)
{
    return t->values[id].v != NULL;
}

const char *template_get(const struct template *t, enum attribute_id id)
{
    return template_has(t, id) ? t->values[id].v[0] : NULL;
}

struct template *template_of(const struct drmaa_job_template_s *handle)
{
    library_lock();
    const struct template *found = handle_find(library_handles(), HANDLE_TEMPLATE, handle);
    struct template *copy = found != NULL ? template_copy(found) : NULL;
    library_unlock();
    return copy;
}

/* ---- allocate, delete ---- */

static int refuse_template(struct answer *ans)
{
    ans_fail(ans, STATUS_ESEMANTIC, MSG_DRMAA_TEMPLATE);
    return DRMAA_ERRNO_INVALID_ARGUMENT;
}

static int allocate_template(struct japi *session, void *args, struct answer *ans)
{
    drmaa_job_template_t **out = args;
    (void)session;
    if (out == NULL)
        return library_refuse_null("jt", ans);
    void *handle = library_give(HANDLE_TEMPLATE, template_new(), ans);
    *out = handle;
    return handle != NULL ? DRMAA_ERRNO_SUCCESS : DRMAA_ERRNO_NO_MEMORY;
}

int drmaa_allocate_job_template(drmaa_job_template_t **jt, char *diag, size_t diag_len)
{
    return library_run_in_session(allocate_template, jt, diag, diag_len);
}

static int delete_template(struct japi *session, void *args, struct answer *ans)
{
    (void)session;
    struct template *t = library_take(HANDLE_TEMPLATE, args);
    if (t == NULL)
        return refuse_template(ans);
    template_free(t);
    return DRMAA_ERRNO_SUCCESS;
}

int drmaa_delete_job_template(drmaa_job_template_t *jt, char *diag, size_t diag_len)
{
    return library_run_in_session(delete_template, jt, diag, diag_len);
}

/* ---- set ---- */

struct set_args {
    drmaa_job_template_t *jt;
    const char *name;
    const char *const *values;
    uint32_t n;
    bool is_vector;
};

static int refuse_unknown(const char *name, bool is_vector, struct answer *ans)
{
    ans_fail(ans, STATUS_EUNKNOWN, is_vector ? MSG_DRMAA_UNKNOWN_VS : MSG_DRMAA_UNKNOWN_S, name);
    return DRMAA_ERRNO_INVALID_ARGUMENT;
}

/* Some attributes are there only in cells that stage files. The administrator may change that at
 * any time, so the qmaster is asked each time. */
static int check_support(struct japi *session, enum attribute_id id, struct answer *ans)
{
    bool has_staging = false;
    if (!attribute_needs_staging(id))
        return DRMAA_ERRNO_SUCCESS;
    int number = number_of(japi_has_file_staging(session, &has_staging, ans));
    if (number != DRMAA_ERRNO_SUCCESS || has_staging)
        return number;
    ans_fail(ans, STATUS_EUNKNOWN, MSG_DRMAA_NO_STAGING_S, attribute_name(id));
    return DRMAA_ERRNO_INVALID_ARGUMENT;
}

static int check_values(enum attribute_id id, const struct set_args *a, struct answer *ans)
{
    int number = DRMAA_ERRNO_SUCCESS;
    for (uint32_t i = 0; number == DRMAA_ERRNO_SUCCESS && i < a->n; i++)
        number = attribute_check(id, a->values[i], ans);
    return number;
}

static int set_values(struct japi *session, void *args, struct answer *ans)
{
    const struct set_args *a = args;
    if (a->name == NULL || a->values == NULL || (!a->is_vector && a->values[0] == NULL))
        return library_refuse_null(a->name == NULL ? "name" : "value", ans);
    int id = attribute_find(a->name, a->is_vector);
    if (id < 0)
        return refuse_unknown(a->name, a->is_vector, ans);
    if (a->n > ATTRIBUTE_VALUES_MOST) {
        ans_fail(ans, STATUS_ESEMANTIC, MSG_DRMAA_MANY_SI, a->name, ATTRIBUTE_VALUES_MOST);
        return DRMAA_ERRNO_INVALID_ATTRIBUTE_VALUE;
    }
    int number = check_support(session, (enum attribute_id)id, ans);
    if (number == DRMAA_ERRNO_SUCCESS)
        number = check_values((enum attribute_id)id, a, ans);
    if (number != DRMAA_ERRNO_SUCCESS)
        return number;
    library_lock();
    struct template *t = handle_find(library_handles(), HANDLE_TEMPLATE, a->jt);
    if (t != NULL)
        template_set(t, (enum attribute_id)id, a->values, a->n);
    library_unlock();
    return t != NULL ? DRMAA_ERRNO_SUCCESS : refuse_template(ans);
}

int drmaa_set_attribute(drmaa_job_template_t *jt, const char *name, const char *value, char *diag,
                        size_t diag_len)
{
    struct set_args a = { jt, name, &value, 1, false };
    return library_run_in_session(set_values, &a, diag, diag_len);
}

int drmaa_set_vector_attribute(drmaa_job_template_t *jt, const char *name, const char *value[],
                               char *diag, size_t diag_len)
{
    struct set_args a = { jt, name, value, 0, true };
    while (value != NULL && a.n <= ATTRIBUTE_VALUES_MOST && value[a.n] != NULL)
        a.n++;
    return library_run_in_session(set_values, &a, diag, diag_len);
}

/* ---- get ---- */

struct get_args {
    drmaa_job_template_t *jt;
    const char *name;
    char *value; /* of a scalar */
    size_t value_len;
    drmaa_attr_values_t **values; /* of a vector */
};

static struct texts *texts_of(const struct template_value *v)
{
    struct texts *s = texts_new();
    for (uint32_t i = 0; i < v->n; i++)
        texts_add(s, v->v[i]);
    return s;
}

/* the value of a scalar, or the values of a vector into *OUT; under the lock */
static int read_values(const struct get_args *a, enum attribute_id id, struct texts **out,
                       struct answer *ans)
{
    const struct template *t = handle_find(library_handles(), HANDLE_TEMPLATE, a->jt);
    if (t == NULL)
        return refuse_template(ans);
    if (!template_has(t, id)) {
        ans_fail(ans, STATUS_ESEMANTIC, MSG_DRMAA_UNSET_S, a->name);
        return DRMAA_ERRNO_INVALID_ATTRIBUTE_VALUE;
    }
    if (a->values == NULL)
        text_copy(a->value, a->value_len, template_get(t, id));
    else
        *out = texts_of(&t->values[id]);
    return DRMAA_ERRNO_SUCCESS;
}

static int get_values(struct japi *session, void *args, struct answer *ans)
{
    const struct get_args *a = args;
    struct texts *found = NULL;
    if (a->name == NULL || (a->value == NULL && a->values == NULL))
        return library_refuse_null(a->name == NULL ? "name" : "value", ans);
    int id = attribute_find(a->name, a->values != NULL);
    if (id < 0)
        return refuse_unknown(a->name, a->values != NULL, ans);
    int number = check_support(session, (enum attribute_id)id, ans);
    if (number != DRMAA_ERRNO_SUCCESS)
        return number;
    library_lock();
    number = read_values(a, (enum attribute_id)id, &found, ans);
    library_unlock();
    if (found == NULL)
        return number;
    void *handle = library_give(HANDLE_VALUES, found, ans);
    *a->values = handle;
    return handle != NULL ? DRMAA_ERRNO_SUCCESS : DRMAA_ERRNO_NO_MEMORY;
}

int drmaa_get_attribute(drmaa_job_template_t *jt, const char *name, char *value, size_t value_len,
                        char *diag, size_t diag_len)
{
    struct get_args a = { jt, name, value, value_len, NULL };
    return library_run_in_session(get_values, &a, diag, diag_len);
}

int drmaa_get_vector_attribute(drmaa_job_template_t *jt, const char *name,
                               drmaa_attr_values_t **values, char *diag, size_t diag_len)
{
    struct get_args a = { jt, name, NULL, 0, values };
    return library_run_in_session(get_values, &a, diag, diag_len);
}

/* ---- names ---- */

static int list_names(drmaa_attr_names_t **out, bool is_vector, bool has_staging,
                      struct answer *ans)
{
    if (out == NULL)
        return library_refuse_null("values", ans);
    struct texts *names = texts_new();
    attributes_list(is_vector, has_staging, names);
    void *handle = library_give(HANDLE_NAMES, names, ans);
    *out = handle;
    return handle != NULL ? DRMAA_ERRNO_SUCCESS : DRMAA_ERRNO_NO_MEMORY;
}

static int list_scalars(struct japi *session, void *args, struct answer *ans)
{
    bool has_staging = false;
    int number = number_of(japi_has_file_staging(session, &has_staging, ans));
    return number == DRMAA_ERRNO_SUCCESS ? list_names(args, false, has_staging, ans) : number;
}

static int list_vectors(struct japi *session, void *args, struct answer *ans)
{
    (void)session;
    return list_names(args, true, false, ans);
}

int drmaa_get_attribute_names(drmaa_attr_names_t **values, char *diag, size_t diag_len)
{
    return library_run_in_session(list_scalars, values, diag, diag_len);
}

int drmaa_get_vector_attribute_names(drmaa_attr_names_t **values, char *diag, size_t diag_len)
{
    return library_run_in_session(list_vectors, values, diag, diag_len);
}
