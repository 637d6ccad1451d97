#ifndef QMASTER_TABLES_MSG_TABLES_H
#define QMASTER_TABLES_MSG_TABLES_H

/* Texts of the tables: answers are interface (scripts match them), log lines are for administrators. */

/* log */
#define MSG_TURN_LONG_USU  "a turn of the core took %u ms, the longest part of it %s with %u ms"
#define MSG_TURN_LONG_USUS MSG_TURN_LONG_USU " for user %s"

#endif
