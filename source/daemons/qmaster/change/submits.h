#ifndef QMASTER_CHANGE_SUBMITS_H
#define QMASTER_CHANGE_SUBMITS_H

#include "daemons/qmaster/tables/jobs.h"

/* Which job came of which submit: user and request id (JB_uid, JB_request_id) of jobs that are in
 * the table and young. Their records have the texts, so that 16 bytes a job are enough here. */
struct submits;
/* submits_new - none; new: submits_free. NULL is fine */
struct submits *submits_new(void);
void submits_free(struct submits *s);
/* submits_add - JOB, which has an id, borrowed until submits_remove or submits_forget */
void submits_add(struct submits *s, struct job *job);
/* submits_find - the job that user UID submitted with ID; NULL: none is known. O(1) */
struct job *submits_find(const struct submits *s, uint32_t uid, const char *id);
/* submits_remove - JOB goes. False if it was not known */
bool submits_remove(struct submits *s, const struct job *job);
/* submits_forget - jobs submitted before BEFORE_S are not known any longer, nor are their request
 * ids; about MOST of them at a time, the next call goes on */
void submits_forget(struct submits *s, uint64_t before_s, uint32_t most);

#endif
