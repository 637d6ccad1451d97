/* Host groups in host groups. */
#include "libs/view/group_tree.h"

#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/config/object.h"
#include "libs/uti/dstr.h"

enum { INDENT = 4 };

struct group_walk {
    const struct TX_Type_list *groups;
    struct dstr *out;
    unsigned lines;
};

static const struct TX_Type *find_group(const struct group_walk *w, const char *name)
{
    for (uint32_t i = 0; i < w->groups->n; i++)
        if (w->groups->v[i].TX_name != NULL && strcmp(w->groups->v[i].TX_name, name) == 0)
            return &w->groups->v[i];
    return NULL;
}

static void add_members(struct group_walk *w, const char *name, unsigned depth)
{
    const struct TX_Type *group = depth <= GROUP_TREE_DEPTH ? find_group(w, name) : NULL;
    const char *at = group != NULL ? object_value(group, "hostlist") : NULL;
    struct dstr word = DSTR_INIT;
    while (at != NULL && w->lines < GROUP_TREE_LINES && attr_next_word(&at, " ,", &word)) {
        if (attr_is_none(dstr_get(&word)))
            continue;
        w->lines++;
        dstr_addf(w->out, "%*s%s\n", (int)(depth * INDENT), "", dstr_get(&word));
        if (dstr_get(&word)[0] == '@')
            add_members(w, dstr_get(&word), depth + 1);
    }
    dstr_free(&word);
}

void group_tree_words(const struct TX_Type_list *groups, const char *name, struct dstr *out)
{
    struct group_walk w = { .groups = groups, .out = out };
    add_members(&w, name, 1);
    if (w.lines >= GROUP_TREE_LINES)
        dstr_addf(out, "%*s...\n", INDENT, "");
}
