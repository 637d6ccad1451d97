/* drmaa_init, drmaa_exit, drmaa_get_contact: a contact string is "session=KEY"; none begins a new
 * session. And the versions and names, which need no session.
 * Source: drmaa_session(3), drmaa_misc(3) */
#include <string.h>

#include "common/version.h"
#include "libs/drmaa/drmaa.h"
#include "libs/drmaa/library.h"
#include "libs/drmaa/msg_drmaa.h"

#define CONTACT_PREFIX "session="

/* the key that CONTACT names, borrowed; NULL: none */
static int read_contact(const char *contact, const char **key, struct answer *ans)
{
    size_t len = strlen(CONTACT_PREFIX);
    *key = NULL;
    if (contact == NULL || *contact == '\0')
        return DRMAA_ERRNO_SUCCESS;
    if (strncmp(contact, CONTACT_PREFIX, len) != 0 || contact[len] == '\0') {
        ans_fail(ans, STATUS_ESYNTAX, MSG_DRMAA_CONTACT_S, contact);
        return DRMAA_ERRNO_INVALID_CONTACT_STRING;
    }
    *key = contact + len;
    return DRMAA_ERRNO_SUCCESS;
}

struct init_args {
    const char *contact;
    struct japi *session;
};

static int open_session(void *args, struct answer *ans)
{
    struct init_args *a = args;
    const char *key;
    int number = read_contact(a->contact, &key, ans);
    if (number != DRMAA_ERRNO_SUCCESS)
        return number;
    enum japi_end end = japi_open(key, &a->session, ans);
    return end == JAPI_NO_SESSION ? DRMAA_ERRNO_INVALID_CONTACT_STRING
           : end == JAPI_NO_CELL  ? DRMAA_ERRNO_DRMS_INIT_FAILED
                                  : number_of(end);
}

int drmaa_init(const char *contact, char *diag, size_t diag_len)
{
    struct init_args a = { contact, NULL };
    int number = library_begin();
    if (number != DRMAA_ERRNO_SUCCESS) {
        text_copy(diag, diag_len, drmaa_strerror(number));
        return number;
    }
    number = library_run(open_session, &a, diag, diag_len);
    library_set(a.session);
    return number;
}

static int close_session(void *args, struct answer *ans)
{
    struct japi *session = library_end(ans);
    (void)args;
    if (session == NULL)
        return DRMAA_ERRNO_NO_ACTIVE_SESSION;
    japi_close(session);
    library_set(NULL);
    return DRMAA_ERRNO_SUCCESS;
}

int drmaa_exit(char *diag, size_t diag_len)
{
    return library_run(close_session, NULL, diag, diag_len);
}

struct contact_args {
    char *contact;
    size_t contact_len;
};

static int copy_contact(struct japi *session, void *args, struct answer *ans)
{
    const struct contact_args *a = args;
    (void)ans;
    text_copy(a->contact, a->contact_len, CONTACT_PREFIX);
    size_t used = a->contact_len > 0 ? strlen(a->contact) : 0;
    text_copy(a->contact + used, a->contact_len - used, japi_key(session));
    return DRMAA_ERRNO_SUCCESS;
}

static int refuse_contact(void *args, struct answer *ans)
{
    (void)args;
    return library_refuse_null("contact", ans);
}

int drmaa_get_contact(char *contact, size_t contact_len, char *diag, size_t diag_len)
{
    struct contact_args a = { contact, contact_len };
    if (contact == NULL)
        return library_run(refuse_contact, NULL, diag, diag_len);
    int number = library_run_in_session(copy_contact, &a, diag, diag_len);
    if (number != DRMAA_ERRNO_NO_ACTIVE_SESSION)
        return number;
    text_copy(contact, contact_len, ""); /* before a session: what it could be told to join */
    return DRMAA_ERRNO_SUCCESS;
}

/* ---- versions and names ---- */

static int refuse_missing(void *what, struct answer *ans)
{
    return library_refuse_null(*(const char **)what, ans);
}

static int refuse_null(const char *what, char *diag, size_t len)
{
    return library_run(refuse_missing, &what, diag, len);
}

int drmaa_version(unsigned int *major, unsigned int *minor, char *diag, size_t diag_len)
{
    if (major == NULL || minor == NULL)
        return refuse_null("major and minor", diag, diag_len);
    *major = 1;
    *minor = 0;
    return DRMAA_ERRNO_SUCCESS;
}

int drmaa_get_DRM_system(char *drm_system, size_t drm_system_len, char *diag, size_t diag_len)
{
    if (drm_system == NULL)
        return refuse_null("drm_system", diag, diag_len);
    text_copy(drm_system, drm_system_len, SGE_VERSION_LINE);
    return DRMAA_ERRNO_SUCCESS;
}

int drmaa_get_DRMAA_implementation(char *implementation, size_t implementation_len, char *diag,
                                   size_t diag_len)
{
    if (implementation == NULL)
        return refuse_null("implementation", diag, diag_len);
    text_copy(implementation, implementation_len, SGE_VERSION_LINE);
    return DRMAA_ERRNO_SUCCESS;
}
