/* The numbers of errors: their texts, and which of them a call of the session has ended with.
 * Source: drmaa_misc(3) */
#include "libs/drmaa/numbers.h"

#include "libs/drmaa/drmaa.h"

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

int number_of(enum japi_end end)
{
    switch (end) {
    case JAPI_DONE:
        return DRMAA_ERRNO_SUCCESS;
    case JAPI_LOST:
        return DRMAA_ERRNO_DRM_COMMUNICATION_FAILURE;
    case JAPI_LATER:
        return DRMAA_ERRNO_TRY_LATER;
    case JAPI_DENIED:
        return DRMAA_ERRNO_DENIED_BY_DRM;
    case JAPI_NO_RIGHT:
        return DRMAA_ERRNO_AUTH_FAILURE;
    case JAPI_NO_JOB:
        return DRMAA_ERRNO_INVALID_JOB;
    case JAPI_TIMEOUT:
        return DRMAA_ERRNO_EXIT_TIMEOUT;
    case JAPI_STOPPED:
        return DRMAA_ERRNO_NO_ACTIVE_SESSION;
    case JAPI_NO_USAGE:
        return DRMAA_ERRNO_NO_RUSAGE;
    case JAPI_NO_SESSION:
    case JAPI_NO_CELL:
    case JAPI_WRONG_STATE:
    case JAPI_BROKEN:
        break;
    }
    return DRMAA_ERRNO_INTERNAL_ERROR;
}
