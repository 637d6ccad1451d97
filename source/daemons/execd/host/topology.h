#ifndef EXECD_HOST_TOPOLOGY_H
#define EXECD_HOST_TOPOLOGY_H

#include "common/basis.h"

/* Sockets, cores and threads of a machine. Source: m_topology in load_parameters; qhost -F */
struct core {
    unsigned socket, number; /* both from 0; the number is that in its socket */
    unsigned first, n;       /* of `processors`: those of its threads */
    unsigned letter;         /* its C in `letters` */
    unsigned users;          /* tasks that are bound to it (cores.h) */
};
struct topology {
    unsigned sockets, cores, threads;
    /* owned: S for each socket, behind it C for each of its cores, behind that T for each thread
     * of a core that has more than one: "SCTTCTT". "NONE" if nothing is known */
    char *letters;
    char *in_use;         /* owned: the same, cores with users and their threads in lower case */
    struct core *core;    /* owned */
    unsigned *processors; /* owned: numbers as sched_setaffinity(2) counts */
    uint32_t cap_cores, cap_processors;
};
/* topology_read - what this machine is, or, for tests, one that hwloc(7) makes from a description
 * ("pack:2 core:2 pu:2"); topology_free. Processors that this process may not use do not count. A
 * few milliseconds. */
void topology_read(struct topology *t, const char *description);
void topology_free(struct topology *t);

#endif
