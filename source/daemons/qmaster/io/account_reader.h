#ifndef QMASTER_IO_ACCOUNT_READER_H
#define QMASTER_IO_ACCOUNT_READER_H

/* The thread that reads the accounting file for hosts that have none, slice by slice: it is not the
 * fetcher, so that no start of a task waits for a file of gigabytes. */
struct account_reader;
struct account_walk;
struct inbox;

/* account_reader_new - of the file PATH, copied; CORE is borrowed; new: account_reader_free, after
 * account_reader_run has returned; NULL is fine */
struct account_reader *account_reader_new(const char *path, struct inbox *core);
void account_reader_free(struct account_reader *r);
/* account_reader_run - the body of the thread; returns after account_reader_stop once the slices
 * asked for have been read */
void account_reader_run(struct account_reader *r);
void account_reader_stop(struct account_reader *r);
/* account_reader_next - one more slice of W, taken, which comes back with NOTE_ACCOUNT; any thread.
 * Walks take turns. */
void account_reader_next(struct account_reader *r, struct account_walk *w);

#endif
