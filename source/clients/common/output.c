/* The end of what a command prints. stdio keeps an error of an earlier write in the stream. */
#include "clients/common/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/msg_clients.h"

int output_finish(int status)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    const char *reason = errno != 0 ? strerror(errno) : MSG_STDOUT_EARLIER;
    fprintf(stderr, MSG_STDOUT_S "\n", reason);
    return status != EXIT_SUCCESS ? status : EXIT_FAILURE;
}
