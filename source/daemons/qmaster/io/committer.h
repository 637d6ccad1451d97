#ifndef QMASTER_IO_COMMITTER_H
#define QMASTER_IO_COMMITTER_H

#include "daemons/qmaster/io/mailer.h"
#include "libs/spool/spool.h"
#include "libs/uti/dstr.h"
#include "libs/uti/tree.h"

/* The thread that makes changes durable. It gets a batch from the core, writes it in one
 * transaction with one sync, appends the accounting lines, and only then sends the frames that wait
 * for it. So nothing leaves the process before it is on disk. */
struct comm_server;
struct inbox;
struct committer;

/* a frame that waits for a batch */
struct outgoing {
    STAILQ_ENTRY(outgoing) next;
    uint64_t conn;
    uint8_t kind;
    uint32_t serial;
    uint8_t *body; /* owned */
    size_t len;
};
STAILQ_HEAD(outgoing_list, outgoing);

struct batch {
    uint64_t number;           /* 1, 2, 3 ... */
    struct spool_batch *spool; /* owned; may be empty (then there is nothing to sync) */
    /* whole lines, also staged in `spool` as one outbox record with key `number` */
    struct dstr accounting;
    struct dstr reporting; /* whole lines; not durable */
    /* how long lines may wait to be written, and to be synced */
    uint32_t reporting_flush_s, accounting_flush_s;
    struct mail_list mails; /* likewise */
    struct outgoing_list outgoing;
};
/* batch_new - an empty batch; new: batch_free. batch_free - with what waits for it; NULL is fine */
struct batch *batch_new(uint64_t number);
void batch_free(struct batch *b);

/* committer_new - what it gets is borrowed until committer_free; CORE is notified of what is
 * durable; the reporting file is beside the accounting file
 * committer_free - after committer_run has returned; NULL is fine */
struct committer *committer_new(struct spool *spool, const char *accounting_path,
                                struct comm_server *server, struct inbox *core);
void committer_free(struct committer *c);
/* committer_send_mails - the mails of a batch go to MAILER, borrowed, when the batch is durable;
 * without one they are dropped. Before committer_run. */
void committer_send_mails(struct committer *c, struct mailer *mailer);
/* committer_run - the body of the thread; returns after committer_stop once everything handed over
 * is done, or once it has given up */
void committer_run(struct committer *c);
/* committer_stop - let it end; any thread */
void committer_stop(struct committer *c);
/* committer_give_up - what cannot be written now is dropped, unsent and unacknowledged.
 * committer_run returns. Any thread. */
void committer_give_up(struct committer *c);
/* committer_has_failed - has it given up by itself, because the spool or the accounting file failed
 * permanently (NOTE_STOP has notified the core)? */
bool committer_has_failed(const struct committer *c);

/* committer_give - hand over the next batch; taken. The core does so only when the last one is done
 * (NOTE_DURABLE). */
void committer_give(struct committer *c, struct batch *b);
/* committer_send_after - send P once batch NUMBER is durable: at once if it is. NUMBER has been
 * given already. P is taken. */
void committer_send_after(struct committer *c, uint64_t number, struct outgoing *p);
/* committer_synced_accounting - outbox records up to this batch number may be deleted: their lines
 * are on disk */
uint64_t committer_synced_accounting(const struct committer *c);

/* committer_trouble - what it tries again and again to write: nothing new should be promised
 * then */
enum committer_trouble { COMMITTER_WORKS, COMMITTER_NO_SPOOL, COMMITTER_NO_ACCOUNTING };
enum committer_trouble committer_trouble(const struct committer *c);
/* committer_accounting_path - the file that it appends to; borrowed, any thread */
const char *committer_accounting_path(const struct committer *c);

#endif
