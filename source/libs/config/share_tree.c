/* The share tree: one object of the cell, whose nodes are kept as texts, the root first. A file
 * has five lines for each node; here they are five words of one text, in the same order.
 *
 * A tree is right when every node but the root is the child of exactly one other and not too far
 * below the root, and when it says of everybody only once what share is his. Source:
 * sge_share_tree(5). */
#include <stdlib.h>
#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/config/attr_text.h"
#include "libs/config/msg_config.h"
#include "libs/config/object_kinds_priv.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

enum { TYPE_PROJECT = 1 };
#define LEVELS_MOST      100
#define AS_TEXT(number)  #number
#define IN_WORDS(number) AS_TEXT(number)

/* clang-format off */
/* ---- sge_share_tree(5) ---- */
static const struct attr_rule words[] = {
    ATTR_ROW_NUMBER("id", "0", 0, INT32_MAX),
    ATTR_ROW("name", ATTR_TEXT, "template"),
    ATTR_ROW_NUMBER("type", "0", 0, TYPE_PROJECT),
    ATTR_ROW_NUMBER("shares", "0", 0, INT32_MAX),
    ATTR_ROW("childnodes", ATTR_TEXT, "NONE"),
};
/* clang-format on */
enum { WORD_ID, WORD_NAME, WORD_TYPE, WORD_SHARES, WORD_CHILDNODES, WORDS };

/* ---- the words of a node ---- */

static int refuse_node(struct answer *ans, const char *node, const char *why)
{
    return ans_fail(ans, STATUS_ESEMANTIC, MSG_OBJECT_PART_SSS, "share tree", node, why);
}

/* the value of word I at AT, moved behind it; false if another word stands there */
static bool next_word(const char **at, unsigned i, struct dstr *value)
{
    size_t len = strlen(words[i].name);
    if (strncmp(*at, words[i].name, len) != 0 || (*at)[len] != '=')
        return false;
    *at += len + 1;
    size_t value_len = strcspn(*at, " ");
    dstr_clear(value);
    dstr_addn(value, *at, value_len);
    *at += value_len + ((*at)[value_len] == ' ');
    return true;
}

static bool are_ids(const char *list)
{
    struct dstr word = DSTR_INIT;
    bool is_good = true;
    uint32_t id, n = 0;
    for (const char *at = list; is_good && attr_next_word(&at, ",", &word); n++)
        is_good = parse_u32(dstr_get(&word), &id);
    dstr_free(&word);
    return is_good && n > 0;
}

/* append the form of word I that is kept */
static int check_word(unsigned i, const char *value, struct dstr *kept, struct answer *ans)
{
    int ret = attr_value_parse(&words[i], value, kept, ans);
    if (ret == 0 && i == WORD_NAME && !user_name_is_valid(value))
        ret = refuse_node(ans, value, "is not a valid name");
    if (ret == 0 && i == WORD_CHILDNODES && !attr_is_none(value) && !are_ids(value))
        ret = refuse_node(ans, value, "is not a list of ids with commas between them");
    return ret;
}

/* buffers for the words of a node, used again for each */
struct word_buffers {
    struct dstr value, kept;
};

/* the next word of a node, in the form that is kept */
static int read_word(const char **at, unsigned i, struct word_buffers *b, const char *node,
                     struct answer *ans)
{
    if (!next_word(at, i, &b->value))
        return refuse_node(ans, node, "is not a node");
    dstr_clear(&b->kept);
    if (check_word(i, dstr_get(&b->value), &b->kept, ans) < 0)
        return -1;
    bool is_kept = strcmp(dstr_get(&b->kept), dstr_get(&b->value)) == 0;
    return is_kept ? 0 : refuse_node(ans, node, "is not a node");
}

/* a node comes into the record as it is, when its words are right */
static int read_node(void *record, const char *node, struct answer *ans)
{
    struct word_buffers b = { DSTR_INIT, DSTR_INIT };
    const char *at = node;
    int ret = 0;
    for (unsigned i = 0; ret == 0 && i < WORDS; i++)
        ret = read_word(&at, i, &b, node, ans);
    if (ret == 0 && *at != '\0')
        ret = refuse_node(ans, node, "is not a node");
    dstr_free(&b.value);
    dstr_free(&b.kept);
    if (ret < 0)
        return -1;
    struct ST_Type *st = cull_append((struct SHT_Type *)record, SHT_nodes);
    cull_set(st, ST_name, node);
    return 0;
}

/* ---- the tree ---- */
struct node {
    uint32_t id;
    uint32_t parent;    /* index; UINT32_MAX: none */
    uint32_t scope;     /* index of the node within which its name must be unique */
    const char *text;   /* borrowed from the record */
    char *name, *below; /* owned; its children as ids, or NONE */
    bool is_project;
};
struct tree {
    struct node *nodes; /* the root first */
    uint32_t n;
    const struct node **by_id; /* sorted */
};

static void node_read(struct node *node, const char *text)
{
    struct dstr value[WORDS] = { DSTR_INIT };
    const char *at = text;
    for (unsigned i = 0; i < WORDS; i++)
        (void)next_word(&at, i, &value[i]);
    node->text = text;
    node->parent = UINT32_MAX;
    if (!parse_u32(dstr_get(&value[WORD_ID]), &node->id))
        node->id = UINT32_MAX; /* which no node has */
    node->is_project = strcmp(dstr_get(&value[WORD_TYPE]), "1") == 0;
    node->name = dstr_take(&value[WORD_NAME]);
    node->below = dstr_take(&value[WORD_CHILDNODES]);
    for (unsigned i = 0; i < WORDS; i++)
        dstr_free(&value[i]);
}

static int id_compare(const void *left, const void *right)
{
    const struct node *l = *(const struct node *const *)left;
    const struct node *r = *(const struct node *const *)right;
    return l->id < r->id ? -1 : l->id > r->id;
}

static struct tree tree_read(const struct SHT_Type *record)
{
    struct tree t = { .n = record->SHT_nodes.n };
    t.nodes = uti_calloc(t.n + 1, sizeof *t.nodes);
    t.by_id = uti_calloc(t.n + 1, sizeof *t.by_id);
    for (uint32_t i = 0; i < t.n; i++) {
        node_read(&t.nodes[i], record->SHT_nodes.v[i].ST_name);
        t.by_id[i] = &t.nodes[i];
    }
    qsort(t.by_id, t.n, sizeof *t.by_id, id_compare);
    return t;
}

static void node_clear(struct node *node)
{
    free(node->name);
    free(node->below);
}

static void tree_free(struct tree *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        node_clear(&t->nodes[i]);
    free(t->nodes);
    free(t->by_id);
}

static int refuse_named(const struct node *node, const char *why, struct answer *ans)
{
    return refuse_node(ans, node->name, why);
}

static int refuse_id(uint32_t id, const char *why, struct answer *ans)
{
    struct dstr node = DSTR_INIT;
    dstr_addf(&node, "id=%u", id);
    int ret = refuse_node(ans, dstr_get(&node), why);
    dstr_free(&node);
    return ret;
}

static int check_ids(const struct tree *t, struct answer *ans)
{
    for (uint32_t i = 1; i < t->n; i++)
        if (t->by_id[i - 1]->id == t->by_id[i]->id)
            return refuse_id(t->by_id[i]->id, "is there twice", ans);
    return 0;
}

static struct node *node_find(const struct tree *t, uint32_t id)
{
    const struct node key = { .id = id }, *at = &key;
    const struct node **found = bsearch(&at, t->by_id, t->n, sizeof *t->by_id, id_compare);
    return found != NULL ? &t->nodes[*found - t->nodes] : NULL;
}

static int adopt_child(const struct tree *t, uint32_t parent, uint32_t id, struct answer *ans)
{
    struct node *child = node_find(t, id);
    if (child == NULL)
        return refuse_id(id, "is a child and does not exist", ans);
    if (child == t->nodes)
        return refuse_id(id, "stands first and is the root, so that it cannot be a child", ans);
    if (child->parent != UINT32_MAX)
        return refuse_id(id, "is a child twice", ans);
    child->parent = parent;
    return 0;
}

/* children get their parents */
static int link_nodes(const struct tree *t, struct answer *ans)
{
    struct dstr word = DSTR_INIT;
    uint32_t id = 0;
    int ret = 0;
    for (uint32_t i = 0; ret == 0 && i < t->n; i++) {
        const char *at = attr_is_none(t->nodes[i].below) ? "" : t->nodes[i].below;
        while (ret == 0 && attr_next_word(&at, ",", &word))
            ret = parse_u32(dstr_get(&word), &id) ? adopt_child(t, i, id, ans) : -1;
    }
    dstr_free(&word);
    return ret;
}

/* Upwards to the root, in as many steps as a tree may have levels: a circle has no end. On the
 * way the project that it is in becomes its scope. */
static int climb_up(const struct tree *t, struct node *node, struct answer *ans)
{
    uint32_t at = node->parent;
    bool is_in_project = false;
    for (int level = 1; at != 0; level++, at = t->nodes[at].parent) {
        if (at == UINT32_MAX)
            return refuse_named(node, "is not below the root", ans);
        if (level == LEVELS_MOST)
            return refuse_named(
                node, "is more than " IN_WORDS(LEVELS_MOST) " levels below the root", ans);
        if (t->nodes[at].is_project && !is_in_project) {
            is_in_project = true;
            node->scope = at;
        }
    }
    if (is_in_project && node->is_project)
        return refuse_named(node, "is a project within a project", ans);
    return 0;
}

static int scope_compare(const void *left, const void *right)
{
    const struct node *l = *(const struct node *const *)left;
    const struct node *r = *(const struct node *const *)right;
    if (l->scope != r->scope)
        return l->scope < r->scope ? -1 : 1;
    return strcmp(l->name, r->name);
}

static bool is_leaf(const struct node *node)
{
    return attr_is_none(node->below);
}

static bool is_somebody(const struct node *node)
{
    return is_leaf(node) || node->is_project;
}

static bool is_any(const struct node *node SGE_UNUSED)
{
    return true;
}

/* do two of those that COUNT have one name in one scope? */
static int check_names(const struct tree *t, bool (*count)(const struct node *), const char *why,
                       struct answer *ans)
{
    const struct node **named = uti_calloc(t->n + 1, sizeof *named);
    uint32_t n = 0;
    int ret = 0;
    for (uint32_t i = 1; i < t->n; i++)
        if (count(&t->nodes[i]))
            named[n++] = &t->nodes[i];
    qsort(named, n, sizeof *named, scope_compare);
    for (uint32_t i = 1; ret == 0 && i < n; i++)
        if (scope_compare(&named[i - 1], &named[i]) == 0)
            ret = refuse_named(named[i], why, ans);
    free(named);
    return ret;
}

static int check_tree(struct tree *t, struct answer *ans)
{
    int ret = 0;
    if (t->n == 0)
        return refuse_id(0, "is missing", ans);
    if (check_ids(t, ans) < 0 || link_nodes(t, ans) < 0)
        return -1;
    for (uint32_t i = 1; ret == 0 && i < t->n; i++)
        ret = climb_up(t, &t->nodes[i], ans);
    if (ret == 0)
        ret = check_names(t, is_somebody, "has more than one share", ans);
    for (uint32_t i = 1; i < t->n; i++)
        t->nodes[i].scope = t->nodes[i].parent;
    return ret < 0 ? -1 : check_names(t, is_any, "is there twice below one node", ans);
}

static int share_tree_check(const void *record, struct answer *ans)
{
    struct tree t = tree_read(record);
    int ret = check_tree(&t, ans);
    tree_free(&t);
    return ret;
}

/* ---- who has shares ---- */

/* "default" stands for all users who have no share of their own */
static bool node_references(const struct node *node, reference_fn *fn, void *ctx)
{
    if (node->is_project)
        return fn(ctx, &(struct reference){ "name", OBJECT_PROJECT, node->name });
    if (!is_leaf(node) || strcmp(node->name, "default") == 0)
        return true;
    return fn(ctx, &(struct reference){ "name", OBJECT_USER, node->name });
}

static bool share_tree_references(const void *record, reference_fn *fn, void *ctx)
{
    const struct ST_Type_list *l = &((const struct SHT_Type *)record)->SHT_nodes;
    bool goes_on = true;
    for (uint32_t i = 1; goes_on && i < l->n; i++) {
        struct node node = { 0 };
        node_read(&node, l->v[i].ST_name);
        goes_on = node_references(&node, fn, ctx);
        node_clear(&node);
    }
    return goes_on;
}

/* ---- the text form ---- */

/* the words of a node that is being read */
struct reading {
    struct dstr value[WORDS];
    bool is_there[WORDS];
    struct TX_Type *tx;
    struct answer *ans;
};

static int node_end(struct reading *rd)
{
    struct dstr node = DSTR_INIT;
    for (unsigned i = 0; i < WORDS; i++) {
        if (!rd->is_there[i]) {
            dstr_free(&node);
            return ans_fail(rd->ans, STATUS_ESYNTAX, MSG_ATTR_MISSING_S, words[i].name);
        }
        dstr_addf(&node, "%s%s=%s", i > 0 ? " " : "", words[i].name, dstr_get(&rd->value[i]));
        dstr_clear(&rd->value[i]);
        rd->is_there[i] = false;
    }
    struct VA_Type *va = cull_append(rd->tx, TX_entries);
    cull_set(va, VA_variable, "node");
    cull_set(va, VA_value, dstr_get(&node));
    dstr_free(&node);
    return 0;
}

/* a line, word=value */
static int read_line(struct reading *rd, const char *line)
{
    size_t len = strcspn(line, "=");
    unsigned i = 0;
    while (i < WORDS && (strncmp(words[i].name, line, len) != 0 || words[i].name[len] != '\0'))
        i++;
    if (i == WORDS) {
        char *name = uti_strndup(line, len);
        (void)ans_fail(rd->ans, STATUS_EUNKNOWN, MSG_ATTR_UNKNOWN_S, name);
        free(name);
        return -1;
    }
    if (i == WORD_ID && rd->is_there[WORD_ID] && node_end(rd) < 0)
        return -1;
    if (rd->is_there[i])
        return ans_fail(rd->ans, STATUS_ESYNTAX, MSG_ATTR_TWICE_S, words[i].name);
    rd->is_there[i] = true;
    return check_word(i, line + len + (line[len] == '='), &rd->value[i], rd->ans);
}

static int share_tree_parse(const char *text, struct TX_Type *tx, struct answer *ans)
{
    struct reading rd = { .tx = tx, .ans = ans };
    struct attr_reader reader = ATTR_READER(text);
    struct dstr name = DSTR_INIT, value = DSTR_INIT;
    int ret = 0;
    while (ret == 0 && tx->TX_entries.n <= OBJECT_ENTRIES_MOST &&
           attr_read(&reader, &name, &value)) {
        bool has_more = value.len > 0, is_list = name.s[name.len - 1] == ',';
        dstr_addf(&name, "%s%s", has_more && !is_list ? " " : "", dstr_get(&value));
        ret = read_line(&rd, dstr_get(&name));
    }
    if (ret == 0 && tx->TX_entries.n <= OBJECT_ENTRIES_MOST)
        ret = node_end(&rd);
    for (unsigned i = 0; i < WORDS; i++)
        dstr_free(&rd.value[i]);
    dstr_free(&name);
    dstr_free(&value);
    return ret;
}

/* the words of each node, a line each */
static void share_tree_print(const struct TX_Type *tx, struct dstr *out)
{
    for (uint32_t i = 0; i < tx->TX_entries.n; i++) {
        const struct VA_Type *va = &tx->TX_entries.v[i];
        if (va->VA_variable == NULL || va->VA_value == NULL || strcmp(va->VA_variable, "node") != 0)
            continue;
        for (const char *c = va->VA_value; *c != '\0'; c++)
            dstr_addc(out, *c == ' ' ? '\n' : *c);
        dstr_addc(out, '\n');
    }
}

/* ---- the kind ---- */
static const struct object_attr share_tree_attrs[] = {
    { ATTR_ROW("node", ATTR_TEXT, "id=0 name=template type=0 shares=0 childnodes=NONE"), SHT_nodes,
      read_node, true, true, ATTR_IN_FORCE },
};

static const struct object_own share_tree_own = {
    .is_closed = true,
    .only = "sharetree",
    .check = share_tree_check,
    .references = share_tree_references,
    .parse = share_tree_parse,
    .print = share_tree_print,
};
const struct object_rules share_tree_rules = {
    .kind = OBJECT_SHARETREE,
    .name_attr = "tree",
    .type = &cull_SHT_Type,
    .attrs = share_tree_attrs,
    .attrs_n = ARRAY_LEN(share_tree_attrs),
    .effect = ATTR_IN_FORCE,
    .name_is_valid = object_name_is_valid,
    .own = &share_tree_own,
    .words = { "share tree", "sharetree", NULL, "Sharetree", "sharetree", "no sharetree element",
               "" },
};
