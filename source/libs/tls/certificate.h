#ifndef TLS_CERTIFICATE_H
#define TLS_CERTIFICATE_H

#include "libs/tls/tls.h"

struct certificate { /* what the authority certifies; borrowed */
    /* a host, the qmaster's too, or a user (subject.h) */
    const char *name;
    enum tls_side side;
    uint64_t from_s, until_s; /* when it holds */
};

#endif
