#ifndef CLIENTS_SGE_SHARE_MON_SHARE_MON_H
#define CLIENTS_SGE_SHARE_MON_SHARE_MON_H

#include <stdio.h>

#include "libs/config/usage_params.h"
#include "libs/kinds/share_nodes.h"
#include "libs/sgeobj/rows.h"

/* sge_share_mon: the share tree with what was used. Source: sge_share_mon(8). */
struct answer;
struct dstr;

struct mon_options {
    const char *field_delimiter, *line_delimiter, *record_delimiter;
    const char *fields;  /* -f; NULL: all */
    const char *strings; /* -s, with one %s in it */
    const char *file, *mode;
    char *const *nodes; /* the paths that are shown; none: all */
    int n_nodes;
    uint32_t count, interval_s; /* count 0: for ever */
    bool has_header, has_names, has_texts_of_times, has_leaves_alone, wants_help;
};

/* mon_parse - the words of the command line; 0, or -1 with ans
 * mon_usage - append the help text */
int mon_parse(int n, char *const *args, void *options, bool *shows_usage, struct answer *ans);
void mon_usage(struct dstr *out);

/* what the qmaster has, all borrowed */
struct mon_cell {
    const struct TX_Type *tree;       /* NULL: there is none */
    const struct TX_Type_list *users; /* objects */
    const struct TX_Type_list *usage; /* answer to a GET of GDI_SHARE_USAGE */
    const struct UA_Type_list *jobs;  /* "USER/PROJECT", and how many there are */
    const struct CONF_Type *conf;     /* the scheduler's */
    uint64_t now_s;
};
enum { MON_KINDS = 3 };
struct mon_node {               /* a line */
    char *path;                 /* owned */
    const char *user, *project; /* borrowed; "": none */
    uint32_t shares, n_jobs;
    uint64_t usage_s;
    double level, total, long_target, short_target, actual, usage;
    double used[MON_KINDS], in_all[MON_KINDS]; /* of usage_names_always */
    uint32_t parent;                           /* its place, of the root its own */
    bool is_leaf, is_project;
};
struct mon_nodes {
    struct mon_node *v;
    uint32_t n, cap;
};
/* mon_collect - the lines of CELL, each node before those below it, into OUT, which is empty; end
 * with mon_clear before CELL and TREE go. O((nodes + users) x log pairs)
 * mon_print - print them, or the header that O wants, on OUT */
void mon_collect(const struct mon_cell *cell, struct share_tree *tree, struct mon_nodes *out);
void mon_clear(struct mon_nodes *nodes);
void mon_print_header(const struct mon_options *o, FILE *out);
void mon_print(const struct mon_options *o, const struct mon_nodes *nodes, uint64_t now_s,
               FILE *out);

#endif
