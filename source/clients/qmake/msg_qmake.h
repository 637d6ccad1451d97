#ifndef CLIENTS_QMAKE_MSG_QMAKE_H
#define CLIENTS_QMAKE_MSG_QMAKE_H

/* What qmake prints. */
#define MSG_QMAKE_DYNAMIC    "dynamic mode\n"
#define MSG_QMAKE_EXECUTE_SS "qmake: can't execute \"%s\": %s\n"
#define MSG_QMAKE_NO_SLOT_S  "qmake: there is no slot for the command in \"%s\"\n"
#define MSG_QMAKE_SLOTS_S    "qmake: can't make the slots of the hosts in \"%s\"\n"

#endif
