/* qalter - change jobs that have not ended. Thin: see clients/common/request.h. Source:
 * submit(1). */
#include "clients/common/request.h"

int main(int argc, char **argv)
{
    return alter_main(QALTER, argc, argv);
}
