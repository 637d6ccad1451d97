#ifndef CLIENTS_QMON_WINDOWS_JOBS_COLUMNS_H
#define CLIENTS_QMON_WINDOWS_JOBS_COLUMNS_H

#include "clients/qmon/widgets/table.h"
#include "clients/qmon/widgets/window.h"
#include "clients/qmon/windows/windows.h"
#include "libs/view/job_list.h"

/* Job Control: jobs_window.c has the list and its buttons, jobs_columns.c the choice of columns and
 * the kinds of hold. */
struct jobs_window {
    struct qmon *q;
    void (*refresh)(struct jobs_window *w); /* show what has changed */
    Widget shell, told, said, words;
    uint32_t pointed; /* number of the job under the pointer; 0: none */
    struct job_list *list;
    struct table *table;
    struct range_set asked; /* the jobs of the question that is open */

    struct why_window *why; /* NULL until it was opened; so is the next one */
    struct change_window *change;

    struct columns columns;
    Widget columns_shell, columns_list, columns_said; /* NULL until it was opened */

    Widget holds;                 /* the text on the job that is selected */
    struct board_watcher watcher; /* of that job */
    uint32_t held_job;            /* its number; 0: not one alone */
    bool is_held_job_other;       /* it was selected, and was not queried yet */
    bool is_held_job_new;         /* it has changed since then */
    bool is_open;                 /* a hidden window sends no requests */
    bool is_asking_holds;         /* a request is under way */
    bool is_pausing;              /* one was answered a moment ago */
};

/* jobs_columns_init - show the columns that the user chose, in another session
 * jobs_columns_open - let the user choose */
void jobs_columns_init(struct jobs_window *w);
void jobs_columns_open(void *w);

/* jobs_holds_make - the text on the holds of the job that is selected, in FORM above BELOW. Returns
 * what is laid out.
 * jobs_holds_chosen - other jobs are selected
 * jobs_holds_refresh - ask what is to be asked */
Widget jobs_holds_make(struct jobs_window *w, Widget form, Widget below);
void jobs_holds_chosen(struct jobs_window *w);
void jobs_holds_refresh(struct jobs_window *w);

#endif
