#ifndef CLIENTS_QPING_MSG_QPING_H
#define CLIENTS_QPING_MSG_QPING_H

#include <inttypes.h>

/* Texts that health checks look for, as captured. */
#define MSG_PING_CANNOT_SSSU "endpoint %s/%s/%s at port %u: can't find connection\n"
#define MSG_PING_PORT_SSS    "endpoint %s/%s/%s at port 0: no valid port number\n"
#define MSG_PING_UP_SSSSUU   "%s endpoint %s/%s/%s at port %u is up for %" PRIu64 " seconds\n"
#define MSG_PING_REFUSED_SSS                                                                       \
    "got select error: Connection refused\ngot select error: closing \"%s/%s/%s\"\n"
#define MSG_PING_OTHER_SSSSSS                                                                      \
    "access denied: local endpoint \"%s/%s/1\" doesn't match requested endpoint \"%s/%s/%s\"\n"
#define MSG_PING_HOST_S "could not resolve hostname %s\n"

#endif
