#ifndef CLIENTS_QCONF_EXCHANGE_H
#define CLIENTS_QCONF_EXCHANGE_H

#include "clients/qconf/qconf.h"
#include "libs/kinds/kinds.h"

/* Exchanges with the qmaster, files, and lines on stderr: what the options of qconf have in
 * common. */

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

/* Objects as the command line names them. */

/* say_unknown - there is no object NAME; 1 */
int say_unknown(struct qconf *q, const struct kind *kind, const char *name);

/* named_objects - append the names in ARGS, a list; without one, those of the objects that are
 * meant then
 * Returns 0, or 1 after saying that there are none. */
int named_objects(struct qconf *q, const struct kind *kind, char *const *args, int n,
                  struct name_list *out);

/* check_named_hosts - the hosts that OBJECT names; 0, or 1 after saying what is wrong */
int check_named_hosts(struct qconf *q, const struct kind *kind, const void *object);

#endif
