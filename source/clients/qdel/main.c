/* qdel - delete jobs and array tasks. Source: qdel(1). */
#include "clients/common/request.h"

int main(int argc, char **argv)
{
    return delete_main(QDEL, argc, argv);
}
