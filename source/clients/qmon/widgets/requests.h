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

#endif
