#ifndef EXECD_HOST_CORES_H
#define EXECD_HOST_CORES_H

#include "daemons/execd/host/topology.h"
#include "libs/sgeobj/rows.h"

/* Cores of this host that tasks are bound to. A core belongs to one task, and to the parts of it
 * that run here. Pure. Source: submit(1) -binding; captured m_topology_inuse, config and
 * environment */
struct dstr;
struct processors;
struct core_set { /* cores of a topology, in the order in which they were chosen */
    unsigned *v;  /* owned: indexes into its `core` */
    uint32_t n, cap;
};
void core_set_free(struct core_set *s); /* empty afterwards */
void core_set_copy(struct core_set *to, const struct core_set *from);

/* cores_choose - cores for WISH, all of them free, and with a processor in ALLOWED (NULL: any has)
 *
 *   slots  how many cores a wish without an amount means
 *
 * Returns false, OUT empty, if the host cannot give all of them. O(cores x sockets^2 + cores^2) */
bool cores_choose(const struct topology *t, const struct BN_Type *wish, uint32_t slots,
                  const struct processors *allowed, struct core_set *out);
/* cores_hold, cores_release - a task begins to use those of S, or does not any more */
void cores_hold(struct topology *t, const struct core_set *s);
void cores_release(struct topology *t, const struct core_set *s);

/* Forms of a set; each appends.
 * cores_pairs_text - socket,core of each: "0,0:0,1"
 * cores_letters_text - the topology with those of S in lower case: "ScC"
 * cores_processors_text - the numbers of their processors that are in ALLOWED, SEPARATOR between */
void cores_pairs_text(const struct topology *t, const struct core_set *s, struct dstr *out);
void cores_letters_text(const struct topology *t, const struct core_set *s, struct dstr *out);
void cores_processors_text(const struct topology *t, const struct core_set *s,
                           const struct processors *allowed, char separator, struct dstr *out);
/* cores_of_pairs - the reverse of cores_pairs_text, which may go on after a ":" with something else
 * Returns false, OUT empty, if T does not have one of them. */
bool cores_of_pairs(const struct topology *t, const char *pairs, struct core_set *out);

#endif
