/* Questions about allocations, each answered from the list alone. What comes over the network may
 * be anything: entries without a host, more slots than a number holds. */
#include "libs/sgeobj/allocation.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/dstr.h"

static const char *text_of(const char *text)
{
    return text != NULL ? text : "";
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* how many different texts there are in member F of the entries */
#define DIFFERENT(a, F) count_different((a), offsetof(struct JG_Type, F))
static uint32_t count_different(const struct JG_Type_list *a, size_t offset)
{
    uint32_t n = a->n > 0;
    if (a->n <= 1)
        return n;
    const char **texts = uti_calloc(a->n, sizeof(const char *));
    for (uint32_t i = 0; i < a->n; i++)
        texts[i] = text_of(*(const char *const *)((const char *)&a->v[i] + offset));
    qsort(texts, a->n, sizeof(const char *), compare_texts);
    for (uint32_t i = 1; i < a->n; i++)
        n += strcmp(texts[i - 1], texts[i]) != 0;
    free(texts);
    return n;
}

bool allocation_is_whole(const struct JG_Type_list *a)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (a->v[i].JG_qname == NULL)
            return false;
    return a->n > 0 && DIFFERENT(a, JG_qname) == a->n;
}

void allocation_add(struct JG_Type_list *a, const char *queue, const char *host, uint32_t slots)
{
    struct JG_Type *entry = cull_push(a);
    cull_share(entry, JG_qname, queue);
    if (host != NULL)
        cull_share(entry, JG_qhostname, host);
    cull_set(entry, JG_slots, slots);
}

void allocation_set_pe(struct JG_Type_list *a, const char *pe)
{
    if (pe != NULL)
        cull_share(&a->v[0], JG_pe, pe);
}

const char *allocation_pe(const struct JG_Type_list *a)
{
    return a->n > 0 ? a->v[0].JG_pe : NULL;
}

void allocation_keep_pe(struct JG_Type_list *a, const struct PE_Type *pe)
{
    if (pe->PE_start_proc_args != NULL)
        cull_share(&a->v[0], JG_pe_start, pe->PE_start_proc_args);
    if (pe->PE_stop_proc_args != NULL)
        cull_share(&a->v[0], JG_pe_stop, pe->PE_stop_proc_args);
    if (!pe->PE_control_slaves)
        return;
    cull_set(&a->v[0], JG_control_slaves, true);
    cull_set(&a->v[0], JG_job_is_first_task, pe->PE_job_is_first_task);
    cull_set(&a->v[0], JG_accounting_summary, pe->PE_accounting_summary);
}

const char *allocation_pe_start(const struct JG_Type_list *a)
{
    return a->n > 0 ? a->v[0].JG_pe_start : NULL;
}

const char *allocation_pe_stop(const struct JG_Type_list *a)
{
    return a->n > 0 ? a->v[0].JG_pe_stop : NULL;
}

bool allocation_controls_slaves(const struct JG_Type_list *a)
{
    return a->n > 0 && a->v[0].JG_control_slaves;
}

static bool taken_equal(const struct TK_Type_list *a, const struct TK_Type_list *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->v[i].TK_amount != b->v[i].TK_amount ||
            strcmp(text_of(a->v[i].TK_name), text_of(b->v[i].TK_name)) != 0)
            return false;
    return true;
}

bool allocation_equal(const struct JG_Type_list *a, const struct JG_Type_list *b)
{
    if (a->n != b->n || strcmp(text_of(allocation_pe(a)), text_of(allocation_pe(b))) != 0)
        return false;
    for (uint32_t i = 0; i < a->n; i++) {
        const char *x = a->v[i].JG_qname, *y = b->v[i].JG_qname;
        if (a->v[i].JG_slots != b->v[i].JG_slots ||
            (x != y && strcmp(text_of(x), text_of(y)) != 0) ||
            !taken_equal(&a->v[i].JG_taken, &b->v[i].JG_taken))
            return false;
    }
    return true;
}

const char *allocation_queue(const struct JG_Type_list *a)
{
    return a->n > 0 ? text_of(a->v[0].JG_qname) : "";
}

const char *allocation_host(const struct JG_Type_list *a)
{
    return a->n > 0 ? text_of(a->v[0].JG_qhostname) : "";
}

/* the slots of the entries on HOST, NULL: of all */
static uint32_t sum_slots(const struct JG_Type_list *a, const char *host)
{
    uint64_t slots = 0;
    for (uint32_t i = 0; i < a->n; i++)
        if (host == NULL || strcmp(text_of(a->v[i].JG_qhostname), host) == 0)
            slots += a->v[i].JG_slots;
    return slots < UINT32_MAX ? (uint32_t)slots : UINT32_MAX;
}

uint32_t allocation_slots(const struct JG_Type_list *a)
{
    return sum_slots(a, NULL);
}

uint32_t allocation_slots_on(const struct JG_Type_list *a, const char *host)
{
    return sum_slots(a, host);
}

uint32_t allocation_hosts(const struct JG_Type_list *a)
{
    return DIFFERENT(a, JG_qhostname);
}

static void add_devices(const char *host, const struct TK_Type *taken, struct dstr *out)
{
    dstr_addf(out, "%s=%s=(", text_of(taken->TK_name), host);
    for (uint32_t i = 0; i < taken->TK_devices.n; i++)
        dstr_addf(out, "%s%s", i > 0 ? " " : "", text_of(taken->TK_devices.v[i].ST_name));
    dstr_addc(out, ')');
}

void allocation_devices_text(const struct JG_Type_list *a, struct dstr *out)
{
    const char *between = "";
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t k = 0; k < a->v[i].JG_taken.n; k++) {
            const struct TK_Type *taken = &a->v[i].JG_taken.v[k];
            if (taken->TK_devices.n == 0)
                continue;
            dstr_add(out, between);
            add_devices(text_of(a->v[i].JG_qhostname), taken, out);
            between = ",";
        }
}
