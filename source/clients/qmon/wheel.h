#ifndef CLIENTS_QMON_WHEEL_H
#define CLIENTS_QMON_WHEEL_H

#include <X11/Intrinsic.h>

/* wheel_scrolls - the wheel of the pointer scrolls SCROLLED, a scrolled window, or the one within
 * it that the pointer is in */
void wheel_scrolls(Widget scrolled);

#endif
