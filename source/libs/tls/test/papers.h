#ifndef TLS_TEST_PAPERS_H
#define TLS_TEST_PAPERS_H

/* An authority in a temporary directory, and certificates of its own and of others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/tls/authority.h"

struct papers {
    char dir[40];
    char *authority; /* its directory */
};

int papers_start(void **state);
int papers_stop(void **state);
/* papers_of - a directory NAME with a certificate of AUTHORITY, good until UNTIL_S seconds from
 * now; new */
char *papers_of(struct papers *p, const char *authority, const char *name, enum tls_side side,
                int until_s);
/* papers_context - the context of what papers_of made */
struct tls_context *papers_context(struct papers *p, const char *name, enum tls_side side);

#endif
