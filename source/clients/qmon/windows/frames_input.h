#ifndef CLIENTS_QMON_WINDOWS_FRAMES_INPUT_H
#define CLIENTS_QMON_WINDOWS_FRAMES_INPUT_H

#include "clients/qmon/windows/frames_display.h"

/* frames_listen - take keys and pointer of its area */
void frames_listen(struct frames_window *w);
/* frames_buttons - the rows of its buttons
 *   n  out: how many */
const struct window_button *frames_buttons(size_t *n);

#endif
