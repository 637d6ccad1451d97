/* The usage of a daemon, in the form that clients' tables have it. Source: sge_qmaster(8),
 * sge_execd(8). */
#include "libs/uti/usage.h"

#include <stdio.h>
#include <string.h>

#include "common/basis.h"
#include "common/version.h"
#include "libs/uti/msg_uti.h"

int usage_of_daemon(const char *program, const char *rows, const char *option)
{
    bool is_help = strcmp(option, "-help") == 0;
    FILE *to = is_help ? stdout : stderr;
    if (!is_help)
        (void)fprintf(to, MSG_DAEMON_OPTION_SS "\n", program, option);
    (void)fprintf(to,
                  "%s\nusage: %s [options]\n%s"
                  "   [-help]                                  print this help\n",
                  SGE_VERSION_LINE, program, rows);
    return is_help ? 0 : 1;
}
