#ifndef CLI_SELECTION_H
#define CLI_SELECTION_H

#include "libs/sgeobj/rows.h"

/* Which jobs and tasks an operand means: `12`, `12.3`, `12.1-9:2`, `name`, `pat*`, several of them
 * joined by commas. */
struct answer;

/* selection_add - append the entries of an operand
 *
 *   text     "12.1-3,name"
 *   tasks    NULL, or the argument of the -t that follows: belongs to the last entry
 *   speaker  program named in messages
 *
 * Empty entries are left out. Returns 0, or -1 with ans (STATUS_ESYNTAX: a range of tasks is
 * wrong), LIST unchanged. */
int selection_add(struct ID_Type_list *list, const char *text, const char *tasks,
                  const char *speaker, struct answer *ans);

/* selection_add_tasks - add a range of tasks (the argument of -t) to an entry; fails as
 * selection_add, ID unchanged */
int selection_add_tasks(struct ID_Type *id, const char *tasks, const char *speaker,
                        struct answer *ans);

/* A range of tasks as a user writes it, task_id_range of sge_types(1): n, n-m, n-m:step; also n:m
 * and n:m:step, m-n, and a,b,c with equal distances. Blanks around numbers and a comma at the end
 * do not count. */
struct task_range {
    uint32_t first, last, step;
};
/* task_range_parse - Returns 0, or -1 with ans and OUT unchanged. SPEAKER as above. Pure. */
int task_range_parse(const char *text, const char *speaker, struct task_range *out,
                     struct answer *ans);

#endif
