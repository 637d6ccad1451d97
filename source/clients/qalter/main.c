/* qalter - change jobs that have not ended; and qhold and qrls, which put holds on jobs and array
 * tasks and lift them. The build makes a program of each name. Source: submit(1), qhold(1),
 * qrls(1). */
#include "clients/common/request.h"

int main(int argc, char **argv)
{
    return alter_main(SGE_PROGRAM, argc, argv);
}
