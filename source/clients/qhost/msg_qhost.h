#ifndef CLIENTS_QHOST_MSG_QHOST_H
#define CLIENTS_QHOST_MSG_QHOST_H

#define MSG_RESOLVE_S "can't resolve hostname \"%s\""

#endif
