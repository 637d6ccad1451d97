#ifndef VIEW_WEEK_GRID_H
#define VIEW_WEEK_GRID_H

#include "libs/config/calendar.h"

#include "common/basis.h"

/* The week of a calendar (calendar_conf(5)) as a grid of half hours, to be seen and painted on.
 * Pure. */
enum { WEEK_DAYS_N = 7, DAY_HALVES = 48 };
struct answer;
struct dstr;

struct week_grid {
    unsigned char state[WEEK_DAYS_N][DAY_HALVES]; /* enum calendar_state; day 0 is Monday */
    bool is_exact;                                /* the text says nothing that the grid cannot */
};

/* week_grid_read - what TEXT says; of a half hour that has several states that of its begin
 * Returns 0, or -1 with ans and OUT all on. */
int week_grid_read(const char *text, struct week_grid *out, struct answer *ans);
/* week_grid_paint - the half hours FIRST..LAST of DAY get STATE */
void week_grid_paint(struct week_grid *g, unsigned day, unsigned first, unsigned last,
                     enum calendar_state state);
/* week_grid_text - append the text that says this: NONE, or entries with blanks between */
void week_grid_text(const struct week_grid *g, struct dstr *out);
/* week_day_name - "mon" ... */
const char *week_day_name(unsigned day);

#endif
