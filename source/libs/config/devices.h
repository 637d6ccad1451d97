#ifndef CONFIG_DEVICES_H
#define CONFIG_DEVICES_H

#include "common/basis.h"

/* Named devices: complex_values say of a resource of the type RSMAP how many there are, and which:
 * AMOUNT(NAMES), "4(0-3)", "2(left right)". An amount without names limits, and names nothing.
 * Pure. Source: complex(5) */
struct answer;
struct dstr;
struct ST_Type_list;

/* the most devices of one resource in one place, and bytes of a name: what a task has of them is a
 * variable of its environment */
enum { DEVICES_MOST = 1024, DEVICE_NAME_MOST = 63 };

/* devices_are_named - has VALUE names, be they right or wrong? */
bool devices_are_named(const char *value);

/* devices_check - is VALUE, offered of RESOURCE, an amount with as many different names?
 * Returns 0, or -1 with one line in ans that says what is wrong. O(names) */
int devices_check(const char *resource, const char *value, struct answer *ans);

/* devices_each - FN for each name of VALUE, in order, ranges taken apart; no more than
 * DEVICES_MOST, whatever VALUE is. NAME is borrowed for the call. */
typedef void device_fn(void *ctx, const char *name);
void devices_each(const char *value, device_fn *fn, void *ctx);

/* devices_add_free - append "(NAMES)" to OUT: those of VALUE that are not in TAKEN, in order, with
 * blanks between; nothing if there are none. O(names + taken) */
void devices_add_free(const char *value, const struct ST_Type_list *taken, struct dstr *out);

#endif
