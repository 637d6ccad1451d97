/* Load values and queue settings as text. The type of a value comes from the complex; what is not
 * in it is shown as it was reported. */
#include "clients/common/load.h"

#include <stdlib.h>

#include "libs/config/complex.h"
#include "libs/config/load_source.h"
#include "libs/config/qinstance.h"
#include "libs/config/quantity.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

enum load_form {
    LOAD_QUEUE_FORM, /* qstat -F: whole numbers as such */
    LOAD_HOST_FORM   /* qhost -F: every number with a fraction */
};

/* BYTES in the largest unit that leaves it above one, with DIGITS digits after the point. */
static void add_memory(double bytes, int digits, struct dstr *out)
{
    static const char units[] = "\0KMGTPE";
    size_t unit = 0;
    while (bytes >= 1024 && unit + 2 < sizeof units) {
        bytes /= 1024;
        unit++;
    }
    dstr_addf(out, "%.*f", digits, bytes);
    if (unit > 0)
        dstr_addc(out, units[unit]);
}

static void value_text(uint32_t type, const char *value, enum load_form form, struct dstr *out)
{
    uint64_t bytes;
    double number;
    bool is_number = type == COMPLEX_DOUBLE || (type == COMPLEX_INT && form == LOAD_HOST_FORM);
    if (type == COMPLEX_MEMORY && quantity_memory_parse(value, &bytes) &&
        bytes != QUANTITY_INFINITY)
        add_memory((double)bytes, 3, out);
    else if (is_number && parse_double(value, &number))
        dstr_addf(out, "%f", number);
    else
        dstr_add(out, value);
}

void load_short_memory(const char *value, struct dstr *out)
{
    uint64_t bytes;
    if (value != NULL && quantity_memory_parse(value, &bytes))
        add_memory((double)bytes, 1, out);
    else
        dstr_addc(out, '-');
}

void load_short_number(const char *value, struct dstr *out)
{
    double number;
    if (value != NULL && parse_double(value, &number))
        dstr_addf(out, "%.2f", number);
    else
        dstr_addc(out, '-');
}

static bool is_wanted(const char *name, const char *wanted)
{
    if (wanted == NULL)
        return true;
    size_t len = strlen(name);
    for (const char *at = wanted; *at != '\0';) {
        const char *end = strchrnul(at, ',');
        if ((size_t)(end - at) == len && strncmp(at, name, len) == 0)
            return true;
        at = *end == ',' ? end + 1 : end;
    }
    return false;
}

static void add_resource(struct resources *list, const char *dominance, const char *name,
                         char *value)
{
    list->v = uti_vec_grow(list->v, &list->cap, list->n + 1, sizeof *list->v);
    list->v[list->n++] = (struct resource){ dominance, name, value };
}

static void add_host_loads(const struct EH_Type *host, const struct CE_Type_list *complex,
                           const char *wanted, enum load_form form, struct resources *out)
{
    for (uint32_t i = 0; host != NULL && i < host->EH_load_list.n; i++) {
        const struct VA_Type *load = &host->EH_load_list.v[i];
        if (load->VA_variable == NULL || load->VA_value == NULL ||
            !is_wanted(load->VA_variable, wanted))
            continue;
        struct dstr text = DSTR_INIT;
        const struct CE_Type *ce = complex_find(complex, load->VA_variable);
        struct load_value value = { .text = load->VA_value };
        if (ce != NULL && host->EH_scaling_list.n > 0)
            (void)load_value_find(&(struct load_source){ .host = host }, ce, &value);
        value_text(ce != NULL ? ce->CE_valtype : 0,
                   value.text != NULL ? load_value_text(&value) : load->VA_value, form, &text);
        add_resource(out, "hl", load->VA_variable, dstr_take(&text));
    }
}

void host_resources(const struct EH_Type *host, const struct CE_Type_list *complex,
                    const char *wanted, struct resources *out)
{
    add_host_loads(host, complex, wanted, LOAD_HOST_FORM, out);
}

/* Attributes of a queue that are resources of the complex, in the order in which they are shown. */
static const char *const queue_attributes[] = {
    "tmpdir", "seq_no",  "rerun",   "calendar", "s_rt",   "h_rt",    "s_cpu",
    "h_cpu",  "s_fsize", "h_fsize", "s_data",   "h_data", "s_stack", "h_stack",
    "s_core", "h_core",  "s_rss",   "h_rss",    "s_vmem", "h_vmem",  "min_cpu_interval",
};

static char *queue_attribute_text(const char *name, const char *value)
{
    if (strcmp(name, "rerun") == 0)
        return uti_strdup(strcasecmp(value, "TRUE") == 0 ? "1.000000" : "0.000000");
    return uti_strdup(strcasecmp(value, "INFINITY") == 0 ? "infinity" : value);
}

void queue_resources(const struct QU_Type *queue, const struct EH_Type *host,
                     const struct CE_Type_list *complex, const char *wanted, struct resources *out)
{
    add_host_loads(host, complex, wanted, LOAD_QUEUE_FORM, out);
    if (queue->QU_qname != NULL && is_wanted("qname", wanted))
        add_resource(out, "qf", "qname", uti_strdup(queue->QU_qname));
    if (queue->QU_qhostname != NULL && is_wanted("hostname", wanted))
        add_resource(out, "qf", "hostname", uti_strdup(queue->QU_qhostname));
    if (is_wanted("slots", wanted)) {
        struct dstr text = DSTR_INIT;
        dstr_addf(&text, "%d", (int)queue->QU_job_slots - (int)queue->QU_slots_used);
        add_resource(out, "qc", "slots", dstr_take(&text));
    }
    for (size_t i = 0; i < ARRAY_LEN(queue_attributes); i++) {
        const char *value = qinstance_setting(queue, queue_attributes[i]);
        if (value != NULL && is_wanted(queue_attributes[i], wanted))
            add_resource(out, "qf", queue_attributes[i],
                         queue_attribute_text(queue_attributes[i], value));
    }
}

void resources_free(struct resources *r)
{
    for (uint32_t i = 0; i < r->n; i++)
        free(r->v[i].value);
    free(r->v);
    *r = (struct resources){ 0 };
}
