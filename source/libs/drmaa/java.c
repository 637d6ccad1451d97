/* Each method turns its arguments into those of a function of drmaa.h, calls it, and turns what
 * comes back into objects, or its number into an exception. After an exception nothing of the
 * virtual machine is called any more, but what gives something back. */
#include "libs/drmaa/java.h"

#include <stdlib.h>
#include <string.h>

#include "libs/drmaa/attributes.h"
#include "libs/drmaa/drmaa.h"
#include "libs/drmaa/library.h"
#include "libs/drmaa/template.h"
#include "libs/drmaa/texts.h"
#include "libs/uti/alloc.h"

#define DRMAA_CLASS  "org/ggf/drmaa/"
#define VECTOR_NAMES "drmaa_v_" /* what the names of vector attributes begin with */

/* ---- exceptions ---- */

static const char *const exceptions[DRMAA_NO_ERRNO] = {
    [DRMAA_ERRNO_INTERNAL_ERROR] = DRMAA_CLASS "InternalException",
    [DRMAA_ERRNO_DRM_COMMUNICATION_FAILURE] = DRMAA_CLASS "DrmCommunicationException",
    [DRMAA_ERRNO_AUTH_FAILURE] = DRMAA_CLASS "AuthorizationException",
    [DRMAA_ERRNO_INVALID_ARGUMENT] = "java/lang/IllegalArgumentException",
    [DRMAA_ERRNO_NO_ACTIVE_SESSION] = DRMAA_CLASS "NoActiveSessionException",
    [DRMAA_ERRNO_NO_MEMORY] = "java/lang/OutOfMemoryError",
    [DRMAA_ERRNO_INVALID_CONTACT_STRING] = DRMAA_CLASS "InvalidContactStringException",
    [DRMAA_ERRNO_DEFAULT_CONTACT_STRING_ERROR] = DRMAA_CLASS "DefaultContactStringException",
    [DRMAA_ERRNO_NO_DEFAULT_CONTACT_STRING_SELECTED] =
        DRMAA_CLASS "NoDefaultContactStringException",
    [DRMAA_ERRNO_DRMS_INIT_FAILED] = DRMAA_CLASS "DrmsInitException",
    [DRMAA_ERRNO_ALREADY_ACTIVE_SESSION] = DRMAA_CLASS "AlreadyActiveSessionException",
    [DRMAA_ERRNO_DRMS_EXIT_ERROR] = DRMAA_CLASS "DrmsExitException",
    [DRMAA_ERRNO_INVALID_ATTRIBUTE_FORMAT] = DRMAA_CLASS "InvalidAttributeFormatException",
    [DRMAA_ERRNO_INVALID_ATTRIBUTE_VALUE] = DRMAA_CLASS "InvalidAttributeValueException",
    [DRMAA_ERRNO_CONFLICTING_ATTRIBUTE_VALUES] = DRMAA_CLASS "ConflictingAttributeValuesException",
    [DRMAA_ERRNO_TRY_LATER] = DRMAA_CLASS "TryLaterException",
    [DRMAA_ERRNO_DENIED_BY_DRM] = DRMAA_CLASS "DeniedByDrmException",
    [DRMAA_ERRNO_INVALID_JOB] = DRMAA_CLASS "InvalidJobException",
    [DRMAA_ERRNO_RESUME_INCONSISTENT_STATE] = DRMAA_CLASS "ResumeInconsistentStateException",
    [DRMAA_ERRNO_SUSPEND_INCONSISTENT_STATE] = DRMAA_CLASS "SuspendInconsistentStateException",
    [DRMAA_ERRNO_HOLD_INCONSISTENT_STATE] = DRMAA_CLASS "HoldInconsistentStateException",
    [DRMAA_ERRNO_RELEASE_INCONSISTENT_STATE] = DRMAA_CLASS "ReleaseInconsistentStateException",
    [DRMAA_ERRNO_EXIT_TIMEOUT] = DRMAA_CLASS "ExitTimeoutException",
    [DRMAA_ERRNO_NO_RUSAGE] = DRMAA_CLASS "InternalException",
    [DRMAA_ERRNO_NO_MORE_ELEMENTS] = DRMAA_CLASS "InternalException",
};

static void throw_class(JNIEnv *env, const char *name, const char *why)
{
    jclass class = (*env)->find_class(env, name); /* NULL: it has thrown that there is no such */
    if (class != NULL)
        (*env)->throw_new(env, class, why);
}

/* true if NUMBER is an error, which is thrown */
static bool throw_error(JNIEnv *env, int number, const char *why)
{
    if (number != DRMAA_ERRNO_SUCCESS)
        throw_class(env, exceptions[number], why);
    return number != DRMAA_ERRNO_SUCCESS;
}

/* the same of a call about an attribute, whose only wrong argument can be its name */
static bool throw_attribute_error(JNIEnv *env, int number, const char *why)
{
    if (number != DRMAA_ERRNO_INVALID_ARGUMENT)
        return throw_error(env, number, why);
    throw_class(env, DRMAA_CLASS "UnsupportedAttributeException", why);
    return true;
}

/* ---- strings and arrays ---- */

/* the characters of S; release_text. NULL for null, and when it has thrown */
static const char *take_text(JNIEnv *env, jstring s)
{
    return s != NULL ? (*env)->get_string_utf_chars(env, s, NULL) : NULL;
}

static void release_text(JNIEnv *env, jstring s, const char *text)
{
    if (text != NULL)
        (*env)->release_string_utf_chars(env, s, text);
}

static jarray new_array(JNIEnv *env, int n)
{
    jclass class = (*env)->find_class(env, "java/lang/String");
    return class != NULL ? (*env)->new_object_array(env, n, class, NULL) : NULL;
}

/* A's element I becomes TEXT; false when it has thrown */
static bool set_element(JNIEnv *env, jarray a, int i, const char *text)
{
    jstring s = (*env)->new_string_utf(env, text);
    if (s == NULL)
        return false;
    (*env)->set_object_array_element(env, a, i, s);
    (*env)->delete_local_ref(env, s);
    return true;
}

/* an array of strings as a vector that ends with NULL */
struct vector {
    JNIEnv *env;
    jarray from;
    const char **v; /* owned, as are the strings */
};

static int read_vector(void *args, struct answer *ans)
{
    struct vector *to = args;
    JNIEnv *env = to->env;
    (void)ans;
    if (to->from == NULL)
        return DRMAA_ERRNO_SUCCESS;
    jint n = (*env)->get_array_length(env, to->from);
    to->v = uti_calloc((size_t)n + 1, sizeof *to->v);
    for (jint i = 0; i < n; i++) {
        jstring s = (*env)->get_object_array_element(env, to->from, i);
        const char *text = take_text(env, s);
        to->v[i] = uti_strdup(text != NULL ? text : "");
        release_text(env, s, text);
        (*env)->delete_local_ref(env, s);
    }
    return DRMAA_ERRNO_SUCCESS;
}

static void free_vector(struct vector *v)
{
    for (const char **at = v->v; at != NULL && *at != NULL; at++)
        free((char *)*at);
    free(v->v);
}

/* ---- templates ---- */

/* the handle that JT stands for; NULL when it has thrown */
static drmaa_job_template_t *template_of_number(JNIEnv *env, jint jt)
{
    library_lock();
    void *handle = handle_of_number(library_handles(), HANDLE_TEMPLATE, (uint32_t)jt);
    library_unlock();
    if (handle == NULL)
        throw_class(env, DRMAA_CLASS "InvalidJobTemplateException",
                    "there is no such template, or it has been deleted");
    return handle;
}

JAVA_METHOD(jint, AllocateJobTemplate)
{
    char diag[DRMAA_ERROR_STRING_BUFFER];
    drmaa_job_template_t *t = NULL;
    (void)self;
    if (throw_error(env, drmaa_allocate_job_template(&t, diag, sizeof diag), diag))
        return 0;
    return (jint)handle_number(t);
}

JAVA_METHOD(void, DeleteJobTemplate, jint jt)
{
    char diag[DRMAA_ERROR_STRING_BUFFER];
    drmaa_job_template_t *t = template_of_number(env, jt);
    (void)self;
    if (t != NULL)
        throw_error(env, drmaa_delete_job_template(t, diag, sizeof diag), diag);
}

JAVA_METHOD(void, SetAttributeValue, jint jt, jstring name, jstring value)
{
    char diag[DRMAA_ERROR_STRING_BUFFER];
    drmaa_job_template_t *t = template_of_number(env, jt);
    (void)self;
    if (t == NULL)
        return;
    const char *n = take_text(env, name), *v = take_text(env, value);
    int number = drmaa_set_attribute(t, n, v, diag, sizeof diag);
    release_text(env, name, n);
    release_text(env, value, v);
    throw_attribute_error(env, number, diag);
}

JAVA_METHOD(void, SetAttributeValues, jint jt, jstring name, jarray values)
{
    char diag[DRMAA_ERROR_STRING_BUFFER];
    drmaa_job_template_t *t = template_of_number(env, jt);
    struct vector v = { env, values, NULL };
    (void)self;
    if (t == NULL)
        return;
    const char *n = take_text(env, name);
    int number = library_run(read_vector, &v, diag, sizeof diag);
    if (number == DRMAA_ERRNO_SUCCESS)
        number = drmaa_set_vector_attribute(t, n, v.v, diag, sizeof diag);
    release_text(env, name, n);
    free_vector(&v);
    throw_attribute_error(env, number, diag);
}

/* ---- what templates hold ---- */

struct copied_template {
    drmaa_job_template_t *handle;
    struct template *copy; /* owned */
};

static int copy_template(void *args, struct answer *ans)
{
    struct copied_template *c = args;
    (void)ans;
    c->copy = template_of(c->handle);
    return DRMAA_ERRNO_SUCCESS;
}

/* the number of the attribute NAME, or -1: it has thrown */
static int find_attribute(JNIEnv *env, jstring name)
{
    const char *n = take_text(env, name);
    bool is_vector = n != NULL && strncmp(n, VECTOR_NAMES, strlen(VECTOR_NAMES)) == 0;
    int id = n != NULL ? attribute_find(n, is_vector) : -1;
    if (id < 0)
        throw_class(env, DRMAA_CLASS "UnsupportedAttributeException", n != NULL ? n : "null");
    release_text(env, name, n);
    return id;
}

JAVA_METHOD(jarray, GetAttribute, jint jt, jstring name)
{
    char diag[DRMAA_ERROR_STRING_BUFFER];
    struct copied_template t = { template_of_number(env, jt), NULL };
    (void)self;
    int id = t.handle != NULL ? find_attribute(env, name) : -1;
    if (id < 0 || throw_error(env, library_run(copy_template, &t, diag, sizeof diag), diag))
        return NULL;
    jarray a = NULL;
    if (t.copy != NULL && template_has(t.copy, (enum attribute_id)id))
        a = new_array(env, (jint)t.copy->values[id].n);
    for (int i = 0; a != NULL && i < (int)t.copy->values[id].n; i++)
        if (!set_element(env, a, i, t.copy->values[id].v[i]))
            break;
    template_free(t.copy);
    return a;
}

/* puts NAMES, which are freed, into A from element *AT on; false: it has thrown, or A is NULL */
static bool move_names(JNIEnv *env, jarray a, int *at, struct texts *names)
{
    char text[DRMAA_ATTR_BUFFER];
    bool is_good = a != NULL;
    while (is_good && texts_next(names, text, sizeof text))
        is_good = set_element(env, a, (*at)++, text);
    texts_free(names);
    return is_good;
}

JAVA_METHOD(jarray, GetAttributeNames, jint jt)
{
    char diag[DRMAA_ERROR_STRING_BUFFER];
    drmaa_attr_names_t *scalars = NULL, *vectors = NULL;
    int at = 0;
    (void)self;
    if (template_of_number(env, jt) == NULL ||
        throw_error(env, drmaa_get_attribute_names(&scalars, diag, sizeof diag), diag))
        return NULL;
    struct texts *first = library_take(HANDLE_NAMES, scalars), *second = NULL;
    if (!throw_error(env, drmaa_get_vector_attribute_names(&vectors, diag, sizeof diag), diag))
        second = library_take(HANDLE_NAMES, vectors);
    jarray a =
        first != NULL && second != NULL ? new_array(env, (jint)(first->n + second->n)) : NULL;
    bool is_good = move_names(env, a, &at, first);
    return move_names(env, is_good ? a : NULL, &at, second) ? a : NULL;
}

/* ---- the session ---- */

JAVA_METHOD(void, Init, jstring contact)
{
    char diag[DRMAA_ERROR_STRING_BUFFER];
    const char *text = take_text(env, contact);
    (void)self;
    int number = drmaa_init(text, diag, sizeof diag);
    release_text(env, contact, text);
    throw_error(env, number, diag);
}

JAVA_METHOD(void, Exit)
{
    char diag[DRMAA_ERROR_STRING_BUFFER];
    (void)self;
    throw_error(env, drmaa_exit(diag, sizeof diag), diag);
}

JAVA_METHOD(jstring, GetContact)
{
    char contact[DRMAA_CONTACT_BUFFER] = "";
    (void)self;
    (void)drmaa_get_contact(contact, sizeof contact, NULL, 0);
    return (*env)->new_string_utf(env, contact);
}

JAVA_METHOD(jstring, GetDRMSInfo)
{
    char system[DRMAA_DRM_SYSTEM_BUFFER] = "";
    (void)self;
    (void)drmaa_get_DRM_system(system, sizeof system, NULL, 0);
    return (*env)->new_string_utf(env, system);
}

/* ---- jobs ---- */

JAVA_METHOD(jstring, RunJob, jint jt)
{
    char diag[DRMAA_ERROR_STRING_BUFFER], id[DRMAA_JOBNAME_BUFFER];
    drmaa_job_template_t *t = template_of_number(env, jt);
    (void)self;
    if (t == NULL || throw_error(env, drmaa_run_job(id, sizeof id, t, diag, sizeof diag), diag))
        return NULL;
    return (*env)->new_string_utf(env, id);
}

/* what a list of KIND has not given yet, as an array; null for NULL. It is released. */
static jarray array_of_list(JNIEnv *env, enum handle_kind kind, const void *list)
{
    char text[DRMAA_ATTR_BUFFER];
    struct texts *from = library_take(kind, list);
    if (from == NULL)
        return NULL;
    jarray a = new_array(env, (jint)from->n);
    for (int i = 0; a != NULL && texts_next(from, text, sizeof text); i++)
        a = set_element(env, a, i, text) ? a : NULL;
    texts_free(from);
    return a;
}

JAVA_METHOD(jarray, RunBulkJobs, jint jt, jint start, jint end, jint step)
{
    char diag[DRMAA_ERROR_STRING_BUFFER];
    drmaa_job_template_t *t = template_of_number(env, jt);
    drmaa_job_ids_t *ids = NULL;
    (void)self;
    if (t == NULL ||
        throw_error(env, drmaa_run_bulk_jobs(&ids, t, start, end, step, diag, sizeof diag), diag))
        return NULL;
    return array_of_list(env, HANDLE_IDS, ids);
}

JAVA_METHOD(void, Control, jstring id, jint action)
{
    char diag[DRMAA_ERROR_STRING_BUFFER];
    const char *text = take_text(env, id);
    (void)self;
    int number = drmaa_control(text, action, diag, sizeof diag);
    release_text(env, id, text);
    throw_error(env, number, diag);
}

JAVA_METHOD(jint, GetJobProgramStatus, jstring id)
{
    char diag[DRMAA_ERROR_STRING_BUFFER];
    const char *text = take_text(env, id);
    int state = DRMAA_PS_UNDETERMINED;
    (void)self;
    int number = drmaa_job_ps(text, &state, diag, sizeof diag);
    release_text(env, id, text);
    throw_error(env, number, diag);
    return state;
}

JAVA_METHOD(void, Synchronize, jarray ids, jlong timeout, jboolean dispose)
{
    char diag[DRMAA_ERROR_STRING_BUFFER];
    struct vector v = { env, ids, NULL };
    (void)self;
    int number = library_run(read_vector, &v, diag, sizeof diag);
    if (number == DRMAA_ERRNO_SUCCESS)
        number = drmaa_synchronize(v.v, timeout, dispose, diag, sizeof diag);
    free_vector(&v);
    throw_error(env, number, diag);
}

/* ---- how a job ended: its object reads bits that it has agreed on with its library ---- */
enum { JAVA_EXITED = 1, JAVA_SIGNALED = 2, JAVA_NEVER_RAN = 8, JAVA_EXIT_STATUS_SHIFT = 4 };

static jint java_status(int stat)
{
    int exited = 0, aborted = 0, signaled = 0, exit_status = 0;
    (void)drmaa_wifexited(&exited, stat, NULL, 0);
    (void)drmaa_wifaborted(&aborted, stat, NULL, 0);
    (void)drmaa_wifsignaled(&signaled, stat, NULL, 0);
    if (exited)
        (void)drmaa_wexitstatus(&exit_status, stat, NULL, 0);
    return (exited ? JAVA_EXITED : 0) | (signaled ? JAVA_SIGNALED : 0) |
           (aborted ? JAVA_NEVER_RAN : 0) | exit_status << JAVA_EXIT_STATUS_SHIFT;
}

/* the signal that ended it; null: none did */
static jstring java_signal(JNIEnv *env, int stat)
{
    char name[DRMAA_SIGNAL_BUFFER];
    bool is_signaled = drmaa_wtermsig(name, sizeof name, stat, NULL, 0) == DRMAA_ERRNO_SUCCESS;
    return is_signaled ? (*env)->new_string_utf(env, name) : NULL;
}

static jobject new_job_info(JNIEnv *env, const char *id, int stat, drmaa_attr_values_t *rusage)
{
    jarray usage = array_of_list(env, HANDLE_VALUES, rusage);
    if ((*env)->exception_check(env))
        return NULL;
    jstring name = (*env)->new_string_utf(env, id), signal = java_signal(env, stat);
    jclass class = (*env)->find_class(env, "com/sun/grid/drmaa/JobInfoImpl");
    if (name == NULL || class == NULL)
        return NULL;
    jmethodID constructor = (*env)->get_method_id(
        env, class, "<init>", "(Ljava/lang/String;I[Ljava/lang/String;Ljava/lang/String;)V");
    if (constructor == NULL)
        return NULL;
    return (*env)->new_object(env, class, constructor, name, java_status(stat), usage, signal);
}

JAVA_METHOD(jobject, Wait, jstring id, jlong timeout)
{
    char diag[DRMAA_ERROR_STRING_BUFFER], ended[DRMAA_JOBNAME_BUFFER];
    const char *text = take_text(env, id);
    drmaa_attr_values_t *rusage = NULL;
    int stat = 0;
    (void)self;
    int number = drmaa_wait(text, ended, sizeof ended, &stat, timeout, &rusage, diag, sizeof diag);
    release_text(env, id, text);
    if (number != DRMAA_ERRNO_NO_RUSAGE && throw_error(env, number, diag))
        return NULL;
    return new_job_info(env, ended, stat, rusage);
}
