/* Parts of an answer, put together. */
#include "libs/gdi/gather.h"

static const unsigned gathered[] = { GA_jobs,  GA_tasks, GA_cqueues, GA_queues, GA_hosts,
                                     GA_names, GA_confs, GA_texts,   GA_waits,  GA_reasons };

static size_t copy_list(struct GA_Type *all, const struct GA_Type *part, unsigned field)
{
    const struct cull_field *row = &cull_GA_Type.fields[field];
    const struct cull_list *from = cull_member(&cull_GA_Type, part, field);
    size_t bytes = 0;
    for (uint32_t i = 0; i < from->n; i++) {
        const void *one = cull_list_at(row->element, from, i);
        void *copy = cull_append_element(all, row->offset, field, row->element->bytes);
        cull_copy(row->element, copy, one);
        bytes += row->element->bytes + cull_heap_bytes(row->element, one);
    }
    return bytes;
}

size_t gather_part(struct GA_Type *all, const struct GA_Type *part)
{
    size_t bytes = 0;
    for (size_t i = 0; i < ARRAY_LEN(gathered); i++)
        bytes += copy_list(all, part, gathered[i]);
    if (cull_has(part, GA_reasons)) /* also without elements: that says something */
        cull_mark(all, GA_reasons);
    return bytes;
}
