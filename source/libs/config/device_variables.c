/* RESOURCE:VARIABLE, read. Owns no data. Blanks and commas end the list, since they stand between
 * the settings of execd_params. */
#include "libs/config/device_variables.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/config/conf.h"
#include "libs/config/msg_config.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

#define BETWEEN ";"

static bool is_variable(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return name[0] != '\0' && strchr("0123456789", name[0]) == NULL &&
           name[strspn(name, letters)] == '\0';
}

/* the variable of WORD, where its resource ends; NULL: it is no pair */
static char *variable_of(char *word, variable_is_kept_fn *is_kept)
{
    char *colon = strchr(word, ':');
    bool is_pair = colon != NULL && colon != word && is_variable(colon + 1) && !is_kept(colon + 1);
    return is_pair ? colon + 1 : NULL;
}

char *device_variables(const struct CONF_Type *global, const struct CONF_Type *host)
{
    return conf_get_word(global, host, "execd_params", "DEVICE_VARIABLES");
}

const char *device_variables_next(const char **at, variable_is_kept_fn *is_kept, struct dstr *pair)
{
    while (attr_next_word(at, BETWEEN, pair)) {
        char *variable = variable_of(pair->s, is_kept);
        if (variable == NULL)
            continue;
        variable[-1] = '\0';
        return variable;
    }
    return NULL;
}

int device_variables_check(const struct CONF_Type *conf, variable_is_kept_fn *is_kept,
                           struct answer *ans)
{
    char *list = device_variables(conf, NULL);
    const char *at = list;
    struct dstr word = DSTR_INIT;
    int rc = 0;
    while (list != NULL && rc == 0 && attr_next_word(&at, BETWEEN, &word))
        if (variable_of(word.s, is_kept) == NULL)
            rc = ans_fail(ans, STATUS_ESYNTAX, MSG_DEVICE_VARIABLE_S, dstr_get(&word));
    dstr_free(&word);
    free(list);
    return rc;
}
