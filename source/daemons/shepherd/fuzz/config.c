/* Hostile text as the file "config" (and as "environment"): whatever it says, building the plan,
 * the command, the limits and the identity from it must not fail in any other way than with an
 * answer. */
#include <stdlib.h>
#include <string.h>

#include "daemons/shepherd/command.h"
#include "daemons/shepherd/task_config.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/assert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void use_config(const struct task_config *conf)
{
    struct exec_command command;
    struct environment env;
    environment_from(&env, &conf->lines);
    command_of_job(&command, conf, environment_get(&env, "PATH"));
    ASSERT(command.argv.n > 0 && command.argv.v[command.argv.n] == NULL);
    ASSERT(command.paths.n > 0);
    for (uint32_t i = 0; i < command.argv.n; i++)
        ASSERT(command.argv.v[i] != NULL);
    command_free(&command);
    environment_free(&env);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct answer ans = ANSWER_INIT;
    struct config lines;
    struct task_config conf = { 0 };
    if (config_parse(&lines, uti_strndup((const char *)data, len), "fuzz", &ans) == 0 &&
        task_config_from(&conf, &lines, &ans) == 0)
        use_config(&conf);
    task_config_free(&conf);
    ans_free(&ans);
    return 0;
}
