#ifndef QMASTER_CONFIG_MSG_CONFIG_H
#define QMASTER_CONFIG_MSG_CONFIG_H

/* Texts of what the configuration wants of jobs, which are interface, as scripts match them; and
 * lines of the log about what hosts report. */
#define MSG_USER_UNKNOWN_S "job rejected: the user \"%s\" does not exist"
#define MSG_NO_PROJECT     "job rejected: no project was assigned to job"
#define MSG_AUTO_USERS_SUU                                                                         \
    "job rejected: user \"%s\" cannot be added to the %u existing users; the limit is %u "         \
    "(qmaster_params MAX_AUTO_USERS)"
#define MSG_MEMBERS_FULL_UU                                                                        \
    "the groups of %u users are known; the limit is %u: for other users, only the primary group "  \
    "counts in user sets"

#define MSG_LOAD_CUT_SUU                                                                           \
    "the execd of %s reports too much: the limit for a host is %u load values with %u bytes; the " \
    "rest is ignored"
#define MSG_CELL_LOAD_CUT_SUU                                                                      \
    "the execd of %s reports too much of the host global: the limit for a host is %u load values " \
    "with %u bytes; the rest is ignored"
#define MSG_CELL_LOAD_S                                                                            \
    "the execd of %s reports load values of the host global, which only admin hosts may do: they " \
    "are ignored"

/* why a queue instance is in state D, C or S; the first two go on with a date */
#define MSG_CALENDAR_STATE_SS       "calendar \"%s\": %s"
#define MSG_CALENDAR_UNTIL          " until "
#define MSG_CALENDAR_AT_LEAST_UNTIL " at least until "
#define MSG_SUBORDINATED_SUU        "suspended by \"%s\": %u slots used, limit %u"

#endif
