/* A job script from anybody: its `#$` lines are read and obeyed, or refused with one line; nothing
 * is printed, nothing crashes. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "libs/cli/job_command.h"
#include "libs/cli/option.h"
#include "libs/cli/submitter.h"
#include "libs/uti/answer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char *const environment[] = { (char *)"HOME=/home/alice", (char *)"A=1", NULL };
    static const struct submitter by = { environment,           (char *)"/home/sub",
                                         (char *)"/home/alice", (char *)"alice",
                                         (char *)"vm",          1795163648 };
    struct words w = WORDS_INIT;
    struct option_uses uses = OPTION_USES_INIT;
    struct option_source source = { QSUB, SCRIPT, 0, "script", 0 };
    struct answer ans = ANSWER_INIT;
    struct job_command c;
    job_command_init(&c, QSUB, &by);
    if (words_of_script((const char *)data, size, "#$", "script", &w, &ans) == 0 &&
        option_uses_scan_all(&uses, &w, &source, &ans) == 0)
        option_uses_obey(&uses, &c, &ans);
    job_command_free(&c);
    option_uses_free(&uses);
    words_free(&w);
    ans_free(&ans);
    return 0;
}
