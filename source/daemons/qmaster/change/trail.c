/* Lines for the log, made of the texts of answers, which say who did what, and of what has changed
 * of an object. Owns nothing. */
#include "daemons/qmaster/change/trail.h"

#include <string.h>

#include "daemons/qmaster/tables/rights.h"
#include "libs/config/conf.h"
#include "libs/config/cqueue.h"
#include "libs/config/host.h"
#include "libs/config/object.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/log.h"

void trail_add_text(const struct request *r, const char *text, struct dstr *out)
{
    struct dstr who = DSTR_INIT;
    dstr_addf(&who, "%s@%s", r->from->who.user, r->from->who.host);
    if (strncmp(text, dstr_get(&who), who.len) != 0)
        dstr_addf(out, "%s: ", dstr_get(&who));
    dstr_add(out, text);
    dstr_free(&who);
}

static void write_line(struct qmaster *q, const struct request *r, const char *line)
{
    if (right_manage(q, &r->from->who))
        log_msg(LOG_LEVEL_INFO, "%s", line);
    else
        log_msg_of(r->from->who.uid, LOG_LEVEL_INFO, "%s", line);
}

void trail_note(struct qmaster *q, const struct request *r)
{
    struct dstr line = DSTR_INIT;
    trail_add_text(r, r->ans.v[r->ans.n - 1].text, &line);
    write_line(q, r, dstr_get(&line));
    dstr_free(&line);
}

void trail_note_task(struct qmaster *q, const struct request *r, const char *owner)
{
    struct dstr line = DSTR_INIT;
    if (owner != NULL && strcmp(owner, r->from->who.user) == 0)
        return;
    (void)q;
    trail_add_text(r, r->ans.v[r->ans.n - 1].text, &line);
    log_msg_of(r->from->who.uid, LOG_LEVEL_INFO, "%s", dstr_get(&line));
    dstr_free(&line);
}

/* ---- what has changed of an object ---- */
/* What of an administrator's object a request has changed, for the line in the log that says who
 * changed it. */
static void add_attr(struct dstr *out, const char *attr)
{
    dstr_addf(out, "%s%s", out->len > 0 ? ", " : "", attr);
}

static void compare_cqueues(const struct CQ_Type *before, const struct CQ_Type *now,
                            struct dstr *out)
{
    if (!cull_field_equal(&cull_CQ_Type, before, now, CQ_hostlist))
        add_attr(out, "hostlist");
    for (unsigned i = 0; i < cqueue_attrs_n; i++)
        if (!cull_field_equal(&cull_CQ_Type, before, now, cqueue_attrs[i].field))
            add_attr(out, cqueue_attrs[i].rule.name);
}

static void compare_hosts(const struct EH_Type *before, const struct EH_Type *now, struct dstr *out)
{
    struct dstr old = DSTR_INIT, value = DSTR_INIT;
    struct host_attr_view old_attr, attr;
    for (size_t i = 0; host_attr(now, i, &attr, &value) && host_attr(before, i, &old_attr, &old);
         i++)
        if (strcmp(dstr_get(&old), dstr_get(&value)) != 0)
            add_attr(out, attr.name);
    dstr_free(&old);
    dstr_free(&value);
}

static void compare_confs(const struct CONF_Type *before, const struct CONF_Type *now,
                          struct dstr *out)
{
    for (uint32_t i = 0; i < now->CONF_entries.n; i++) {
        const struct VA_Type *va = &now->CONF_entries.v[i];
        if (strcmp(conf_get(NULL, before, va->VA_variable), va->VA_value) != 0)
            add_attr(out, va->VA_variable);
    }
    for (uint32_t i = 0; i < before->CONF_entries.n; i++) {
        const char *name = before->CONF_entries.v[i].VA_variable;
        if (cull_find(&cull_VA_Type, &now->CONF_entries, name) == NULL)
            add_attr(out, name);
    }
}

static bool is_same_text(const char *a, const char *b)
{
    return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

static void compare_objects(const struct TX_Type *before, const struct TX_Type *now,
                            struct dstr *out)
{
    const struct object_rules *rules = object_rules_of((enum object_kind)now->TX_kind);
    for (unsigned i = 0; rules != NULL && i < rules->attrs_n; i++) {
        const char *attr = rules->attrs[i].rule.name;
        if (!is_same_text(object_value(before, attr), object_value(now, attr)))
            add_attr(out, attr);
    }
}

void config_trail_begin(const struct request *r, const struct cull_type *type, const void *now,
                        struct config_trail *t)
{
    *t = (struct config_trail){ .texts = r->ans.n, .type = type };
    if (r->gr.GR_verb != GDI_MOD || now == NULL)
        return;
    t->before = cull_new(type);
    cull_copy(type, t->before, now);
}

static void add_changes(const struct config_trail *t, const void *now, struct dstr *out)
{
    if (t->before == NULL || now == NULL)
        return;
    if (t->type == &cull_CQ_Type)
        compare_cqueues(t->before, now, out);
    else if (t->type == &cull_EH_Type)
        compare_hosts(t->before, now, out);
    else if (t->type == &cull_CONF_Type)
        compare_confs(t->before, now, out);
    else
        compare_objects(t->before, now, out);
}

static void write_text(const struct request *r, const struct answer_entry *text, const char *attrs)
{
    bool is_info = text->quality == ANSWER_QUALITY_INFO;
    struct dstr line = DSTR_INIT;
    if (!is_info && text->quality != ANSWER_QUALITY_WARNING)
        return;
    trail_add_text(r, text->text, &line);
    if (is_info && attrs[0] != '\0')
        dstr_addf(&line, ": %s", attrs);
    log_msg(is_info ? LOG_LEVEL_INFO : LOG_LEVEL_WARNING, "%s", dstr_get(&line));
    dstr_free(&line);
}

void config_trail_end(const struct request *r, const void *now, struct config_trail *t)
{
    struct dstr attrs = DSTR_INIT;
    add_changes(t, now, &attrs);
    for (uint32_t i = t->texts; i < r->ans.n; i++)
        write_text(r, &r->ans.v[i], dstr_get(&attrs));
    dstr_free(&attrs);
    if (t->before != NULL)
        cull_delete(t->type, t->before);
    *t = (struct config_trail){ 0 };
}
