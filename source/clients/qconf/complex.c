/* The complex: one table to look at and to edit, one object for each resource in the qmaster.
 * What a new table says otherwise than the old one becomes a request for each way in which a
 * resource can change: those that came, those that are otherwise, those that went. Source:
 * qconf(1), complex(5). */
#include "libs/config/complex.h"

#include <stdlib.h>
#include <string.h>

#include "clients/common/complex.h"
#include "clients/qconf/msg_qconf.h"
#include "clients/qconf/shown.h"
#include "libs/config/object.h"

static const char file_noun[] = "Complex attribute";

/* the resources of the cell, sorted; false after saying why */
static bool get_complex(struct qconf *q, struct CE_Type_list *list)
{
    struct GA_Type *all = qconf_get(q, GDI_COMPLEX, NULL);
    if (all == NULL)
        return false;
    complex_of_objects(all, list);
    cull_delete(&cull_GA_Type, all);
    return true;
}

int show_complex(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    struct CE_Type_list complex = { 0 };
    struct dstr text = DSTR_INIT;
    (void)args;
    (void)n;
    if (!get_complex(q, &complex))
        return 1;
    complex_text(&complex, &text);
    shown_objects(q, row->name);
    shown_table(q, dstr_get(&text));
    shown_end(q);
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

/* what of the new table is a change of VERB: GDI_ADD, GDI_MOD */
static void collect_changes(struct GR_Type *request, enum gdi_verb verb,
                            const struct CE_Type_list *old, const struct CE_Type_list *now)
{
    qconf_request(request, verb, GDI_COMPLEX);
    for (uint32_t i = 0; i < now->n; i++) {
        const struct CE_Type *before = cull_find(&cull_CE_Type, old, now->v[i].CE_name);
        bool is_added = before == NULL;
        if (is_added == (verb == GDI_ADD) &&
            (is_added || !cull_equal(&cull_CE_Type, before, &now->v[i])))
            put_resource(request, &now->v[i]);
    }
}

static void collect_gone(struct GR_Type *request, const struct CE_Type_list *old,
                         const struct CE_Type_list *now)
{
    qconf_request(request, GDI_DEL, GDI_COMPLEX);
    for (uint32_t i = 0; i < old->n; i++)
        if (cull_find(&cull_CE_Type, now, old->v[i].CE_name) == NULL)
            qconf_select(request, old->v[i].CE_name);
}

/* those that go first, since one that comes may have their shortcut */
static int send_changes(struct qconf *q, const struct CE_Type_list *old,
                        const struct CE_Type_list *now)
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

/* PATH: of the file; NULL: from an editor */
static int change_to(struct qconf *q, const char *text, const char *path)
{
    struct CE_Type_list old = { 0 }, now = { 0 };
    struct answer ans = ANSWER_INIT;
    int status = 1;
    if (complex_parse(text, &now, &ans) < 0)
        status = path != NULL ? qconf_bad_file(q, file_noun, path, &ans)
                              : qconf_print_failure(q, &ans, "");
    else if (get_complex(q, &old))
        status = send_changes(q, &old, &now);
    complex_list_clear(&old);
    complex_list_clear(&now);
    return status;
}

int complex_modify_file(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    struct dstr text = DSTR_INIT;
    int status = 1;
    (void)row;
    (void)n;
    if (qconf_read_file(q, file_noun, args[0], &text))
        status = change_to(q, dstr_get(&text), args[0]);
    dstr_free(&text);
    return status;
}

int complex_modify(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    struct CE_Type_list old = { 0 };
    struct dstr before = DSTR_INIT, after = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    int status = 1;
    (void)args;
    (void)n;
    if (qconf_may_change(q, row->target) && get_complex(q, &old)) {
        complex_text(&old, &before);
        status = q->edit(q->edit_ctx, dstr_get(&before), &after, &ans) < 0
                     ? qconf_print_failure(q, &ans, "")
                     : change_to(q, dstr_get(&after), NULL);
    }
    complex_list_clear(&old);
    dstr_free(&before);
    dstr_free(&after);
    return status;
}
