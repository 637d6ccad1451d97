#ifndef VIEW_WHY_LIST_H
#define VIEW_WHY_LIST_H

#include "libs/gdi/message.h"

/* Why a job or a task waits, as a list of lines; one about another job or task can be followed to
 * it, and back. Pure. Source: qstat(1) -why. */
struct why_list;
struct why_place {
    uint32_t job, task; /* task 0: the whole job */
};
enum { WHY_LINES_MOST = 20000, WHY_STEPS_MOST = 100 };

/* why_list_new - no place, no lines; new: why_list_free, which takes NULL */
struct why_list *why_list_new(void);
void why_list_free(struct why_list *l);

/* why_list_begin - it is about PLACE now, and there is no way back
 * why_list_go - about PLACE, with a way back; of more than WHY_STEPS_MOST the first are forgotten
 * why_list_back - about the place before; false: there is none
 * All but a false answer leave it without lines. */
void why_list_begin(struct why_list *l, struct why_place place);
void why_list_go(struct why_list *l, struct why_place place);
bool why_list_back(struct why_list *l);
struct why_place why_list_place(const struct why_list *l);

/* why_list_clear - no lines
 * why_list_add_heading - TEXT, above what follows about PLACE
 * why_list_add_wait - one task that is waited for
 * why_list_add - a reason in words
 * Control characters become ?; more than WHY_LINES_MOST lines are dropped. */
void why_list_clear(struct why_list *l);
void why_list_add_heading(struct why_list *l, struct why_place place, const char *text);
void why_list_add_wait(struct why_list *l, const struct WT_Type *wait);
void why_list_add(struct why_list *l, const char *text);
/* why_list_count - how many lines there are
 * why_list_text - the line at ROW, borrowed
 * why_list_leads - where that line leads to; false: nowhere */
uint32_t why_list_count(const struct why_list *l);
const char *why_list_text(const struct why_list *l, uint32_t row);
bool why_list_leads(const struct why_list *l, uint32_t row, struct why_place *out);

#endif
