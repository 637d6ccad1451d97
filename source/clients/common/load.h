#ifndef CLIENTS_COMMON_LOAD_H
#define CLIENTS_COMMON_LOAD_H

#include "libs/sgeobj/rows.h"

/* Load values and resources as qstat -F and qhost show them. Pure. */
struct dstr;

/* load_short_memory, load_short_number - append VALUE for qhost's columns: memory "23.5G" and load
 * "12.21"; "-" if NULL */
void load_short_memory(const char *value, struct dstr *out);
void load_short_number(const char *value, struct dstr *out);

struct resource {
    const char *dominance; /* "hl", "qf", "qc" */
    const char *name;      /* borrowed */
    char *value;           /* owned */
};
struct resources {
    struct resource *v;
    uint32_t n, cap;
};
/* queue_resources - what qstat -F shows of a queue instance: its host's load values, then its own
 * settings
 *   host     NULL if not known
 *   complex  the cell's, which has the types of load values
 *   wanted   names with commas between, NULL: all */
void queue_resources(const struct QU_Type *queue, const struct EH_Type *host,
                     const struct CE_Type_list *complex, const char *wanted, struct resources *out);
/* host_resources - what qhost -F shows of a host */
void host_resources(const struct EH_Type *host, const struct CE_Type_list *complex,
                    const char *wanted, struct resources *out);
/* resources_free - R is empty afterwards */
void resources_free(struct resources *r);

#endif
