#ifndef QMASTER_CONFIG_MSG_CONFIG_H
#define QMASTER_CONFIG_MSG_CONFIG_H

/* Texts of what the configuration wants of jobs: answers are interface, scripts match them. */
#define MSG_USER_UNKNOWN_S "job rejected: the user \"%s\" does not exist"
#define MSG_NO_PROJECT     "job rejected: no project was assigned to job"
#define MSG_AUTO_USERS_SUU                                                                         \
    "job rejected: user \"%s\" would be one more than the %u that there are; the limit is %u "     \
    "(qmaster_params MAX_AUTO_USERS)"
#define MSG_MEMBERS_FULL_UU                                                                        \
    "the groups of %u users are known; the limit is %u: of others the primary group alone counts " \
    "in user sets"

#endif
