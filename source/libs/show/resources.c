/* Resources as text, and the lists of them. The type of a value comes from the complex; a value
 * that is not in it is shown as it was reported. Each resource is shown once, where it is named
 * first. */
#include "libs/show/resources.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "libs/config/complex.h"
#include "libs/config/devices.h"
#include "libs/config/host.h"
#include "libs/config/offers.h"
#include "libs/config/qinstance.h"
#include "libs/config/quantity.h"
#include "libs/doc/doc.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

enum form {
    QUEUE_FORM, /* qstat -F: whole numbers as such */
    HOST_FORM   /* qhost -F: every number with a fraction */
};

/* what is shown, of what, and where it goes */
struct listing {
    const struct offering *what;
    const struct name_list *wanted;
    enum form form;
    struct resources *out;
};

static bool add_bytes(const char *value, struct dstr *out)
{
    uint64_t bytes;
    bool is_negative = value[0] == '-';
    if (!quantity_memory_parse(value + is_negative, &bytes) || bytes == QUANTITY_INFINITY)
        return false;
    if (is_negative)
        dstr_addc(out, '-');
    quantity_add_memory((double)bytes, 3, out);
    return true;
}

static void value_text(uint32_t type, const char *value, enum form form, struct dstr *out)
{
    double number;
    bool is_number = type == COMPLEX_DOUBLE || (type == COMPLEX_INT && form == HOST_FORM);
    if (type == COMPLEX_MEMORY && add_bytes(value, out))
        return;
    if (is_number && parse_double(value, &number))
        dstr_addf(out, "%f", number);
    else
        dstr_add(out, value);
}

/* CE is NULL: NAME is not in the complex */
static bool is_wanted(const struct listing *l, const char *name, const struct CE_Type *ce)
{
    return l->wanted->n == 0 || name_list_has(l->wanted, name) ||
           (ce != NULL && ce->CE_shortcut != NULL && name_list_has(l->wanted, ce->CE_shortcut));
}

static void add_text(struct listing *l, char place, char kind, const char *name, char *value)
{
    struct resources *list = l->out;
    list->v = uti_vec_grow(list->v, &list->cap, list->n + 1, sizeof *list->v);
    list->v[list->n++] = (struct resource){ { place, kind }, name, value };
}

/* ---- devices ---- */
static const struct ST_Type_list *taken_devices(const struct TK_Type_list *taken, const char *name)
{
    static const struct ST_Type_list none;
    for (uint32_t i = 0; i < taken->n; i++)
        if (taken->v[i].TK_name != NULL && strcmp(taken->v[i].TK_name, name) == 0)
            return &taken->v[i].TK_devices;
    return &none;
}

static void add_free(const char *name, const struct CE_Type_list *offers,
                     const struct TK_Type_list *taken, struct dstr *out)
{
    const char *value = offers_value(offers, name);
    if (value != NULL)
        devices_add_free(value, taken_devices(taken, name), out);
}

/* the names of those that are free at PLACE, which says how many there are */
static void add_free_devices(const struct offering *what, const struct CE_Type *ce, char place,
                             struct dstr *out)
{
    const struct EH_Type *host = place == 'h' ? what->host : what->cell;
    if (place == 'q')
        add_free(ce->CE_name, &what->queue->QU_consumable_config_list, &what->queue->QU_taken, out);
    else
        add_free(ce->CE_name, &host->EH_consumable_config_list, &host->EH_taken, out);
}

/* Returns false if nothing is known of NAME, or it is not in the complex. */
static bool add_available(struct listing *l, const char *name)
{
    const struct CE_Type *ce = complex_find(l->what->complex, name);
    struct available a;
    if (ce == NULL || !available_find(l->what, ce, &a))
        return false;
    struct dstr text = DSTR_INIT;
    value_text(ce->CE_valtype, available_text(&a), l->form, &text);
    if (ce->CE_valtype == COMPLEX_RSMAP && a.kind == 'c')
        add_free_devices(l->what, ce, a.place, &text);
    if (is_wanted(l, name, ce))
        add_text(l, a.place, a.kind, name, dstr_take(&text));
    dstr_free(&text);
    return true;
}

static void add_load(struct listing *l, char place, const char *name, const char *value)
{
    if (!add_available(l, name) && is_wanted(l, name, NULL))
        add_text(l, place, 'l', name, uti_strdup(value));
}

static bool has_load(const struct EH_Type *host, const char *name)
{
    return host != NULL && host_load_value(host, name) != NULL;
}

/* what the host says, and what the cell says that the host does not */
static void add_loads(struct listing *l)
{
    const struct EH_Type *host = l->what->host, *cell = l->what->cell;
    for (uint32_t i = 0; host != NULL && i < host->EH_load_list.n; i++) {
        const struct VA_Type *load = &host->EH_load_list.v[i];
        if (load->VA_variable != NULL && load->VA_value != NULL)
            add_load(l, 'h', load->VA_variable, load->VA_value);
    }
    for (uint32_t i = 0; cell != NULL && i < cell->EH_load_list.n; i++) {
        const struct VA_Type *load = &cell->EH_load_list.v[i];
        if (load->VA_variable != NULL && load->VA_value != NULL &&
            !has_load(host, load->VA_variable))
            add_load(l, 'g', load->VA_variable, load->VA_value);
    }
}

static bool is_attribute(const char *name)
{
    return queue_resource_is(name) || strcmp(name, "slots") == 0;
}

/* What OFFERS names and none of those does that were shown before: load values, and the offers
 * before. */
static void add_offers(struct listing *l, const struct CE_Type_list *offers,
                       const struct CE_Type_list *const *before, size_t n_before)
{
    for (uint32_t i = 0; i < offers->n; i++) {
        const char *name = offers->v[i].CE_name;
        bool is_shown = name == NULL || (l->what->queue != NULL && is_attribute(name)) ||
                        has_load(l->what->host, name) || has_load(l->what->cell, name);
        for (size_t k = 0; k < n_before && !is_shown; k++)
            is_shown = offers_value(before[k], name) != NULL;
        if (!is_shown)
            (void)add_available(l, name);
    }
}

static void add_configured(struct listing *l)
{
    static const struct CE_Type_list nothing;
    const struct offering *what = l->what;
    const struct CE_Type_list *offers[] = {
        what->cell != NULL ? &what->cell->EH_consumable_config_list : &nothing,
        what->host != NULL ? &what->host->EH_consumable_config_list : &nothing,
        what->queue != NULL ? &what->queue->QU_consumable_config_list : &nothing,
    };
    for (size_t i = 0; i < ARRAY_LEN(offers); i++)
        add_offers(l, offers[i], offers, i);
}

/* ---- attributes of queues ---- */
static char *attribute_text(const char *name, const char *value)
{
    if (strcmp(name, "rerun") == 0)
        return uti_strdup(strcasecmp(value, "TRUE") == 0 ? "1.000000" : "0.000000");
    return uti_strdup(strcasecmp(value, "INFINITY") == 0 ? "infinity" : value);
}

static void add_attribute(struct listing *l, const char *name, const char *value)
{
    const struct CE_Type *ce = complex_find(l->what->complex, name);
    if (ce != NULL && ce->CE_consumable != COMPLEX_CONSUMABLE_NO && add_available(l, name))
        return;
    if (value != NULL && is_wanted(l, name, ce))
        add_text(l, 'q', 'f', name, attribute_text(name, value));
}

static void add_slots(struct listing *l)
{
    const struct QU_Type *queue = l->what->queue;
    if (add_available(l, "slots") || !is_wanted(l, "slots", NULL))
        return;
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "%d", (int)queue->QU_job_slots - (int)queue->QU_slots_used);
    add_text(l, 'q', 'c', "slots", dstr_take(&text));
}

void queue_resources(const struct offering *what, const struct name_list *wanted,
                     struct resources *out)
{
    struct listing l = { what, wanted, QUEUE_FORM, out };
    add_loads(&l);
    add_attribute(&l, "qname", what->queue->QU_qname);
    add_attribute(&l, "hostname", what->queue->QU_qhostname);
    add_slots(&l);
    for (size_t i = 0; queue_resource_names[i] != NULL; i++)
        add_attribute(&l, queue_resource_names[i],
                      qinstance_setting(what->queue, queue_resource_names[i]));
    add_configured(&l);
}

void host_resources(const struct offering *what, const struct name_list *wanted,
                    struct resources *out)
{
    struct listing l = { what, wanted, HOST_FORM, out };
    add_loads(&l);
    add_configured(&l);
}

void resources_free(struct resources *r)
{
    for (uint32_t i = 0; i < r->n; i++)
        free(r->v[i].value);
    free(r->v);
    *r = (struct resources){ 0 };
}

/* ---- lists of them ---- */
static const struct doc_kind list_kind = { .json = "resources" };
static const struct doc_field name_field = { .name = "name",
                                             .text = { .after = "=" },
                                             .xml = { .place = DOC_ATTRIBUTE } };
static const struct doc_field value_field = { .name = "value", .xml = { .place = DOC_CONTENT } };

/* dominance: of a page, and of the other forms */
static const struct {
    struct doc_kind kind;
    struct doc_field text, dominance;
} layouts[] = {
    [RESOURCES_OF_QUEUE] = { { .name = "resource", .end = "\n" },
                             { .only = DOC_TEXT, .text = { .before = "\t", .after = ":" } },
                             { .name = "type",
                               .only = XML_AND_JSON,
                               .xml = { .place = DOC_ATTRIBUTE } } },
    [RESOURCES_OF_HOST] = { { .name = "resourcevalue",
                              .end = "\n",
                              .xml = { .space = "\n   ", .quote = '\'' } },
                            { .only = DOC_TEXT, .text = { .before = "   ", .after = ":" } },
                            { .name = "dominance",
                              .only = XML_AND_JSON,
                              .xml = { .place = DOC_ATTRIBUTE } } },
    [RESOURCES_OF_HOST_NAMED] = { { .name = "resourcevalue",
                                    .xml = { .space = "\n   ", .quote = '\'' } },
                                  { .only = DOC_TEXT, .text = { .before = " ", .after = ":" } },
                                  { .name = "dominance",
                                    .only = XML_AND_JSON,
                                    .xml = { .place = DOC_ATTRIBUTE } } },
};

void resources_show(struct doc *d, enum resource_layout layout, const struct resources *r)
{
    doc_list(d, &list_kind);
    FILE *line = layout == RESOURCES_OF_HOST_NAMED && r->n > 0 ? doc_page(d) : NULL;
    if (line != NULL)
        (void)fputs("    Host Resource(s):     ", line);
    for (uint32_t i = 0; i < r->n; i++) {
        doc_begin(d, &layouts[layout].kind);
        doc_field(d, &layouts[layout].text, doc_string(r->v[i].dominance));
        doc_field(d, &name_field, doc_string(r->v[i].name));
        doc_field(d, &layouts[layout].dominance, doc_string(r->v[i].dominance));
        doc_field(d, &value_field, doc_string(r->v[i].value));
        doc_end(d);
    }
    if (line != NULL)
        (void)fputc('\n', line);
    doc_end(d);
}
