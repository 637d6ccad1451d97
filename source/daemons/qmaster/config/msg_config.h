#ifndef QMASTER_CONFIG_MSG_CONFIG_H
#define QMASTER_CONFIG_MSG_CONFIG_H

/* Texts of queues and the start: answers are interface (scripts match them), log lines are for administrators. */

/* qconf */
#define MSG_GROUP_IN_ITSELF_S "host group \"%s\" is in itself, directly or through others"
#define MSG_GROUP_DEPTH_SI    "host group \"%s\" is deeper than %d groups within groups"

#endif
