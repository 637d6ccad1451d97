#ifndef CLIENTS_QCONF_QCONF_H
#define CLIENTS_QCONF_QCONF_H

#include <stdio.h>

#include "clients/common/command.h"
#include "clients/common/source.h"
#include "libs/doc/doc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* qconf: shows and changes the objects of the administrator. The qmaster decides and words what
 * it did; here is the command line, the text forms and the editor. Source: qconf(1). */

struct qconf {
    struct source from;
    FILE *out, *err;
    const char *common_dir; /* of the cell; for act_qmaster */
    bool is_single;         /* SGE_SINGLE_LINE: no continuation lines */
    enum doc_form form;     /* -json; 0: text */
    struct doc *doc;        /* what is shown: output.h */
    /* lets the user change TEXT: 1 changed, 0 not, -1 with ans; editor.c, or a test's */
    int (*edit)(void *ctx, const char *text, struct dstr *out, struct answer *ans);
    void *edit_ctx;
    bool (*resolves)(const char *host); /* host_resolves, or a test's */
};

enum { MANY = 1000 };
/* an option */
struct qconf_row {
    const char *name;
    int least, most; /* words that follow the option */
    /* does it; returns the exit status. NULL: known, but not supported yet */
    int (*apply)(struct qconf *q, const struct qconf_row *row, char *const *args, int n);
    enum gdi_target target;
    const char *usage; /* as -help shows it; NULL: not on a line of its own */
    const char *what;
};

/* qconf_run - do what the N words ARGS say, option by option, up to the first that fails.
 * Returns the exit status. */
int qconf_run(struct qconf *q, int n, char *const *args);

/* ---- functions of the options ---- */
typedef int qconf_fn(struct qconf *q, const struct qconf_row *row, char *const *args, int n);
qconf_fn show_names, show_objects, show_queues, show_complex, show_conf_names;
qconf_fn show_scheduler_host, show_help, show_as_json;
qconf_fn show_matching_objects, show_detached;
qconf_fn show_group_tree, show_group_hosts, show_share_tree;
qconf_fn share_nodes_show, share_nodes_show_all, share_nodes_add, share_nodes_modify,
    share_nodes_delete;
qconf_fn add_names, delete_names;
qconf_fn attr_by_words, attr_by_file, attr_purge;
qconf_fn object_add, object_add_file, object_modify, object_modify_file;
qconf_fn complex_modify, complex_modify_file;
qconf_fn userset_add_users, userset_delete_users;
qconf_fn stop_hosts, stop_hosts_and_jobs, stop_qmaster, trigger_scheduling;
qconf_fn stop_scheduler, stop_named, start_named, clean_queues, show_event_clients;

/* sort_queues - by name */
void sort_queues(struct CQ_Type_list *queues);

/* qconf_check_host_words - the same of a list as text, as host groups have it */
int qconf_check_host_words(struct qconf *q, const char *hosts);

/* edit_with_editor - $EDITOR, $VISUAL or vi on a temporary file; the `edit` of a real qconf */
int edit_with_editor(void *ctx, const char *text, struct dstr *out, struct answer *ans);
/* edit_keep - save a text that the cell did not accept in a file, which a line on stderr
 * names */
void edit_keep(struct qconf *q, const char *text);

#endif
