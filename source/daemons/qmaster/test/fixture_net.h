#ifndef QMASTER_TEST_FIXTURE_NET_H
#define QMASTER_TEST_FIXTURE_NET_H

#include "common/basis.h"

/* What would be sent is caught: the linker wraps net_server and comm_server_... (fixture_wraps in
 * meson.build). The name service knows those who have a connection. */
struct fixture;

struct sent { /* a frame that left the qmaster */
    uint64_t conn;
    uint8_t kind;
    uint32_t serial;
    uint8_t *body;
    size_t len;
};
/* of whom the name service does not say whether he is there */
enum { FIXTURE_UNSURE_UID = 7777 };

/* fixture_count_sent - how many frames of that kind left over that connection
 * fixture_forget_sent - those that have left are forgotten */
uint32_t fixture_count_sent(const struct fixture *f, uint64_t conn, uint8_t kind);
void fixture_forget_sent(struct fixture *f);

#endif
