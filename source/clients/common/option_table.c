/* The loop that reads a table of options, and lists of names. The texts of its errors are those
 * that users know. */
#include "clients/common/option_table.h"

#include <stdlib.h>
#include <string.h>

#include "clients/common/msg_clients.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static const struct client_option *row_find(const struct option_table *t, const char *name)
{
    for (size_t i = 0; i < t->n; i++) {
        if (strcmp(t->rows[i].name, name) == 0)
            return &t->rows[i];
    }
    return NULL;
}

int option_table_parse(const struct option_table *t, int n, char *const *args, void *options,
                       bool *shows_usage, struct answer *ans)
{
    *shows_usage = false;
    for (int i = 0; i < n; i++) {
        const struct client_option *row = row_find(t, args[i]);
        if (row == NULL && args[i][0] != '-' && t->operand != NULL && t->operand(options, args[i]))
            continue;
        if (row == NULL) {
            *shows_usage = true;
            return ans_fail(ans, STATUS_ESYNTAX, MSG_OPTION_INVALID_S, args[i]);
        }
        const char *argument = NULL;
        if (row->argument == ARGUMENT_NEEDED && i + 1 >= n)
            return ans_fail(ans, STATUS_ESYNTAX, MSG_OPTION_ARGUMENT_S, row->name);
        if (row->argument == ARGUMENT_NEEDED ||
            (row->argument == ARGUMENT_MAYBE && i + 1 < n && args[i + 1][0] != '-'))
            argument = args[++i];
        if (row->apply == NULL)
            return ans_fail(ans, STATUS_ENOTSUP, MSG_NOT_SUPPORTED_S, row->name);
        if (!row->apply(options, argument)) {
            *shows_usage = true;
            return ans_fail(ans, STATUS_ESYNTAX, MSG_OPTION_WRONG_S, row->name);
        }
    }
    return 0;
}

void option_table_help(const struct option_table *t, struct dstr *out)
{
    for (size_t i = 0; i < t->n; i++) {
        if (t->rows[i].usage != NULL)
            dstr_addf(out, "%s%-*s %s\n", t->indent, t->width, t->rows[i].usage, t->rows[i].what);
    }
}

void name_list_add(struct name_list *list, const char *name, size_t len)
{
    list->v = uti_vec_grow(list->v, &list->cap, list->n + 1, sizeof *list->v);
    list->v[list->n++] = uti_strndup(name, len);
}

void name_list_split(struct name_list *list, const char *names)
{
    for (const char *at = names; *at != '\0';) {
        const char *end = strchrnul(at, ',');
        if (end > at)
            name_list_add(list, at, (size_t)(end - at));
        at = *end == ',' ? end + 1 : end;
    }
}

bool name_list_has(const struct name_list *list, const char *name)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (strcmp(list->v[i], name) == 0)
            return true;
    }
    return false;
}

void name_list_free(struct name_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        free(list->v[i]);
    free(list->v);
    *list = (struct name_list){ 0 };
}
