#ifndef QMASTER_JOBS_DEPEND_WORDS_H
#define QMASTER_JOBS_DEPEND_WORDS_H

#include "daemons/qmaster/change/links.h"
#include "daemons/qmaster/tables/walk.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* Which jobs the words of -hold_jid or -hold_jid_ad mean: ids, names and patterns. Resolved in
 * slices. */
/* of one list, since each is compared with every name of the owner's jobs */
enum { DEPEND_PATTERNS_MOST = 64 };

struct word_match {
    uint32_t word, number; /* the first word that means the job */
};
struct depend_words {
    const char *owner; /* borrowed: whose jobs names and patterns mean */
    uint32_t self;    /* the job that would wait, which a pattern does not mean; 0: it is to come */
    uint64_t n_added; /* jobs with this serial and later ones came after the request */
    struct range_set numbers; /* of the jobs found: many words that mean one cost what one does */
    struct word_match few[LINKS_FEW]; /* the jobs found, if they are no more, by word */
    uint32_t n_few;                   /* LINKS_FEW + 1: they are more */
    struct dstr exited; /* ids that were named but exist no more, for qalter's answer */
    struct dstr idle;   /* names and patterns that mean no job: "a", "b*"; a long list is cut */
    /* the progress so far */
    uint32_t at, n_patterns; /* the word that is looked at; patterns among those before it */
    bool is_found;           /* the name that is looked at means a job */
    uint64_t matched, found; /* a bit for each pattern: it matches the name that is looked at; it
                              * means a job */
    /* over the jobs of that name; in the end over all names, for the patterns */
    struct name_walk walk;
};

/* depend_words_begin - the words that OWNER has said for job SELF */
void depend_words_begin(struct depend_words *w, const struct qmaster *q, const char *owner,
                        uint32_t self);
/* depend_words_step - find more of what WANTED means
 *   work  jobs and names looked at in this step, so far; added to (depend_step_is_over)
 * Returns 0 when all is found, 1 if there is more to do, -1 with ans. */
int depend_words_step(struct depend_words *w, struct qmaster *q, const struct JRE_Type_list *wanted,
                      uint32_t *work, struct answer *ans);
/* depend_words_found - the jobs found: W->few is sorted as they were asked for, by word, then by
 * number. Returns how many jobs there are */
uint64_t depend_words_found(struct depend_words *w);
/* depend_words_free - W is empty afterwards */
void depend_words_free(struct depend_words *w);

/* depend_step_is_over - asked before each thing that a step looks at: has it done its WORK? */
bool depend_step_is_over(const struct qmaster *q, uint32_t *work);
enum { DEPEND_STEP_WORK = 4000 };

#endif
