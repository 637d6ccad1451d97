#ifndef SCHED_POLICY_MSG_POLICY_H
#define SCHED_POLICY_MSG_POLICY_H

/* The texts of this room. */
#define MSG_SCHED_CONF_VALUE_SS                                                                    \
    "scheduler configuration: \"%s\" is not a valid value for %s: the previous value is kept"

#define MSG_PRIOR_GRANT_OF_NOTHING "policy: a grant names neither a job nor an owner"
#define MSG_PRIOR_GRANTS_U                                                                         \
    "policy: more than %u jobs and owners have tickets or urgency of their own: the others share " \
    "those of their owners"
#define MSG_PRIOR_ORDER_UU "policy: an order has %u grants, more than the %u that it may have"

#endif
