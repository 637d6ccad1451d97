#ifndef GDI_TEST_FIXTURE_H
#define GDI_TEST_FIXTURE_H

#include "libs/comm/test/served.h"

/* A qmaster of a few lines, which does to each request what the test says, in a cell of its own. */
struct cell;
struct gdi_peer;
enum { CONNS_MAX = 64, IDS_MAX = 256 };

struct fixture {
    char dir[40];
    struct cell *cell;
    struct served served;
    struct gdi_peer *peers[CONNS_MAX];
    /* a test changes these while the qmaster's thread runs */
    _Atomic(int) parts;    /* of each answer */
    _Atomic(int) hang_ups; /* so many requests lose their connection */
    _Atomic(int) after;    /* ... after so many parts */
    _Atomic(int) n_requests;
    char *ids[IDS_MAX];
};

/* fixture_cell - a cell where nobody listens; fixture_served - the qmaster is there; fixture_full -
 * it has room for nobody, until fixture_make_room. For cmocka */
int fixture_cell(void **state);
int fixture_served(void **state);
int fixture_full(void **state);
int fixture_teardown(void **state);
void fixture_make_room(void *ctx);

#endif
