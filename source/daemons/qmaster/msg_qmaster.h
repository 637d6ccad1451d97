#ifndef QMASTER_MSG_QMASTER_H
#define QMASTER_MSG_QMASTER_H

/* Texts of the start and the end: answers are interface (scripts match them), log lines are for
 * administrators. */

/* files */
#define MSG_ACCT_OPEN_S    "cannot open the accounting file \"%s\""
#define MSG_SPOOL_RECORD_S "the spool has a malformed record among its %s"
#define MSG_SETUP_LINE_SS  "\"%s\": unknown line \"%s\""

/* starting */
#define MSG_NO_ADMIN_SS  "%s/bootstrap: there is no user \"%s\" to be the admin_user"
#define MSG_NOT_ADMIN_S  "only root and the cell's admin_user \"%s\" can run its qmaster"
#define MSG_BECOME_S     "cannot become user \"%s\""
#define MSG_STILL_ROOT_S "can still become root after becoming user \"%s\""

/* log */
#define MSG_MAIL_START      "cannot start the process that runs mailers"
#define MSG_NO_MAIL_OF_ROOT "no mail is sent, since the qmaster runs as root"
#define MSG_RUNS_AS_ROOT                                                                           \
    "running as root, since bootstrap has no admin_user: add one with: sge_cell upgrade"
#define MSG_STARTED_SU "starting up %s with %u jobs"
#define MSG_STOPPED    "controlled shutdown"
#define MSG_STOPPED_UNSETTLED                                                                      \
    "stopping with changes that are not on disk and were never acknowledged"
#define MSG_STOPPED_HARD_S "stopping at once: %s; changes not on disk were never acknowledged"
#define MSG_STOP_LATE      "the shutdown did not complete in time"
#define MSG_STOP_AGAIN     "second signal received"
#define MSG_SPOOL_NEWER_SSS                                                                        \
    "the spool \"%s\" was written by release %s, this is release %s: start the newer release, or " \
    "keep unknown data without effect with the line \"newer_spool keep\" in bootstrap"
#define MSG_SPOOL_RUNS_ON_NEWER_SS                                                                 \
    "running on a spool of release %s with release %s, as set in bootstrap: unknown data is kept " \
    "without effect"
#define MSG_SPOOL_KEPT_U                                                                           \
    "records with fields unknown to this release: %u; they are kept without effect"
#define MSG_SPOOL_UNKNOWN_SSS                                                                      \
    "among the spool's %s is \"%.*s\", which is unknown to this release: kept without effect"
#define MSG_SPOOL_LOST_SS                                                                          \
    "\"%s\" says that this cell has a spool, but \"%s\" has none: restore it (or remove "          \
    "the file to start with an empty spool)"
#define MSG_JOB_WITHOUT_TASKS_U "job %u had no unfinished task in the spool; removed"
#define MSG_PEER_MALFORMED_SS   "connection of user %s ended: %s"

#endif
