#ifndef QMASTER_REQUESTS_READS_ACCOUNTING_H
#define QMASTER_REQUESTS_READS_ACCOUNTING_H

/* Answers from the accounting file, for hosts that have none: the file is read by a thread of its
 * own (io/account_reader.h), one slice for each part of an answer. */
struct account_reads;
struct note;
struct qmaster;

/* account_reads_new - none is under way; new: account_reads_free, after the lanes, which own
 * them */
struct account_reads *account_reads_new(void);
void account_reads_free(struct account_reads *all);
/* accounting_on_slice - N, a NOTE_ACCOUNT, brings a walk back: its answer goes on, unless who asked
 * has gone */
void accounting_on_slice(struct qmaster *q, struct note *n);

#endif
