#ifndef FEED_MSG_FEED_H
#define FEED_MSG_FEED_H

/* The texts of this room. */
#define MSG_FEED_THREAD "cannot start the thread that listens to the qmaster"
#define MSG_FEED_WAKE   "cannot make the descriptor that tells of events"

#endif
