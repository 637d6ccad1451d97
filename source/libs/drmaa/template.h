#ifndef DRMAA_TEMPLATE_H
#define DRMAA_TEMPLATE_H

#include "libs/drmaa/attributes.h"

/* A job template: what the host program has said of a job so far. */
struct template_value {
    char **v; /* owned, n of them; NULL: not set */
    uint32_t n;
};
struct template
{
    struct template_value values[ATTRIBUTES];
};

/* template_new - nothing is set; new: template_free. template_free - NULL is fine */
struct template *template_new(void);
void template_free(struct template *t);
/* template_copy - another with the same values; new: template_free */
struct template *template_copy(const struct template *t);
/* template_set - the attribute has these N values now, copied */
void template_set(struct template *t, enum attribute_id id, const char *const *values, uint32_t n);
/* template_has - is it set?
 * template_get - the value of a scalar, borrowed; NULL: not set */
bool template_has(const struct template *t, enum attribute_id id);
const char *template_get(const struct template *t, enum attribute_id id);

struct drmaa_job_template_s;
/* template_of - a copy of what HANDLE of the host program names; new: template_free; NULL: it names
 * none */
struct template *template_of(const struct drmaa_job_template_s *handle);

#endif
