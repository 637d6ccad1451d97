#ifndef SCHED_POLICY_MSG_POLICY_H
#define SCHED_POLICY_MSG_POLICY_H

/* The texts of this room. */
#define MSG_SCHED_CONF_VALUE_SS                                                                    \
    "scheduler configuration: \"%s\" is not a valid value for %s: the previous value is kept"

#define MSG_PRIOR_GRANT_OF_NOTHING "policy: a grant names neither a job nor an owner"
#define MSG_PRIOR_GRANTS_U                                                                         \
    "policy: more than %u jobs and owners have tickets or urgency of their own: the others share " \
    "those of their owners"
#define MSG_PRIOR_ORDER_UU    "policy: an order has %u grants, more than the %u that it may have"

#define MSG_PLUGIN_SAYS_S     "scheduler plug-in: %s"
#define MSG_PLUGIN_NO_JOB_U   "it decided about job %u, which does not exist"
#define MSG_PLUGIN_NO_QUEUE_S "it named queue instance \"%s\", which does not exist"
#define MSG_PLUGIN_TASKS_UUL  "it placed %u tasks of job %u, of which %llu may start"
#define MSG_PLUGIN_MANY_U     "it made more than %u decisions in a run"
#define MSG_PLUGIN_STALE_U                                                                         \
    "more than %u answers in a row were about jobs or queue instances that are gone"
#define MSG_PLUGIN_MALFORMED   "its answer is malformed"
#define MSG_PLUGIN_OCCUPIED_US "it placed job %u in queue instance \"%s\", which has no slot for it"

#endif
