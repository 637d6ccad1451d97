#ifndef CLIENTS_QMON_CANVAS_READ_H
#define CLIENTS_QMON_CANVAS_READ_H

#include "clients/qmon/paint.h"
#include "clients/qmon/png_file.h"

/* canvas_read - what is drawn on C, which need not be seen; asks the X server
 * Returns 0, or -1 with ans: not enough memory for a picture of this size. OUT: picture_free. */
int canvas_read(const struct canvas *c, struct picture *out, struct answer *ans);

#endif
