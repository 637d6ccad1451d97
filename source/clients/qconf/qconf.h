#ifndef CLIENTS_QCONF_QCONF_H
#define CLIENTS_QCONF_QCONF_H

#include <stdio.h>

#include "clients/common/command.h"
#include "clients/common/source.h"
#include "libs/doc/doc.h"
#include "libs/kinds/kinds.h"
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
qconf_fn clear_usage;
qconf_fn stop_scheduler, stop_named, start_named, clean_queues, show_event_clients;

/* sort_queues - by name */
void sort_queues(struct CQ_Type_list *queues);

/* edit_with_editor - $EDITOR, $VISUAL or vi on a temporary file; the `edit` of a real qconf */
int edit_with_editor(void *ctx, const char *text, struct dstr *out, struct answer *ans);
/* edit_keep - save a text that the cell did not accept in a file, which a line on stderr
 * names */
void edit_keep(struct qconf *q, const char *text);

/* ---- exchanges with the qmaster, files, and lines on stderr ---- */

/* qconf_send - send REQUEST and print what the qmaster says: what went well on SAID_ON (NULL:
 * not at all), the rest on stderr
 * Returns the exit status. REQUEST is cleared. */
int qconf_send(struct qconf *q, struct GR_Type *request, FILE *said_on);
/* qconf_try - the same for a change that can be made again of what there is by then
 *
 *   notes    lines for stdout, before what the qmaster says
 *   attempt  1, 2 ...; the last is QCONF_ATTEMPTS_MOST, and says what the qmaster says
 *
 * Returns the exit status, or QCONF_AGAIN, with nothing printed, if another user has changed the
 * object since it was read. */
enum { QCONF_AGAIN = -1, QCONF_ATTEMPTS_MOST = 20 };
int qconf_try(struct qconf *q, struct GR_Type *request, FILE *said_on, const char *notes,
              unsigned attempt);
/* qconf_may_change - may this user change objects of the kind? Asked by an empty request,
 * before an editor starts. False after printing that this is not the user. */
bool qconf_may_change(struct qconf *q, enum gdi_target target);
/* qconf_get - the objects of a kind, all or those called NAME; new: cull_delete; NULL after
 * printing why */
struct GA_Type *qconf_get(struct qconf *q, enum gdi_target target, const char *name);
/* qconf_get_raw - the same unchanged, for callers that change them: what a terminal must not get is
 * still in them */
struct GA_Type *qconf_get_raw(struct qconf *q, enum gdi_target target, const char *name);
/* qconf_get_names - the same of all, with nothing but their names */
struct GA_Type *qconf_get_names(struct qconf *q, enum gdi_target target);
void qconf_request(struct GR_Type *request, enum gdi_verb verb, enum gdi_target target);
void qconf_select(struct GR_Type *request, const char *name);
int qconf_fail(struct qconf *q, const char *format, ...) SGE_PRINTF(2, 3); /* a line on stderr; 1 */
/* qconf_print_failure - the errors of ANS, each after PREFIX; ANS is empty then; 1 */
int qconf_print_failure(struct qconf *q, struct answer *ans, const char *prefix);

/* qconf_read_file - the text of PATH; false after saying so, and that the KIND file ("Cluster
 * queue") is not correct */
bool qconf_read_file(struct qconf *q, const char *kind, const char *path, struct dstr *out);
int qconf_bad_file(struct qconf *q, const char *kind, const char *path,
                   struct answer *ans); /* says why; 1 */

/* ---- objects as the command line names them ---- */

/* say_unknown - there is no object NAME; 1 */
int say_unknown(struct qconf *q, const struct kind *kind, const char *name);

/* named_objects - append the names in ARGS, a list; without one, those of the objects that are
 * meant then
 * Returns 0, or 1 after saying that there are none. */
int named_objects(struct qconf *q, const struct kind *kind, char *const *args, int n,
                  struct name_list *out);

/* check_named_hosts - the hosts that OBJECT names; 0, or 1 after saying what is wrong */
int check_named_hosts(struct qconf *q, const struct kind *kind, const void *object);
/* qconf_check_host_words - the same of a list as text, as host groups have it */
int qconf_check_host_words(struct qconf *q, const char *hosts);

#endif
