/* The complex: one table to look at and to edit, one object for each resource in the qmaster.
 * What a new table says otherwise than the old one becomes a request for each way in which a
 * resource can change: those that came, those that are otherwise, those that went. With each goes
 * what it was, so that a change that another user has made meanwhile is not overwritten. Source:
 * qconf(1), complex(5). */
#include "libs/config/complex.h"

#include <stdlib.h>
#include <string.h>

#include "clients/common/source.h"
#include "clients/qconf/msg_qconf.h"
#include "clients/qconf/output.h"
#include "clients/qconf/qconf.h"
#include "libs/config/object.h"

static const char file_noun[] = "Complex attribute";

/* the resources of the cell: the objects, and what they say, sorted */
struct table {
    struct GA_Type *all;
    struct CE_Type_list list;
};

/* false after saying why */
static bool table_get(struct qconf *q, struct table *t)
{
    t->all = qconf_get_raw(q, GDI_COMPLEX, NULL);
    if (t->all == NULL)
        return false;
    complex_of_objects(t->all, &t->list);
    return true;
}

static void table_free(struct table *t)
{
    cull_delete(&cull_GA_Type, t->all);
    complex_list_clear(&t->list);
    *t = (struct table){ 0 };
}

int show_complex(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    struct GA_Type *all = qconf_get(q, GDI_COMPLEX, NULL);
    struct CE_Type_list complex = { 0 };
    struct dstr text = DSTR_INIT;
    (void)args;
    (void)n;
    if (all == NULL)
        return 1;
    complex_of_objects(all, &complex);
    cull_delete(&cull_GA_Type, all);
    complex_text(&complex, &text);
    output_objects(q, row->name);
    output_table(q, dstr_get(&text));
    output_end(q);
    dstr_free(&text);
    complex_list_clear(&complex);
    return 0;
}

/* ---- changes ---- */

static void put_resource(struct GR_Type *request, const struct CE_Type *ce)
{
    const struct object_rules *rules = object_rules_of(OBJECT_COMPLEX);
    struct TX_Type *tx = cull_append(request, GR_texts);
    object_template(rules, ce->CE_name, tx);
    for (unsigned i = 0; i < rules->attrs_n; i++)
        cull_set(&tx->TX_entries.v[i + 1], VA_value, complex_value(ce, rules->attrs[i].rule.name));
}

/* with a change of resource NAME goes what it was when it was read */
static void put_seen(struct GR_Type *request, const struct table *old, const char *name)
{
    for (uint32_t i = 0; i < old->all->GA_texts.n; i++)
        if (strcmp(old->all->GA_texts.v[i].TX_name, name) == 0)
            cull_copy(&cull_TX_Type, cull_append(request, GR_seen), &old->all->GA_texts.v[i]);
}

/* what of the new table is a change of VERB: GDI_ADD, GDI_MOD */
static void collect_changes(struct GR_Type *request, enum gdi_verb verb, const struct table *old,
                            const struct CE_Type_list *now)
{
    qconf_request(request, verb, GDI_COMPLEX);
    for (uint32_t i = 0; i < now->n; i++) {
        const char *name = now->v[i].CE_name;
        const struct CE_Type *before = cull_find(&cull_CE_Type, &old->list, name);
        bool is_added = before == NULL;
        if (is_added != (verb == GDI_ADD) ||
            (!is_added && cull_equal(&cull_CE_Type, before, &now->v[i])))
            continue;
        put_resource(request, &now->v[i]);
        put_seen(request, old, name);
    }
}

static void collect_gone(struct GR_Type *request, const struct table *old,
                         const struct CE_Type_list *now)
{
    qconf_request(request, GDI_DEL, GDI_COMPLEX);
    for (uint32_t i = 0; i < old->list.n; i++) {
        const char *name = old->list.v[i].CE_name;
        if (cull_find(&cull_CE_Type, now, name) != NULL)
            continue;
        qconf_select(request, name);
        put_seen(request, old, name);
    }
}

/* those that go first, since one that comes may have their shortcut */
static int send_changes(struct qconf *q, const struct table *old, const struct CE_Type_list *now)
{
    struct GR_Type requests[3] = { 0 };
    int status = 0;
    bool is_changed = false;
    collect_gone(&requests[0], old, now);
    collect_changes(&requests[1], GDI_MOD, old, now);
    collect_changes(&requests[2], GDI_ADD, old, now);
    for (size_t i = 0; i < ARRAY_LEN(requests); i++) {
        bool is_empty = requests[i].GR_select.n + requests[i].GR_texts.n == 0;
        is_changed = is_changed || !is_empty;
        if (!is_empty && status == 0)
            status = qconf_send(q, &requests[i], q->err);
        cull_clear(&cull_GR_Type, &requests[i]);
    }
    if (!is_changed)
        (void)fprintf(q->err, "%s\n", MSG_COMPLEX_UNCHANGED);
    return status;
}

static int change_to(struct qconf *q, const struct table *old, const char *text, const char *path)
{
    struct CE_Type_list now = { 0 };
    struct answer ans = ANSWER_INIT;
    int status;
    if (complex_parse(text, &now, &ans) == 0)
        status = send_changes(q, old, &now);
    else
        status = path != NULL ? qconf_bad_file(q, file_noun, path, &ans)
                              : qconf_print_failure(q, &ans, "");
    complex_list_clear(&now);
    return status;
}

int complex_modify_file(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    struct table old = { 0 };
    struct dstr text = DSTR_INIT;
    int status = 1;
    (void)row;
    (void)n;
    if (qconf_read_file(q, file_noun, args[0], &text) && table_get(q, &old))
        status = change_to(q, &old, dstr_get(&text), args[0]);
    table_free(&old);
    dstr_free(&text);
    return status;
}

/* ---- the editor ---- */

/* Is the table still the one that was shown? It is changed resource by resource: what was refused
 * halfway would be half a change. */
static bool is_still_shown(struct qconf *q, const struct table *shown)
{
    struct table now = { 0 };
    bool is_same = table_get(q, &now) && now.list.n == shown->list.n;
    for (uint32_t i = 0; is_same && i < now.list.n; i++)
        is_same = cull_equal(&cull_CE_Type, &now.list.v[i], &shown->list.v[i]);
    if (!is_same && now.all != NULL)
        (void)qconf_fail(q, MSG_COMPLEX_MOVED);
    table_free(&now);
    return is_same;
}

static int edit_table(struct qconf *q, const struct table *shown)
{
    struct dstr before = DSTR_INIT, after = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    int status = 1;
    complex_text(&shown->list, &before);
    int edited = q->edit(q->edit_ctx, dstr_get(&before), &after, &ans);
    if (edited < 0)
        (void)qconf_print_failure(q, &ans, "");
    else if (edited == 0 || is_still_shown(q, shown))
        status = change_to(q, shown, dstr_get(&after), NULL);
    if (edited > 0 && status != 0)
        edit_keep(q, dstr_get(&after));
    dstr_free(&before);
    dstr_free(&after);
    return status;
}

int complex_modify(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    struct table shown = { 0 };
    int status = 1;
    (void)args;
    (void)n;
    if (qconf_may_change(q, row->target) && table_get(q, &shown))
        status = edit_table(q, &shown);
    table_free(&shown);
    return status;
}
