/* qrdel - delete advance reservations. Source: qrdel(1). */
#include "clients/common/request.h"

int main(int argc, char **argv)
{
    return delete_main(QRDEL, argc, argv);
}
