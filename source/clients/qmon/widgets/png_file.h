#ifndef CLIENTS_QMON_WIDGETS_PNG_FILE_H
#define CLIENTS_QMON_WIDGETS_PNG_FILE_H

#include "common/basis.h"

/* Pictures as files. No display. */
struct answer;

struct picture {
    uint32_t width, height;
    unsigned char *rgb; /* owned; three bytes a pixel, row after row from the top */
};
void picture_free(struct picture *p);

/* png_file_write - write P into the new file PATH
 * Returns 0, or -1 with ans: the file exists, and stays as it is, or cannot be written, and is not
 * there. */
int png_file_write(const char *path, const struct picture *p, struct answer *ans);

#endif
