#ifndef TLS_CERTIFICATE_H
#define TLS_CERTIFICATE_H

#include "libs/tls/tls.h"

struct certificate { /* what the authority says of somebody; borrowed */
    /* a host's name, or the qmaster's host: letters, digits, "-", "_" and "." */
    const char *name;
    enum tls_side side;
    uint64_t from_s, until_s; /* when it holds */
};

#endif
