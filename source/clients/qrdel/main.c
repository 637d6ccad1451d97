/* qrdel - delete advance reservations. The texts are the qmaster's. Source: qrdel(1). */
#include <stdlib.h>
#include <unistd.h>

#include "clients/common/request.h"

static int delete_ars(struct client *c)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_DEL);
    cull_set(&gr, GR_target, (uint32_t)GDI_AR);
    if (c->command.is_forced)
        cull_set(&gr, GR_options, (uint32_t)GDI_FORCE);
    client_select(&c->command, &gr);
    enum answer_status status;
    int called = client_change(c, &gr, &status);
    cull_clear(&cull_GR_Type, &gr);
    return called == 0 && status == STATUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    struct client c;
    int status = client_begin(&c, QRDEL, environ);
    if (status == 0 && client_read(&c, argc, argv, &status))
        status = delete_ars(&c);
    return client_end(&c, status);
}
