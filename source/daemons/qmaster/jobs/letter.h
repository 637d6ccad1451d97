#ifndef QMASTER_JOBS_LETTER_H
#define QMASTER_JOBS_LETTER_H

#include "daemons/qmaster/tables/qmaster.h"
#include "libs/uti/dstr.h"

/* A mail that is being written, and how many users may cause (MAIL_RATE). For jobs/mail.c. */
struct letters;
enum {
    LETTER_NAME_MOST = 100, /* bytes of a name in a subject */
    LETTER_TEXT_MOST = 1000 /* bytes of a text of users or hosts in a body */
};

/* letters_new - no mail was counted yet; new: letters_free, NULL is fine
 * letters_step - forget users of whom no mail was counted within the last hour; now and then */
struct letters *letters_new(void);
void letters_free(struct letters *letters);
void letters_step(struct qmaster *q);

struct letter { /* starts as all zeros; sending frees it */
    struct dstr subject, body;
};
/* letter_begin - about JOB, or its task TASK, or with 0 the array: "Job 1 (x) WHAT" is the subject
 * and the first line
 * letter_title - append that without WHAT */
struct letter letter_begin(const struct job *job, uint32_t task, const char *what);
void letter_title(const struct job *job, uint32_t task, struct dstr *out);
/* letter_text ... - a line " LABEL = VALUE" with LABEL as wide as WIDTH: a text, a time (0:
 * unknown), a duration, bytes (0: NA), a number
 * letter_queue - the lines Queue and Host of T; IS_WHOLE: with the host behind the queue's name
 * letter_place - the same behind the line User */
void letter_text(struct letter *l, int width, const char *label, const char *text);
void letter_date(struct letter *l, int width, const char *label, uint64_t at_s);
void letter_duration(struct letter *l, int width, const char *label, double duration_s);
void letter_memory(struct letter *l, int width, const char *label, double bytes);
void letter_count(struct letter *l, int width, const char *label, uint64_t n);
void letter_queue(struct letter *l, int width, const struct task *t, bool is_whole);
void letter_place(struct letter *l, int width, const struct task *t, bool is_whole);
/* letter_send - to the addresses of JOB, if its owner may cause so many mails more
 * letter_send_to_administrator - to administrator_mail, which has such a limit, too */
void letter_send(struct qmaster *q, const struct job *job, struct letter *l);
void letter_send_to_administrator(struct qmaster *q, struct letter *l);

#endif
