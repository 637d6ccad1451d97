/* The lines of sge_share_mon: nodes of the share tree, and below the leaves called `default` the
 * users that they stand for, with what was used, and which shares follow. Pure. */
#include <stdlib.h>
#include <string.h>

#include "clients/sge_share_mon/share_mon.h"
#include "libs/config/conf.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"
#include "libs/uti/parse.h"

struct used { /* by a user in a project, and by all in it */
    double used[MON_KINDS], in_all[MON_KINDS], weighted;
    uint64_t at_s;
    uint32_t n_jobs;
    bool has_usage;
    UT_hash_handle hh;
    char key[]; /* USER/PROJECT; a project alone: /PROJECT */
};
struct collection {
    const struct mon_cell *cell;
    struct mon_nodes *out;
    struct used *used;
    struct UA_Type_list weights;
    struct name_list users; /* sorted: those that `default` stands for without a project */
};

/* ---- what was used ---- */
static struct used *used_of(struct collection *c, const char *user, const char *project, bool adds)
{
    struct dstr key = DSTR_INIT;
    struct used *u;
    dstr_addf(&key, "%s/%s", user, project);
    HASH_FIND(hh, c->used, dstr_get(&key), key.len, u);
    if (u == NULL && adds) {
        u = uti_calloc(1, sizeof *u + key.len + 1);
        memcpy(u->key, dstr_get(&key), key.len);
        HASH_ADD_KEYPTR(hh, c->used, u->key, key.len, u);
    }
    dstr_free(&key);
    return u;
}

static const char *entry_of(const struct TX_Type *tx, const char *name)
{
    for (uint32_t i = 0; i < tx->TX_entries.n; i++)
        if (strcmp(tx->TX_entries.v[i].VA_variable, name) == 0)
            return tx->TX_entries.v[i].VA_value;
    return "";
}

static double weight_of(const struct collection *c, const char *name, size_t len)
{
    for (uint32_t i = 0; i < c->weights.n; i++)
        if (strlen(c->weights.v[i].UA_name) == len &&
            strncmp(c->weights.v[i].UA_name, name, len) == 0)
            return c->weights.v[i].UA_value;
    return 0;
}

/* ENTRY, "cpu=5.25", of USED or of TOTAL usage */
static void add_figure(const struct collection *c, struct used *u, const struct VA_Type *entry)
{
    const char *text = entry->VA_value;
    size_t len = strcspn(text, "=");
    bool is_total = strcmp(entry->VA_variable, "total") == 0;
    double value = 0;
    if (text[len] == '\0' || !parse_double(text + len + 1, &value))
        return;
    for (size_t k = 0; k < MON_KINDS; k++)
        if (strlen(usage_names_always[k]) == len && strncmp(usage_names_always[k], text, len) == 0)
            *(is_total ? &u->in_all[k] : &u->used[k]) += value;
    if (!is_total)
        u->weighted += value * weight_of(c, text, len);
}

static void add_figures(const struct collection *c, struct used *u, const struct TX_Type *tx)
{
    uint64_t at_s = 0;
    (void)!parse_u64(entry_of(tx, "time"), &at_s);
    u->at_s = at_s;
    u->has_usage = true;
    for (uint32_t i = 0; i < tx->TX_entries.n; i++)
        if (strcmp(tx->TX_entries.v[i].VA_variable, "used") == 0 ||
            strcmp(tx->TX_entries.v[i].VA_variable, "total") == 0)
            add_figure(c, u, &tx->TX_entries.v[i]);
}

static void read_usage(struct collection *c)
{
    for (uint32_t i = 0; i < c->cell->usage->n; i++) {
        const struct TX_Type *tx = &c->cell->usage->v[i];
        const char *project = entry_of(tx, "project");
        add_figures(c, used_of(c, tx->TX_name, project, true), tx);
        if (*project != '\0')
            add_figures(c, used_of(c, "", project, true), tx);
    }
    for (uint32_t i = 0; i < c->cell->jobs->n; i++) {
        const char *key = c->cell->jobs->v[i].UA_name;
        uint32_t n = (uint32_t)c->cell->jobs->v[i].UA_value;
        char *user = uti_strndup(key, strcspn(key, "/"));
        const char *project = key + strlen(user) + 1;
        used_of(c, user, project, true)->n_jobs += n;
        if (*project != '\0')
            used_of(c, "", project, true)->n_jobs += n;
        free(user);
    }
}

/* ---- users of `default` ---- */
static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* each name once */
static void sort_names(struct name_list *l)
{
    uint32_t kept = 0;
    if (l->n > 1)
        qsort(l->v, l->n, sizeof *l->v, compare_names);
    for (uint32_t i = 0; i < l->n; i++) {
        if (kept > 0 && strcmp(l->v[kept - 1], l->v[i]) == 0)
            free(l->v[i]);
        else
            l->v[kept++] = l->v[i];
    }
    l->n = kept;
}

static void add_named(const struct share_node *node, bool below_project, struct name_list *out)
{
    if (node->is_project && !below_project)
        return;
    if (node->below_n == 0)
        name_list_add(out, node->name, strlen(node->name));
    for (uint32_t i = 0; i < node->below_n; i++)
        add_named(node->below[i], below_project, out);
}

static bool has_name(const struct name_list *sorted, const char *name)
{
    return sorted->n > 0 &&
           bsearch(&name, sorted->v, sorted->n, sizeof *sorted->v, compare_names) != NULL;
}

/* the users that NODE, called `default`, stands for; those that have leaves of their own are not */
static void users_of(struct collection *c, const struct share_node *node, const char *project,
                     struct name_list *out)
{
    struct name_list named = { 0 };
    const struct share_node *top = node;
    while (top->parent != NULL && !top->is_project)
        top = top->parent;
    add_named(top, top->is_project, &named);
    sort_names(&named);
    for (uint32_t i = 0; *project == '\0' && i < c->users.n; i++)
        if (!has_name(&named, c->users.v[i]))
            name_list_add(out, c->users.v[i], strlen(c->users.v[i]));
    for (const struct used *u = c->used; u != NULL; u = u->hh.next) {
        size_t len = strcspn(u->key, "/");
        if (len == 0 || strcmp(u->key + len + 1, project) != 0)
            continue;
        char *user = uti_strndup(u->key, len);
        if (!has_name(&named, user))
            name_list_add(out, user, len);
        free(user);
    }
    sort_names(out);
    name_list_free(&named);
}

/* ---- lines ---- */
static struct mon_node *add_line(struct collection *c, const char *path, uint32_t parent)
{
    struct mon_nodes *l = c->out;
    l->v = uti_vec_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
    struct mon_node *line = &l->v[l->n++];
    *line = (struct mon_node){
        .path = uti_strdup(path), .parent = parent, .user = "", .project = "", .is_leaf = true
    };
    return line;
}

static void set_usage(struct collection *c, struct mon_node *line, bool is_of_user)
{
    const struct used *u = used_of(c, line->user, line->project, false);
    if (u == NULL)
        return;
    memcpy(line->used, u->used, sizeof u->used);
    memcpy(line->in_all, u->in_all, sizeof u->in_all);
    line->usage = u->weighted;
    line->n_jobs = u->n_jobs;
    line->usage_s = is_of_user && u->has_usage ? u->at_s : 0;
}

static void set_level(struct mon_nodes *l, uint32_t at, double of)
{
    struct mon_node *line = &l->v[at];
    bool is_root = line->parent == at;
    line->level = is_root ? 1 : of > 0 ? line->shares / of : 0;
    line->total = is_root ? 1 : l->v[line->parent].total * line->level;
}

static void add_users(struct collection *c, const struct share_node *node, uint32_t at,
                      const char *project)
{
    struct name_list users = { 0 };
    struct dstr path = DSTR_INIT;
    users_of(c, node, project, &users);
    for (uint32_t i = 0; i < users.n; i++) {
        dstr_clear(&path);
        dstr_addf(&path, "%s/%s", node->parent != NULL ? c->out->v[at].path : "", users.v[i]);
        struct mon_node *line = add_line(c, dstr_get(&path), at);
        line->shares = node->shares;
        line->user = strrchr(line->path, '/') + 1;
        line->project = project;
        set_usage(c, line, true);
        set_level(c->out, c->out->n - 1, (double)node->shares * users.n);
    }
    c->out->v[at].is_leaf = users.n == 0;
    dstr_free(&path);
    name_list_free(&users);
}

static void add_node(struct collection *c, const struct share_node *node, uint32_t parent,
                     const char *project, double of)
{
    struct dstr path = DSTR_INIT;
    uint32_t at = c->out->n;
    bool is_root = node->parent == NULL, is_default = strcmp(node->name, "default") == 0;
    const char *above = is_root ? "" : c->out->v[parent].path;
    dstr_addf(&path, "%s/%s", strcmp(above, "/") == 0 ? "" : above, is_root ? "" : node->name);
    struct mon_node *line = add_line(c, dstr_get(&path), is_root ? at : parent);
    dstr_free(&path);
    line->shares = node->shares;
    line->project = node->is_project ? node->name : project;
    line->user = node->below_n == 0 && !node->is_project && !is_default ? node->name : "";
    line->is_leaf = node->below_n == 0;
    line->is_project = node->is_project;
    set_level(c->out, at, of);
    if (*line->user != '\0' || node->is_project)
        set_usage(c, line, *line->user != '\0');
    double sum = 0;
    for (uint32_t i = 0; i < node->below_n; i++)
        sum += node->below[i]->shares;
    for (uint32_t i = 0; i < node->below_n; i++)
        add_node(c, node->below[i], at, c->out->v[at].project, sum);
    if (node->below_n == 0 && is_default)
        add_users(c, node, at, c->out->v[at].project);
}

/* groups have what is below them; those of a project have it already */
static void sum_groups(struct mon_nodes *l)
{
    for (uint32_t i = l->n; i-- > 1;) {
        struct mon_node *above = &l->v[l->v[i].parent];
        if (above->is_project)
            continue;
        above->usage += l->v[i].usage;
        above->n_jobs += l->v[i].n_jobs;
    }
}

/* ---- shares of those that have jobs ---- */
static double pull_of(const struct mon_node *line, double all_usage, double compensation)
{
    double actual = all_usage > 0 ? line->usage / all_usage : 0;
    bool is_bounded = compensation > 0 && line->long_target > actual * compensation;
    if (line->n_jobs == 0)
        return 0;
    return line->long_target * (is_bounded   ? compensation
                                : actual > 0 ? line->long_target / actual
                                             : 1);
}

static void set_targets(struct mon_nodes *l, double compensation)
{
    double *sums = uti_calloc((size_t)l->n + 1, sizeof *sums);
    double *pulls = uti_calloc((size_t)l->n + 1, sizeof *pulls);
    for (uint32_t i = 1; i < l->n; i++)
        sums[l->v[i].parent] += l->v[i].n_jobs > 0 ? l->v[i].shares : 0;
    for (uint32_t i = 0; i < l->n; i++) {
        struct mon_node *line = &l->v[i];
        double of = sums[line->parent];
        if (i == 0)
            line->long_target = line->n_jobs > 0;
        else if (line->n_jobs > 0 && of > 0)
            line->long_target = l->v[line->parent].long_target * line->shares / of;
        line->actual = l->v[0].usage > 0 ? line->usage / l->v[0].usage : 0;
        if (i > 0)
            pulls[line->parent] += pull_of(line, l->v[0].usage, compensation);
    }
    for (uint32_t i = 0; i < l->n; i++) {
        struct mon_node *line = &l->v[i];
        double of = pulls[line->parent];
        if (i == 0)
            line->short_target = line->long_target;
        else if (of > 0)
            line->short_target =
                l->v[line->parent].short_target * pull_of(line, l->v[0].usage, compensation) / of;
    }
    free(sums);
    free(pulls);
}

void mon_collect(const struct mon_cell *cell, struct share_tree *tree, struct mon_nodes *out)
{
    struct collection c = { .cell = cell, .out = out };
    const struct CONF_Type *conf = cell->conf;
    const struct usage_params params = { conf_get(NULL, conf, "usage_weight_list"),
                                         conf_get(NULL, conf, "halflife_decay_list"), 0 };
    struct used *u, *next;
    double compensation = 0;
    if (cell->tree == NULL || tree->n == 0)
        return;
    (void)!parse_double(conf_get(NULL, conf, "compensation_factor"), &compensation);
    usage_weights_read(&params, &c.weights);
    read_usage(&c);
    for (uint32_t i = 0; i < cell->users->n; i++)
        name_list_add(&c.users, cell->users->v[i].TX_name, strlen(cell->users->v[i].TX_name));
    add_node(&c, tree->nodes[0], 0, "", 0);
    sum_groups(out);
    set_targets(out, compensation);
    HASH_ITER(hh, c.used, u, next) {
        HASH_DEL(c.used, u);
        free(u);
    }
    name_list_free(&c.users);
    cull_list_clear(&cull_UA_Type, &c.weights);
}

void mon_clear(struct mon_nodes *nodes)
{
    for (uint32_t i = 0; i < nodes->n; i++)
        free(nodes->v[i].path);
    free(nodes->v);
    *nodes = (struct mon_nodes){ 0 };
}
