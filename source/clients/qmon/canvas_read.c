/* A canvas as a picture: what the X server has of it, in strips so that an answer of the server
 * stays small. */
#include "clients/qmon/canvas_read.h"

#include <X11/Xutil.h>
#include <stdlib.h>

#include "clients/qmon/msg_qmon.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"

enum { STRIP_ROWS = 64, COLORS = 3 };

/* the part of PIXEL that MASK has, as a byte */
static unsigned char color_of(unsigned long pixel, unsigned long mask)
{
    if (mask == 0)
        return 0;
    while ((mask & 1) == 0) {
        mask >>= 1;
        pixel >>= 1;
    }
    return (unsigned char)((pixel & mask) * UINT8_MAX / mask);
}

static void take_strip(XImage *image, const Visual *visual, unsigned char *rgb)
{
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            unsigned long pixel = XGetPixel(image, x, y);
            *rgb++ = color_of(pixel, visual->red_mask);
            *rgb++ = color_of(pixel, visual->green_mask);
            *rgb++ = color_of(pixel, visual->blue_mask);
        }
}

static bool read_strip(const struct canvas *c, unsigned y, unsigned rows, unsigned char *rgb)
{
    Display *display = c->paint->display;
    XImage *image = XGetImage(display, c->pixmap, 0, (int)y, c->width, rows, AllPlanes, ZPixmap);
    if (image == NULL)
        return false;
    take_strip(image, DefaultVisual(display, DefaultScreen(display)), rgb);
    XDestroyImage(image);
    return true;
}

int canvas_read(const struct canvas *c, struct picture *out, struct answer *ans)
{
    size_t row = (size_t)c->width * COLORS;
    *out = (struct picture){ c->width, c->height, uti_try_alloc(row * c->height) };
    bool is_good = out->rgb != NULL;
    for (unsigned y = 0; is_good && y < c->height; y += STRIP_ROWS) {
        unsigned rows = c->height - y < STRIP_ROWS ? c->height - y : STRIP_ROWS;
        is_good = read_strip(c, y, rows, out->rgb + row * y);
    }
    if (is_good)
        return 0;
    picture_free(out);
    return ans_fail(ans, STATUS_ENOMEM, MSG_QMON_NO_PICTURE);
}
