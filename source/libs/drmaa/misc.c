/* What needs no session: texts of numbers, versions and names. Source: drmaa_misc(3) */
#include "common/version.h"
#include "libs/drmaa/drmaa.h"
#include "libs/drmaa/library.h"
#include "libs/drmaa/msg_drmaa.h"
#include "libs/drmaa/texts.h"

/* by number */
static const char *const texts[DRMAA_NO_ERRNO] = {
    "Routine returned normally with success.",
    "Unexpected or internal DRMAA error, like system call failure, etc.",
    "Could not contact DRM system for this request.",
    "The specified request is not processed successfully due to authorization failure.",
    "The input value for an argument is invalid.",
    "Failed because there is no active session.",
    "Failed allocating memory.",
    "Initialization failed due to invalid contact string.",
    "Could not use the default contact string to connect to DRM system.",
    "No default contact string was provided or selected.",
    "Initialization failed due to failure to init DRM system.",
    "Initialization failed due to existing DRMAA session.",
    "DRM system disengagement failed.",
    "The format for the job attribute value is invalid.",
    "The value for the job attribute is invalid.",
    "The value of this attribute conflicts with a previously set attribute value.",
    "The DRM system is too busy to accept the job. A retry may succeed.",
    "The DRM system rejected the job, and will never accept it as it is.",
    "The specified job does not exist.",
    "The job is not suspended, and cannot be resumed.",
    "The job is not running, and cannot be suspended.",
    "The job cannot be moved to a hold state.",
    "The job is not in a hold state.",
    "The time is over before the jobs have ended.",
    "The job has ended, and nothing is known of its status and usage.",
    "There are no more elements.",
};

const char *drmaa_strerror(int drmaa_errno)
{
    if (drmaa_errno < 0 || drmaa_errno >= DRMAA_NO_ERRNO)
        return "There is no such DRMAA error number.";
    return texts[drmaa_errno];
}

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
