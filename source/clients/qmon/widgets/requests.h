#ifndef CLIENTS_QMON_WIDGETS_REQUESTS_H
#define CLIENTS_QMON_WIDGETS_REQUESTS_H

#include "clients/qmon/widgets/qmon.h"
#include "libs/gdi/message.h"

/* Asking the qmaster, with a label for its answer. */
struct answer;

/* said_words - what TEXTS come to in one line: an error rather than what went well; appended
 * said_answer - the label SAID says that, and how many more texts there are */
struct dstr;
void said_words(const struct answer *texts, struct dstr *out);
void said_answer(Widget said, const struct answer *texts, uint32_t n_texts);

/* ask_get - GET objects of TARGET for GOT
 *
 *   name    the one that is called so (also a pattern); NULL: all
 *   fields  of them alone, ended by NULL; NULL: all
 *   said    a label that says so if there is no qmaster; GOT is not called then
 *
 * Returns whether it was sent. */
typedef void (*ask_got_fn)(void *ctx, const struct GA_Type *all, const struct answer *texts);
bool ask_get(struct qmon *q, enum gdi_target target, const char *name, const char *const *fields,
             ask_got_fn got, void *ctx, Widget said);
/* ask_names - the same for nothing but the names of all */
bool ask_names(struct qmon *q, enum gdi_target target, ask_got_fn got, void *ctx, Widget said);

/* ask_change - send REQUEST, which is empty afterwards; DONE receives the texts of the answer */
typedef void (*ask_done_fn)(void *ctx, const struct answer *texts, uint32_t n_texts);
bool ask_change(struct qmon *q, struct GR_Type *request, ask_done_fn done, void *ctx, Widget said);

/* request_send - ask the qmaster, and say in the label SAID, which stays, what it answers: an error
 * rather than what went well, and how many more texts there are. REQUEST is empty afterwards. */
void request_send(struct qmon *q, Widget said, struct GR_Type *request);

/* What can be done to jobs, as requests. No window. */
enum job_act {
    ACT_HOLD,    /* a user hold */
    ACT_RELEASE, /* no user hold any more */
    ACT_SUSPEND,
    ACT_RESUME,
    ACT_RESCHEDULE,
    ACT_CLEAR,
    ACT_DELETE,
    JOB_ACTS
};
enum { ACT_JOBS_MOST = 10000 }; /* in one request, as the qmaster has it */

/* job_get_request - read FIELDS (ended by NULL; NULL: all) of JOBS (numbers), into OUT, which is
 * empty */
void job_get_request(const struct range_set *jobs, const char *const *fields, struct GR_Type *out);

/* job_act_request - ACT on all tasks of JOBS (numbers), into OUT, which is empty
 * job_priority_request - they get PRIORITY, as qalter -p has it */
void job_act_request(enum job_act act, const struct range_set *jobs, struct GR_Type *out);
void job_priority_request(const struct range_set *jobs, int32_t priority, struct GR_Type *out);

/* Where a task runs and since when, which events do not say, is asked for: of one task at a time,
 * however many run. */
struct task_asking {
    /* what became of it, in the task's queue instance since START_S; QUEUE NULL: it does not run,
     * or no answer comes */
    void (*got)(void *ctx, const struct task_asking *a, const char *queue, uint64_t start_s);
    void *ctx;
    uint32_t job, ordinal; /* of which task */
    bool is_open;          /* the answer has not come yet */
};

/* task_ask - ask about the task ORDINAL of JOB
 *   a  the caller's, for as long as Q lives; its `got` and `ctx` are set
 * Nothing is asked while A waits for an answer, or if there is no qmaster. */
void task_ask(struct qmon *q, struct task_asking *a, uint32_t job, uint32_t ordinal);

#endif
