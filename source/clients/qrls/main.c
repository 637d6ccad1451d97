/* qrls - lift holds of jobs and array tasks. Thin: see clients/common/request.h. Source: qrls(1).
 */
#include "clients/common/request.h"

int main(int argc, char **argv)
{
    return alter_main(QRLS, argc, argv);
}
