#ifndef VIEW_FRAMES_WORDS_H
#define VIEW_FRAMES_WORDS_H

#include "libs/view/frames.h"

/* The frame matrix as text. Pure. */

/* frames_told - append what is pointed at: "render 12, task 7: held; waits for ribs 13-14" */
void frames_told(const struct frames *f, struct dstr *out);
/* frames_line - append how far STAGE is: "40 of 100 done, 4 running, 2 held, 1 in error, 3 failed,
 * end about 14:05" */
void frames_line(const struct frames *f, uint32_t stage, struct dstr *out);
/* frames_text - append the matrix as text, COLUMNS letters a stage: "." done, "F" failed, "?"
 * ended in an unknown way, "r" running, "p" pending, "h" held, "s" suspended, "E" in error */
void frames_text(const struct frames *f, int columns, struct dstr *out);

#endif
