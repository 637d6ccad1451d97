/* The end of a process that knows it is wrong: one critical line in the log, then abort(). */
#include "libs/uti/assert.h"

#include <stdlib.h>

#include "libs/uti/log.h"
#include "libs/uti/msg_uti.h"

void uti_assert_failed(const char *claim, const char *file, int line, const char *func)
{
    log_msg(LOG_LEVEL_CRITICAL, MSG_ASSERT_FAILED_SSIS, claim, func, file, line);
    abort();
}
