#ifndef CONFIG_MSG_CONFIG_H
#define CONFIG_MSG_CONFIG_H

/* Texts of configurations: interface, because scripts match them. */

#define MSG_ATTR_CONTROL_S    "attribute \"%s\": the value contains a control character"
#define MSG_ATTR_NUMBER_SSSII "attribute \"%s\": \"%s\" is not %s from %" PRId64 " to %" PRId64
#define MSG_ATTR_AMOUNT_SSSII                                                                      \
    "attribute \"%s\": \"%s\" is neither one of %s nor a number from %" PRId64 " to %" PRId64
#define MSG_ATTR_VALUE_SSSSS "attribute \"%s\": \"%s\" is not %s%s%s"
#define MSG_ATTR_UNKNOWN_S   "unknown attribute name \"%s\""
#define MSG_ATTR_MISSING_S   "required attribute \"%s\" is missing"
#define MSG_ATTR_TWICE_S     "attribute \"%s\" is specified twice"
#define MSG_CQUEUE_NAME_S    "cluster queue name \"%s\" is not valid"
#define MSG_CQUEUE_HOST_S    "attribute \"hostlist\": \"%s\" is neither a host nor a host group"
#define MSG_CQUEUE_DEFAULT_SS                                                                      \
    "attribute \"%s\": no value for all hosts before the first bracket in \"%s\""
#define MSG_CQUEUE_BRACKET_SS                                                                      \
    "attribute \"%s\": \"%s\" is not of the form [host=value],[@group=value]"
#define MSG_CQUEUE_HREF_SS        "attribute \"%s\": \"%s\" is neither a host nor a host group"
#define MSG_CQUEUE_TWICE_SS       "attribute \"%s\": more than one value for \"%s\""
#define MSG_QINSTANCE_AMBIGUOUS_S "host groups of this host have different values for %s"
#define MSG_CONF_NOT_OF_HOST_SS                                                                    \
    "parameter \"%s\" is the same for all hosts: it cannot be set for \"%s\" alone"
#define MSG_CONF_NAME_S         "configuration \"%s\" is not valid"
#define MSG_COMPLEX_TYPE_S      "unknown complex attribute type \"%s\""
#define MSG_COMPLEX_WORD_SSS    "complex attribute \"%s\": unknown %s \"%s\""
#define MSG_COMPLEX_ROW_S       "complex attribute \"%s\" is incomplete"
#define MSG_COMPLEX_COLUMNS_SUU "complex attribute \"%s\": %u columns instead of %u"
#define MSG_COMPLEX_NAME_SS     "complex attribute \"%s\" with the shortcut \"%s\": not a valid name"
#define MSG_COMPLEX_TWICE_SS                                                                       \
    "complex attribute \"%s\" with the shortcut \"%s\": name or shortcut exists already"
#define MSG_COMPLEX_RELOP_SSS     "complex attribute \"%s\": relop \"%s\" cannot compare the type %s"
#define MSG_COMPLEX_CONSUMABLE_SS "complex attribute \"%s\": the type %s cannot be consumable"
#define MSG_COMPLEX_URGENCY_SS    "complex attribute \"%s\": urgency \"%s\" is not a number"
#define MSG_COMPLEX_VALUE_SSS     "complex attribute \"%s\": \"%s\" is not a value of the type %s"
#define MSG_COMPLEX_RSMAP_S                                                                        \
    "complex attribute \"%s\": the type RSMAP needs the relop <= and consumable YES, JOB or HOST"
#define MSG_COMPLEX_EXCL_S                                                                         \
    "complex attribute \"%s\": the relop EXCL needs the type BOOL and consumable YES, JOB or HOST"
#define MSG_DEVICES_FORM_SS                                                                        \
    "complex_values, \"%.80s\": \"%.80s\" is not of the form AMOUNT(NAMES), such as 2(0 1) or "    \
    "4(0-3)"
#define MSG_DEVICES_NAME_SSI                                                                       \
    "complex_values, \"%.80s\": \"%.80s\" is not the name of a device: up to %d letters, digits "  \
    "and "                                                                                         \
    "._-+:/@"
#define MSG_DEVICES_RANGE_SS "complex_values, \"%.80s\": \"%.80s\" is not a range of devices"
#define MSG_DEVICES_MOST_SI  "complex_values, \"%.80s\": the limit is %d devices"
#define MSG_DEVICES_AMOUNT_SUU                                                                     \
    "complex_values, \"%.80s\": the amount is %u, but %u devices are named"
#define MSG_DEVICES_TWICE_SS "complex_values, \"%.80s\": device \"%s\" is named twice"
#define MSG_DEVICE_VARIABLE_S                                                                      \
    "execd_params, DEVICE_VARIABLES: \"%.80s\" is not of the form RESOURCE:VARIABLE, or the "      \
    "variable is reserved"
#define MSG_HOST_NAME_S                "execution host \"%s\" is not valid"
#define MSG_OBJECT_NAME_SS             "%s name \"%s\" is not valid"
#define MSG_OBJECT_ENTRY_S             "%s: an attribute without a name or a value"
#define MSG_OBJECT_VALUE_LONG_SI       "attribute \"%s\": the value is longer than %d bytes"
#define MSG_OBJECT_LIST_SI             "attribute \"%s\": the list has more than %d elements"
#define MSG_OBJECT_ENTRIES_SSI         "%s \"%s\": more than %d entries"
#define MSG_OBJECT_BRACES_S            "%s: a set begins with { and ends with }"
#define MSG_OBJECT_PAIRS_S             "attribute \"%s\": braces must stand in pairs"
#define MSG_RQS_DYNAMIC                "dynamic limits are only supported for per host rules"
#define MSG_RQS_SSS                    "error in limit of resource quota set \"%s\": \"%s\" is not %s"
#define MSG_OBJECT_PART_SSS            "error in %s: \"%s\" %s"
#define MSG_CALENDAR_SSSS              "error in disabled_%s of calendar \"%s\": \"%s\" is not %s"
#define MSG_CALENDAR_LONG_SSI          "error in disabled_%s of calendar \"%s\": more than %d spans"
#define MSG_THRESHOLD_ALARM_SSSSS      "alarm %s:%s=%s %s-threshold=%s"
#define MSG_THRESHOLD_NO_RESOURCE_S    "no complex attribute for threshold %s"
#define MSG_THRESHOLD_NO_VALUE_S       "no load value for threshold \"%s\""
#define MSG_THRESHOLD_UNHEARD_S        "error: no value for \"%s\" because execd is in unknown state"
#define MSG_RESOURCE_UNKNOWN_S         "unknown resource \"%s\""
#define MSG_RESOURCE_VALUE_SS          "attribute \"%s\" is not %s value"
#define MSG_RESOURCE_NOT_REQUESTABLE_S "denied: resource \"%s\" is not requestable"
#define MSG_RESOURCE_SLOTS                                                                         \
    "\"job\" denied: use parallel environments instead of requesting slots explicitly"

#define MSG_CONF_ADDRESS_SSSS "%s: \"%s%s%s\" is not a mail address"
#define MSG_CONF_UNKNOWN_S    "%s is unknown: it is stored, but has no effect"
#define MSG_CONF_UNKNOWN_NEAR_SS                                                                   \
    "%s is unknown: it is stored, but has no effect; did you mean \"%s\"?"
#define MSG_CONF_WORD_VALUE_SS  "%s cannot be \"%.80s\": the default is used"
#define MSG_CONF_UNKNOWN_MOST_U "more than %u unknown attributes"

#endif
