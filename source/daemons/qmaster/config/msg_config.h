#ifndef QMASTER_CONFIG_MSG_CONFIG_H
#define QMASTER_CONFIG_MSG_CONFIG_H

/* Texts of what the configuration wants of jobs, which are interface, as scripts match them; and
 * lines of the log about what hosts report. */
#define MSG_USER_UNKNOWN_S "job rejected: the user \"%s\" does not exist"
#define MSG_NO_PROJECT     "job rejected: no project was assigned to job"
#define MSG_AUTO_USERS_SUU                                                                         \
    "job rejected: user \"%s\" would be one more than the %u that there are; the limit is %u "     \
    "(qmaster_params MAX_AUTO_USERS)"
#define MSG_MEMBERS_FULL_UU                                                                        \
    "the groups of %u users are known; the limit is %u: of others the primary group alone counts " \
    "in user sets"

#define MSG_LOAD_CUT_SUU                                                                           \
    "the execd of %s reports too much: %u load values with %u bytes are the most of a host; the "  \
    "rest is left out"
#define MSG_CELL_LOAD_CUT_SUU                                                                      \
    "the execd of %s reports too much of the host global: %u load values with %u bytes are the "   \
    "most of a host; the rest is left out"
#define MSG_CELL_LOAD_S                                                                            \
    "the execd of %s reports load values of the host global, which admin hosts may: they do "      \
    "not count"

#endif
