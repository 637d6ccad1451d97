#ifndef CLIENTS_QSELECT_MSG_QSELECT_H
#define CLIENTS_QSELECT_MSG_QSELECT_H

#define MSG_QSELECT_NO_PE "no such parallel environment"

#endif
