#ifndef SCHED_POLICY_MSG_POLICY_H
#define SCHED_POLICY_MSG_POLICY_H

/* The texts of this room. */
#define MSG_SCHED_CONF_VALUE_SS                                                                    \
    "scheduler configuration: \"%s\" is not a valid value for %s: the previous value is kept"

#endif
