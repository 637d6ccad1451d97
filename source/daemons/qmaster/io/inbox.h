#ifndef QMASTER_IO_INBOX_H
#define QMASTER_IO_INBOX_H

#include "daemons/qmaster/io/identity.h"
#include "libs/comm/frame.h"
#include "libs/uti/tree.h"

/* The queue through which every other thread reaches the core: finished messages in, taken out all
 * at once. The only thing the core waits for. */
enum note_kind {
    NOTE_OPENED = 1, /* connection: who is filled */
    NOTE_FRAME,      /* connection: frame */
    NOTE_CLOSED,     /* connection */
    NOTE_DRAINED,    /* connection: room for more of a long answer */
    NOTE_DURABLE,    /* committer: batch `number` is on disk */
    NOTE_FETCHED,    /* fetcher: read a record of job `number`, script or environment: data */
    NOTE_ACCOUNT,    /* account_reader: `walk` has made a slice */
    NOTE_OWNER,      /* network: who is filled with the user that has the id `number`, if one has */
    NOTE_GROUPS,     /* network: the groups of the user with the id `number`: data (member_of.h) */
    NOTE_STOP        /* end the qmaster */
};
struct account_walk;
struct note {
    STAILQ_ENTRY(note) next;
    enum note_kind kind;
    uint64_t conn;
    uint64_t number;
    struct identity who;
    bool is_unsure;     /* NOTE_OWNER, NOTE_GROUPS: the name service does not say */
    struct frame frame; /* body owned */
    void *data;         /* owned, malloc */
    size_t len;
    struct account_walk *walk; /* owned */
};
STAILQ_HEAD(note_list, note);

struct inbox;
/* inbox_new - empty; new: inbox_free, which frees what was not taken */
struct inbox *inbox_new(void);
void inbox_free(struct inbox *box);
/* note_new - new: note_free, which frees what it owns */
struct note *note_new(enum note_kind kind, uint64_t conn);
void note_free(struct note *n);
/* inbox_put - any thread; N is taken. Never waits. */
void inbox_put(struct inbox *box, struct note *n);
/* inbox_put_all - moves a whole list with one lock and one wake. For the network thread. What users
 * may send ahead of the core is bounded for each of them (comm_limits); should all of them together
 * be INBOX_MOST_BYTES ahead of a core that takes nothing, this waits. */
void inbox_put_all(struct inbox *box, struct note_list *list);
enum { INBOX_MOST_BYTES = 256 * 1024 * 1024 };
/* inbox_close - the core takes no more: senders do not wait */
void inbox_close(struct inbox *box);
/* inbox_take - core only: all that is there, waiting until something is or until UNTIL_US
 * (monotonic; 0 = for ever) */
void inbox_take(struct inbox *box, uint64_t until_us, struct note_list *out);

#endif
