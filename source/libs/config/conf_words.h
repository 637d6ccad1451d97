#ifndef CONFIG_CONF_WORDS_H
#define CONFIG_CONF_WORDS_H

#include "libs/sgeobj/rows.h"

/* What a configuration says that nothing reads. Other Grid Engines have attributes and settings of
 * their own, and people mistype: both are kept, and named. Pure. */
struct answer;

/* conf_words_warn - a warning for each thing in CONF that has no effect: an attribute that is not
 * known, a setting of qmaster_params, execd_params or params that is not known, with the known one
 * that is nearest to it, and a value that its setting cannot have
 *
 *   before  as it was: what it says already is not named again; NULL: it is new
 *
 * The first few are named. O(settings). Source: sge_conf(5) */
void conf_words_warn(const struct CONF_Type *conf, const struct CONF_Type *before,
                     struct answer *ans);

/* DEVICE_VARIABLES of execd_params: RESOURCE:VARIABLE;RESOURCE:VARIABLE, which variables of a
 * task's environment name its devices. Pure. Source: sge_conf(5) */
struct answer;
struct dstr;

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
