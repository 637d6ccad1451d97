/* Hostile bytes as the request for a petask: whatever they are, they are refused, or the files made
 * from them have the lines that a shepherd reads, and no others. */
#include <string.h>

#include "daemons/execd/files/petask_text.h"
#include "libs/task/session_frame.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void check_lines(const struct dstr *text)
{
    const char *at = dstr_get(text);
    while (*at != '\0') {
        size_t line = strcspn(at, "\n"), key = strcspn(at, "=\n");
        ASSERT(key > 0 && key < line && at[line] == '\n');
        at += line + 1;
    }
    ASSERT(at == dstr_get(text) + text->len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct petask_request request;
    struct dstr config = DSTR_INIT, environment = DSTR_INIT;
    struct petask_text_input in = { .request = &request,
                                    .petask = "1.node7",
                                    .name = "4711.1/1.node7",
                                    .task_dir = "/spool/4711.1/1.node7",
                                    .session_socket = "/spool/session.sock",
                                    .session_digest = "0",
                                    .is_terminal = len % 2 == 0,
                                    .has_no_shell = len % 3 == 0 };
    if (petask_request_read(&request, (const char *)data, len)) {
        petask_config(&in, "job_id=4711\ncwd=/home\ntmpdir=/tmp/1\n", &config);
        petask_environment(&in, "JOB_ID=4711\nPWD=/home\nHOME=/home\n", &environment);
        check_lines(&config);
        check_lines(&environment);
        ASSERT(strstr(dstr_get(&environment), "JOB_ID=4711\n") != NULL);
    }
    petask_request_free(&request);
    dstr_free(&config);
    dstr_free(&environment);
    return 0;
}
