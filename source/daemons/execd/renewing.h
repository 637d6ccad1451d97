#ifndef EXECD_RENEWING_H
#define EXECD_RENEWING_H

#include <sys/types.h>

#include "common/basis.h"

/* The certificate of a host is renewed in time: by "sge_ca renew", a process beside the loop, which
 * makes the new key and asks the qmaster. */
struct loop;
struct renewing;

struct renewal_place { /* borrowed for the life of the renewing, but for papers_dir */
    const char *papers_dir, *bin_dir, *qmaster_host;
    uint16_t port;  /* of the qmaster */
    pid_t *process; /* kept current: the renewal in progress, a child process; 0: none */
};
/* renewing_new - look from now on. Returns new: renewing_free. */
struct renewing *renewing_new(struct loop *loop, const struct renewal_place *place);
/* renewing_free - NULL is fine; a renewal that goes on ends by itself */
void renewing_free(struct renewing *r);

#endif
