#ifndef CLIENTS_QMON_WINDOWS_FRAMES_PICTURE_H
#define CLIENTS_QMON_WINDOWS_FRAMES_PICTURE_H

#include "clients/qmon/widgets/paint.h"
#include "libs/view/frames.h"

/* How a frame matrix is drawn: below an axis two lines a stage, its text and its
 * tasks. */
struct frames_view {
    const struct frames *frames;
    const struct paint *paint;
    uint32_t top;      /* the first stage that is seen */
    int width, height; /* pixels */
    bool is_old;       /* grey: the qmaster is lost */
};

/* frames_draw - on CANVAS, which is as large as V */
void frames_draw(const struct frames_view *v, struct canvas *canvas);
/* frames_legend - on CANVAS what the forms and colours mean, in a line */
void frames_legend(struct canvas *canvas);
/* frames_page - how many stages a picture of HEIGHT pixels has, at least 1 */
uint32_t frames_page(const struct paint *paint, int height);
/* frames_height - pixels of a picture with all stages, as far as a picture can be that high */
int frames_height(const struct frames *f, const struct paint *paint);
/* frames_under - the stage and the frame at a place; false: none is there
 * frames_near - those that are nearest to it; V has at least one stage */
bool frames_under(const struct frames_view *v, int x, int y, struct frame_place *out);
struct frame_place frames_near(const struct frames_view *v, int x, int y);

#endif
