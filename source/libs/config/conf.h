#ifndef CONFIG_CONF_H
#define CONFIG_CONF_H

#include "libs/config/attr_syntax.h"
#include "libs/sgeobj/rows.h"

/* Configurations: sge_conf(5) for all hosts ("global") and for single ones, sched_conf(5) for the
 * scheduler. Pure. */
struct answer;
struct dstr;

#define CONF_GLOBAL    "global"
#define CONF_SCHEDULER "@scheduler"

enum { CONF_WEIGHT_MOST = 1000000000 }; /* a weight of the scheduler's is from 0 to this */

/* conf_template - the defaults; NAME is CONF_GLOBAL or CONF_SCHEDULER; new:
 * cull_delete(&cull_CONF_Type, ..) */
struct CONF_Type *conf_template(const char *name);

/* conf_parse - read the text form into CONF (an empty record), which gets NAME
 * In the global one every parameter that is missing has its default; the scheduler's must be whole;
 * a host's may hold only what hosts may differ in. Returns 0, or -1 with one line in ans and CONF
 * empty. */
int conf_parse(const char *text, const char *name, struct CONF_Type *conf, struct answer *ans);
/* conf_set - give PARAM another value; whether the resources in it exist is not known here
 * Returns 0, or -1 with ans and CONF unchanged. */
int conf_set(struct CONF_Type *conf, const char *param, const char *value, struct answer *ans);
/* conf_check - is this, perhaps from a foreign sender, a valid configuration? 0 or -1 with ans */
int conf_check(const struct CONF_Type *conf, struct answer *ans);

/* conf_rule - the rule of PARAM; NULL: there is no such parameter */
const struct attr_rule *conf_rule(const char *param);
/* conf_is_idle - does VALUE of PARAM ask for something that nothing does yet (attr_syntax.h)? */
bool conf_is_idle(const char *param, const char *value);

/* conf_text - append the lines of `qconf -sconf` (without the line "#global:") or `qconf
 * -ssconf` */
void conf_text(const struct CONF_Type *conf, bool is_single, struct dstr *out);

/* conf_get - a parameter: the host's value, else the global one, else the default. GLOBAL and HOST
 * may be NULL. Borrowed; "" if there is no such parameter. */
const char *conf_get(const struct CONF_Type *global, const struct CONF_Type *host,
                     const char *param);
/* conf_get_time_s, conf_get_number, conf_get_bool - the same, read (the text has been checked) */
uint64_t conf_get_time_s(const struct CONF_Type *global, const struct CONF_Type *host,
                         const char *param);
int64_t conf_get_number(const struct CONF_Type *global, const struct CONF_Type *host,
                        const char *param);
bool conf_get_bool(const struct CONF_Type *global, const struct CONF_Type *host, const char *param);
/* conf_param_name - the I-th attribute of the table, from 0; NULL behind the last */
const char *conf_param_name(size_t i);
/* conf_host_silence_s - after how many seconds without a word from the other end a connection
 * between the qmaster and another host counts as lost: HOST_SILENCE of qmaster_params, for both
 * sides */
uint32_t conf_host_silence_s(const struct CONF_Type *global);
/* conf_get_word - the value of WORD= within a list of settings such as qmaster_params ("a=1,b=2")
 * or reporting_params ("a=1 b=2"), case ignored; new: free(); NULL if it is not there; "" without a
 * `=` */
char *conf_get_word(const struct CONF_Type *global, const struct CONF_Type *host, const char *param,
                    const char *word);
/* conf_get_switch - is WORD on in such a list: WORD alone, or WORD=true (attr_bool_parse)? */
bool conf_get_switch(const struct CONF_Type *global, const struct CONF_Type *host,
                     const char *param, const char *word);

#endif
