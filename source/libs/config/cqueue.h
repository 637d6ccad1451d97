#ifndef CONFIG_CQUEUE_H
#define CONFIG_CQUEUE_H

#include "libs/config/attr_syntax.h"
#include "libs/sgeobj/rows.h"

/* Cluster queues: the table of their attributes, and the text form of queue_conf(5). Pure. */
struct answer;
struct dstr;

struct cqueue_attr {
    struct attr_rule rule;
    unsigned field; /* CQ_...: AT_Type; AT_href "/" is the default, else a host or "@group" */
    enum attr_effect effect;
};
/* in the order in which they are printed, after qname and hostlist */
extern const struct cqueue_attr cqueue_attrs[];
extern const unsigned cqueue_attrs_n;
/* cqueue_attr_find - the row of NAME; NULL if there is none */
const struct cqueue_attr *cqueue_attr_find(const char *name);

/* cqueue_template - a queue called NAME with the defaults of queue_conf(5); new:
 * cull_delete(&cull_CQ_Type, ..) */
struct CQ_Type *cqueue_template(const char *name);

/* cqueue_parse - read the whole text of a queue configuration into CQ (an empty record)
 * Returns 0, or -1 with one line in ans for the first thing that is wrong, and CQ empty. */
int cqueue_parse(const char *text, struct CQ_Type *cq, struct answer *ans);
/* cqueue_set - replace one attribute ("hostlist" included) by the value in VALUE:
 * `default,[host=value],[@group=value]`
 * Returns 0, or -1 with ans and CQ unchanged. */
int cqueue_set(struct CQ_Type *cq, const char *attr, const char *value, struct answer *ans);
/* cqueue_check - is this, perhaps from a foreign sender, a whole and valid queue? 0 or -1 with
 * ans */
int cqueue_check(const struct CQ_Type *cq, struct answer *ans);

/* cqueue_warn_unknown - a warning for each attribute of CQ that no table has (attr_unknown.h)
 *
 *   before  the queue until now; NULL: it is new */
void cqueue_warn_unknown(const struct CQ_Type *cq, const struct CQ_Type *before,
                         struct answer *ans);

/* cqueue_value - append one attribute's value as cqueue_set takes it; false if there is no such
 * attribute */
bool cqueue_value(const struct CQ_Type *cq, const char *attr, struct dstr *out);
/* cqueue_text - append the form of `qconf -sq`; IS_SINGLE: no continuation lines
 * (SGE_SINGLE_LINE) */
void cqueue_text(const struct CQ_Type *cq, bool is_single, struct dstr *out);

/* where values stand in the texts of queues and queue instances */
enum { CQUEUE_TEXT_COLUMN = 22 };

/* cqueue_settings - the values of one attribute: the first is that for all hosts */
const struct AT_Type_list *cqueue_settings(const struct CQ_Type *cq,
                                           const struct cqueue_attr *attr);

#endif
