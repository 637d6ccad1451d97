#ifndef SGEOBJ_MSG_SGEOBJ_H
#define SGEOBJ_MSG_SGEOBJ_H

#include <inttypes.h>

/* attributes of configurations */

/* cluster queues */

/* names of jobs, and lists of jobs to wait for */
#define MSG_JID_LIST_S    "Wrong jid_hold list format \"%s\" specified to -hold_jid option"
#define MSG_JID_AD_LIST_S "Wrong jid_hold_ad list format \"%s\" specified to -hold_jid_ad option"
#define MSG_JID_ENTRY_SS  "%s: \"%s\" is neither a job id nor a job name"
#define MSG_JID_ENTRY_WRITE_SSUU                                                                   \
    "%s: \"%s\" is neither a job id nor a job name; to wait for job %u write %u"
#define MSG_NAME_NONE         "job rejected cause there is no job_name in the request"
#define MSG_NAME_DIGIT_S      "denied: \"%s\" is not a valid object name (cannot start with a digit)"
#define MSG_NAME_CHARACTER_SS "%s ('%s') not allowed in objectname"
#define MSG_NAME_CONTROL_I    "Control character (code %d) not allowed in objectname"
#define MSG_NAME_LONG_ISI     "denied: \"%.*s...\" is not a valid object name (longer than %d bytes)"

#define MSG_STRING_CONTROL_IS "Control character (code %d) not allowed in the %s"
#define MSG_JOB_LIST_USU      "job rejected: it has %u %s; the limit is %u"
#define MSG_JOB_NUMBER_S      "job rejected: its %s is %" PRIu64 "; the limit is %" PRIu64
#define MSG_JOB_TEXT_SZ       "job rejected: its %s has %zu bytes; the limit is %" PRIu64
#define MSG_JOB_ENTRY_TEXT_SZ                                                                      \
    "job rejected: an entry of its %s has %zu bytes; the limit is %" PRIu64
#define MSG_NAME_RESERVED_S "denied: \"%s\" is not a valid object name (reserved word)"

/* core binding: behind "-binding option contains errors: ", or behind "job rejected: " */
#define MSG_BINDING_STRATEGY        "couldn't parse binding parameter (no strategy found)"
#define MSG_BINDING_AMOUNT_LINEAR   "couldn't parse amount (linear)"
#define MSG_BINDING_CORE_LINEAR     "couldn't parse core number (linear)"
#define MSG_BINDING_AMOUNT_STRIDING "couldn't parse amount (striding)"
#define MSG_BINDING_STEP_STRIDING   "couldn't parse step size (striding)"
#define MSG_BINDING_CORE_STRIDING   "couldn't parse core number (striding)"
#define MSG_BINDING_EXPLICIT        "'explicit:' not found in string!"
#define MSG_BINDING_FIRST_CORE      "Missing first core number!"
#define MSG_BINDING_NO_CORE         "No core for a given socket!"
#define MSG_BINDING_TWICE           "<socket,core> pairs are not unique!"
#define MSG_BINDING_PAIRS           "more than 1024 <socket,core> pairs!"
#define MSG_BINDING_TYPE            "unknown type of binding"
#define MSG_BINDING_INCONSISTENT_LINEAR                                                            \
    "binding parameter not consistent with strategy (BN_parameter is n)"
#define MSG_BINDING_INCONSISTENT_STRIDING                                                          \
    "binding parameter not consistent with strategy (BN_parameter_n is 0)"

/* queue instances */

/* configurations */

/* the complex */

/* events */
#define MSG_EVENT_KIND_U   "event of unknown kind %u"
#define MSG_EVENT_LACKS_US "event of kind %u lacks %s"

/* hosts */

/* accounting */
#define MSG_ACCOUNTING_FIELD_SS "accounting line: the field %s is \"%s\""
#define MSG_ACCOUNTING_SHORT_UU "accounting line: %u fields instead of %u"

/* resources that jobs request */

#endif
