/* qhold - put holds on jobs and array tasks. Thin: see clients/common/request.h. Source:
 * qhold(1). */
#include "clients/common/request.h"

int main(int argc, char **argv)
{
    return alter_main(QHOLD, argc, argv);
}
