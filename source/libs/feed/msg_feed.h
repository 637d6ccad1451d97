#ifndef FEED_MSG_FEED_H
#define FEED_MSG_FEED_H

/* The texts of this room. */
#define MSG_FEED_THREAD      "cannot start the thread that receives events"
#define MSG_FEED_WORKER      "cannot start a thread"
#define MSG_FEED_WORKERS_D   "%d files or hosts that do not answer are still being waited for"
#define MSG_FEED_WAKE        "cannot create the event descriptor"
#define MSG_FEED_LOST        "the connection to the qmaster was lost"
#define MSG_FEED_NO_ANSWER_S "it is not known whether the request was carried out: %s"
#define MSG_FEED_TOO_MUCH_D  "the answer is larger than %d MiB"

#endif
