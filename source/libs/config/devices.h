#ifndef CONFIG_DEVICES_H
#define CONFIG_DEVICES_H

#include "libs/sgeobj/rows.h"

/* Named devices: complex_values say of a resource of the type RSMAP how many there are, and which:
 * AMOUNT(NAMES), "4(0-3)", "2(left right)". An amount without names limits, and names nothing.
 * Pure. Source: complex(5) */
struct answer;
struct dstr;

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

/* DEVICE_VARIABLES of execd_params: RESOURCE:VARIABLE;RESOURCE:VARIABLE, which variables of a
 * task's environment name its devices. Pure. Source: sge_conf(5) */

/* is NAME a reserved variable? */
typedef bool variable_is_kept_fn(const char *name);

/* device_variables - the list of HOST, else of GLOBAL (either may be NULL). New: free(); NULL:
 * there is none */
char *device_variables(const struct CONF_Type *global, const struct CONF_Type *host);

/* device_variables_next - the variable of the next pair of the list at *AT, which moves behind it;
 * PAIR has the resource. NULL at the end. What is no pair is passed by: a list that was spooled
 * before anybody checked it starts no task without a variable of the system. */
const char *device_variables_next(const char **at, variable_is_kept_fn *is_kept, struct dstr *pair);

/* device_variables_check - are all words of the list in CONF such pairs? Returns 0, also without a
 * list, or -1 with one line in ans. O(bytes) */
int device_variables_check(const struct CONF_Type *conf, variable_is_kept_fn *is_kept,
                           struct answer *ans);

#endif
