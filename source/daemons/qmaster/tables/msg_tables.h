#ifndef QMASTER_TABLES_MSG_TABLES_H
#define QMASTER_TABLES_MSG_TABLES_H

/* Texts of the tables: answers are interface (scripts match them), log lines are for
 * administrators. */

/* rights */
#define MSG_PRIORITY_POSITIVE                                                                      \
    "job rejected: positive submission priority requires operator privileges"
#define MSG_PRIORITY_INCREASE_S "denied: \"%s\" must be operator to increase job priority"
#define MSG_NOT_DEADLINE_USER_S "job rejected: the user \"%s\" is not a deadline initiation user"
#define MSG_TICKETS_OPERATOR_S  "denied: \"%s\" must be operator to set override tickets"
#define MSG_ONLY_USER_SU                                                                           \
    "denied: \"%s\" may not submit: this cell belongs to the user with id %u and runs jobs of no " \
    "other "                                                                                       \
    "user"
#define MSG_NO_ROOT_JOBS                                                                           \
    "denied: this cell runs no jobs of root: \"root_jobs\" in bootstrap(5) is false"
#define MSG_NO_NAME_US        "denied: user id %u has no name on host \"%s\": its jobs could not run"
#define MSG_SUBMIT_AS_S       "denied: \"%s\" may not submit for others: only root may"
#define MSG_NOT_SUBMIT_HOST_S "denied: host \"%s\" is not a submit host"
#define MSG_NOT_ADMIN_HOST_S  "denied: host \"%s\" is not an admin host"
#define MSG_NEITHER_HOST_S    "denied: host \"%s\" is neither a submit host nor an admin host"
#define MSG_NO_LORDS_SUS                                                                           \
    "denied: \"%s\" (user id %u) of host \"%s\" is refused: root and the user that runs the "      \
    "qmaster may connect only from its own host"
#define MSG_NO_CERTIFIED_LORDS_SU                                                                  \
    "denied: \"%s\" (user id %u) may not use a certificate: root and the user that runs the "      \
    "qmaster may connect only from its own host"
#define MSG_NO_RANK_S                                                                              \
    "denied: \"%s\" uses a certificate, and managers may connect only from admin hosts"
#define MSG_LOW_IDS_SUUUU     "denied: \"%s\" has user id %u and group id %u; min_uid is %u, min_gid %u"
#define MSG_HOLD_MANAGER_SS   "denied: \"%s\" must be manager to %s manager hold"
#define MSG_HOLD_OPERATOR_SS  "denied: \"%s\" must be operator to %s operator hold"
#define MSG_MUST_BE_MANAGER_S "denied: \"%s\" must be manager for this operation"

/* who may use the cell, and its projects */
#define MSG_NO_ACCESS_TO_CELL_S                                                                    \
    "job rejected: user \"%s\" has no permission in this cell (user_lists, xuser_lists)"
#define MSG_CELL_WANTS_PROJECT                                                                     \
    "job rejected: this cell accepts only jobs of certain projects (-P, projects)"
#define MSG_CELL_NOT_FOR_PROJECT_S                                                                 \
    "job rejected: project \"%s\" has no permission in this cell (projects, xprojects)"
#define MSG_NO_ACCESS_TO_PROJECT_SS "job rejected: no access to project \"%s\" for user \"%s\""

/* host groups */
#define MSG_GROUP_IN_ITSELF_S "host group \"%s\" contains itself, directly or through other groups"
#define MSG_GROUP_DEPTH_SI    "host group \"%s\" is nested more than %d levels deep"

#define MSG_NOT_AR_USER_S     "denied: \"%s\" must be manager or in userset \"arusers\""

#endif
