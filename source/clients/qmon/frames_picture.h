#ifndef CLIENTS_QMON_FRAMES_PICTURE_H
#define CLIENTS_QMON_FRAMES_PICTURE_H

#include "clients/qmon/paint.h"
#include "libs/view/frames.h"

/* How a frame matrix is drawn: below an axis two lines a stage, what is said of it and its
 * tasks. */

/* frames_draw - the stages from TOP on, in WIDGET, which is realized; grey if they are old */
void frames_draw(const struct frames *f, const struct paint *paint, Widget widget, uint32_t top,
                 bool is_old);
/* frames_page - how many stages a picture of HEIGHT pixels has, at least 1
 * frames_columns_of - how many columns one of WIDTH pixels has, at least 1
 * frames_under - the stage (from TOP on) and the frame below a place; false: none is there */
uint32_t frames_page(const struct paint *paint, int height);
int frames_columns_of(int width);
bool frames_under(const struct frames *f, const struct paint *paint, uint32_t top, int width, int x,
                  int y, uint32_t *stage, uint32_t *frame);

#endif
