/* The table of a window of objects: names alone, or, of resources, which have few and short
 * attributes, everything. */
#include "clients/common/printable.h"
#include "clients/qmon/msg_qmon.h"
#include "clients/qmon/objects_window_priv.h"
#include "libs/config/object.h"
#include "libs/uti/dstr.h"

bool objects_table_is_wide(const struct objects_window *w)
{
    return w->group == GROUP_COMPLEX;
}

void objects_table_take(struct objects_window *w, const struct GA_Type *all)
{
    if (!objects_table_is_wide(w))
        return;
    cull_delete(&cull_GA_Type, w->whole);
    w->whole = cull_new(&cull_GA_Type);
    cull_copy(&cull_GA_Type, w->whole, all);
}

/* ---- names ---- */

static const char *name_title(unsigned column SGE_UNUSED)
{
    return MSG_QMON_NAME;
}

static bool is_number(unsigned column SGE_UNUSED)
{
    return false;
}

static uint32_t count_rows(void *ctx)
{
    return object_list_count(((struct objects_window *)ctx)->list);
}

static uint32_t row_key(void *ctx, uint32_t row)
{
    return object_list_key(((struct objects_window *)ctx)->list, row);
}

static void name_cell(void *ctx, uint32_t row, unsigned column SGE_UNUSED, struct dstr *out)
{
    text_add_printable(out, object_list_name(((struct objects_window *)ctx)->list, row));
}

static unsigned sorted_by(void *ctx SGE_UNUSED)
{
    return 0;
}

static void sort_rows(void *ctx SGE_UNUSED, unsigned column SGE_UNUSED) {}

static void on_chosen(void *ctx)
{
    objects_show_chosen(ctx);
}

static void on_entered(void *ctx, uint32_t row SGE_UNUSED)
{
    modify_chosen(ctx);
}

/* ---- resources ---- */

static const char *resource_title(unsigned column)
{
    return column == 0 ? MSG_QMON_NAME
                       : object_rules_of(OBJECT_COMPLEX)->attrs[column - 1].rule.name;
}

static void resource_cell(void *ctx, uint32_t row, unsigned column, struct dstr *out)
{
    const struct objects_window *w = ctx;
    const char *name = object_list_name(w->list, row);
    const struct TX_Type *resource =
        column > 0 && w->whole != NULL ? kind_object(kind_shown(w), w->whole, name) : NULL;
    const char *value = resource != NULL ? object_value(resource, resource_title(column)) : NULL;
    text_add_printable(out, column == 0 ? name : value != NULL ? value : "");
}

/* ---- the table ---- */

static const struct table_model names_model = {
    .n_columns = 1,
    .title = name_title,
    .is_number = is_number,
    .count = count_rows,
    .key = row_key,
    .cell = name_cell,
    .sorted_by = sorted_by,
    .sort = sort_rows,
    .chosen = on_chosen,
    .entered = on_entered,
};

enum { RESOURCE_COLUMNS = 8 };
static const struct table_model resources_model = {
    .n_columns = RESOURCE_COLUMNS,
    .title = resource_title,
    .is_number = is_number,
    .count = count_rows,
    .key = row_key,
    .cell = resource_cell,
    .sorted_by = sorted_by,
    .sort = sort_rows,
    .chosen = on_chosen,
    .entered = on_entered,
};

struct table *objects_table_new(struct objects_window *w, Widget form)
{
    bool is_wide = objects_table_is_wide(w);
    return table_new(form, "table", w->q->paint, is_wide ? &resources_model : &names_model,
                     qmon_text(w->q, is_wide ? "resourceColumns" : "nameColumns", "40"), w);
}
