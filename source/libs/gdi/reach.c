/* The way to the qmaster. A client on the qmaster's host finds the socket, and looks no further:
 * thousands of them are started. */
#include "libs/gdi/reach.h"

#include <stdlib.h>

#include "libs/comm/client.h"
#include "libs/gdi/cell.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"

struct comm_client *reach_qmaster(const struct cell *cell, const char *host, int timeout_ms,
                                  struct answer *ans)
{
    struct answer why = ANSWER_INIT;
    struct comm_client *c = comm_client_open(cell->socket, timeout_ms, &why);
    if (c == NULL) {
        char *relay = cell_relay_socket(cell, host);
        c = comm_client_open(relay, timeout_ms, NULL);
        free(relay);
    }
    if (c == NULL)
        ans_move(ans, &why);
    ans_free(&why);
    return c;
}

char *reach_socket(const struct cell *cell, const char *host)
{
    struct comm_client *c = comm_client_open(cell->socket, 0, NULL);
    char *path = NULL, *relay = cell_relay_socket(cell, host);
    if (c == NULL && (c = comm_client_open(relay, 0, NULL)) != NULL)
        path = uti_strdup(relay);
    comm_client_close(c);
    free(relay);
    return path != NULL ? path : uti_strdup(cell->socket);
}
