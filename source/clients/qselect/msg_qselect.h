#ifndef CLIENTS_QSELECT_MSG_QSELECT_H
#define CLIENTS_QSELECT_MSG_QSELECT_H

#define MSG_QSELECT_NO_ACCESS "no queues are left that these users (-U) may use"

#endif
