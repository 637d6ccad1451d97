#ifndef QMASTER_TABLES_RIGHTS_H
#define QMASTER_TABLES_RIGHTS_H

#include "daemons/qmaster/io/identity.h"
#include "daemons/qmaster/tables/qmaster.h"
#include "libs/uti/answer.h"

/* Who may do what: the one place that knows. It asks the identity that the transport has proved and
 * the lists of managers, operators and submit hosts; a request has no say in it. Functions with an
 * answer say in it what was refused and why. Each costs O(1). */

/* right_to_come - may WHO ask for anything at all? Users of this host with ids from min_uid and
 * min_gid on may, root, and the user as whom the qmaster runs. From other hosts come users of
 * submit and admin hosts with such ids; root and the qmaster's user only if HOST_ROOT of
 * sge_conf(5) says so, and from admin hosts; neither with a certificate, with which any other user
 * may. Returns 0, or -1 with ans. */
int right_to_come(const struct qmaster *q, const struct identity *who, struct answer *ans);
/* right_manage - is WHO a manager? root and the user as whom the qmaster runs always are; no user
 * from another host that is no admin host, or with a certificate
 * right_stays - is USER, by name, one of those who are always managers? */
bool right_stays(const struct qmaster *q, const char *user);
bool right_manage(const struct qmaster *q, const struct identity *who);
/* right_operate - is WHO an operator? Managers are */
bool right_operate(const struct qmaster *q, const struct identity *who);
/* right_over_job - may WHO see all of JOB, change it and end it? Its owner and operators may. */
bool right_over_job(const struct qmaster *q, const struct identity *who, const struct job *job);
/* right_over_queue - may WHO enable, disable, suspend and resume the queue instance QU, and clear
 * its error? Operators and its owners may (owner_list of queue_conf(5)), the latter from another
 * host if it is an admin host. O(names of that list) */
bool right_over_queue(const struct qmaster *q, const struct identity *who,
                      const struct QU_Type *qu);
/* right_to_send - which frames a peer with ROLE may send (enum gdi_frame) */
bool right_to_send(enum role role, uint8_t kind);
/* right_to_be_host - may WHO register and report as the execd of HOST? A host that has proved its
 * name is itself alone; the execds of this host's root and of the qmaster's user are trusted. */
bool right_to_be_host(const struct identity *who, const char *host);

/* right_to_speak_for_cell - may the execd WHO say load values of the cell? That of this host may,
 * and those of admin hosts. */
bool right_to_speak_for_cell(const struct qmaster *q, const struct identity *who);
/* right_to_submit - from this host, as this user, who has a name? A certificate is good anywhere.
 * Returns 0, or -1 with ans. */
int right_to_submit(const struct qmaster *q, const struct identity *who, struct answer *ans);
/* right_to_submit_as - submit jobs for other users? Root alone may, proved by the kernel
 * of this host. Returns 0, or -1 with ans. */
int right_to_submit_as(const struct identity *who, struct answer *ans);
/* right_to_use_cell - may a job of USER's, as REC says (JB_user_sets, JB_project), run in this cell
 * and for its project? Returns 0, or -1 with ans, which names the list. */
int right_to_use_cell(const struct qmaster *q, const char *user, const struct JB_Type *rec,
                      struct answer *ans);
/* right_to_configure - change queues, hosts, lists and parameters? Returns 0, or -1 with ans. */
int right_to_configure(const struct qmaster *q, const struct identity *who, struct answer *ans);
/* right_to_hold - put (IS_ON) or lift holds of these KINDS (HOLD_..., hold.h)? Returns 0, or -1
 * with ans, which names each that may not. */
int right_to_hold(const struct qmaster *q, const struct identity *who, unsigned kinds, bool is_on,
                  struct answer *ans);
/* right_to_reserve - make advance reservations, and delete those that are WHO's own? Managers may,
 * and users of the user set "arusers". Returns 0, or -1 with ans. */
int right_to_reserve(const struct qmaster *q, const struct identity *who, struct answer *ans);
/* right_to_go_first - give a job what REC asks for to come before those of others: a priority above
 * the usual one, a deadline, override tickets? Returns 0, or -1 with ans.
 *   is_new  REC is a new job, not a change of one */
int right_to_go_first(const struct qmaster *q, const struct identity *who,
                      const struct JB_Type *rec, bool is_new, struct answer *ans);

#endif
