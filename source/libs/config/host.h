#ifndef CONFIG_HOST_H
#define CONFIG_HOST_H

#include "libs/config/attr_syntax.h"
#include "libs/sgeobj/rows.h"

/* Execution hosts: the text form of host_conf(5). Pure. */
struct answer;
struct dstr;

/* host_template - a host called NAME with the defaults of host_conf(5); new:
 * cull_delete(&cull_EH_Type, ..) */
struct EH_Type *host_template(const char *name);
/* host_parse - read the text form into HOST (an empty record); load_values and processors are
 * shown, never set
 * Returns 0, or -1 with one line in ans and HOST empty. */
int host_parse(const char *text, struct EH_Type *host, struct answer *ans);
/* host_text - append the form of `qconf -se`; IS_TEMPLATE leaves out what is not set by people
 * (qconf -ae, -me) */
void host_text(const struct EH_Type *host, bool is_template, bool is_single, struct dstr *out);
/* host_complete - attributes that HOST does not have get their defaults */
void host_complete(struct EH_Type *host);
/* host_set - give an attribute another value. Returns 0, or -1 with ans and HOST unchanged. */
int host_set(struct EH_Type *host, const char *attr, const char *value, struct answer *ans);
/* host_attr_rule - the rule of an attribute that may be set; NULL if there is none */
const struct attr_rule *host_attr_rule(const char *attr);
/* host_check - is this, perhaps from a foreign sender, a valid host? 0 or -1 with ans */
int host_check(const struct EH_Type *host, struct answer *ans);
/* host_warn_unknown - a warning for each attribute of HOST that no table has (attr_unknown.h)
 *
 *   before  the host until now; NULL: it is new */
void host_warn_unknown(const struct EH_Type *host, const struct EH_Type *before,
                       struct answer *ans);
/* host_attr - attribute I, from 0, and its VALUE (replaced); false behind the last
 * host_attr_name - its name alone; NULL behind the last */
const char *host_attr_name(size_t i);
struct host_attr_view {
    const char *name;
    bool is_idle; /* the value asks for something that nothing does yet (attr_syntax.h) */
};
bool host_attr(const struct EH_Type *host, size_t i, struct host_attr_view *view,
               struct dstr *value);
/* host_load_value - what HOST reported of NAME; borrowed, NULL if nothing */
const char *host_load_value(const struct EH_Type *host, const char *name);

#endif
