#ifndef CLIENTS_QSELECT_MSG_QSELECT_H
#define CLIENTS_QSELECT_MSG_QSELECT_H

#define MSG_QSELECT_NO_ACCESS "no queue is accessible to all of these users (-U)"

#endif
