/* qrls - lift holds of jobs and array tasks. Thin: see clients/common/alter.h. Source: qrls(1). */
#include "clients/common/alter.h"

int main(int argc, char **argv)
{
    return alter_main(QRLS, argc, argv);
}
