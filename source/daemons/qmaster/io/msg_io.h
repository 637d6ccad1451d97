#ifndef QMASTER_IO_MSG_IO_H
#define QMASTER_IO_MSG_IO_H

/* Texts of the threads: answers are interface (scripts match them), log lines are for
 * administrators. */

/* submitting */
#define MSG_ACCT_WRITES_AGAIN "the accounting file can be written again"

/* files */
#define MSG_FILE_OPEN_S  "cannot open \"%s\""
#define MSG_ACCT_READ_S  "cannot read the accounting file \"%s\""
#define MSG_ACCT_WRITE_S "cannot write the accounting file \"%s\""

/* log */
#define MSG_SPOOL_WRITES_AGAIN "the spool can be written again"
#define MSG_ACCT_FAILED_SSU                                                                        \
    "the accounting file \"%s\" cannot be written: %s. This has lasted %u seconds: the qmaster "   \
    "exits. The spool has the missing lines; the next start appends them"
#define MSG_SPOOL_FAILED_SSU                                                                       \
    "the spool \"%s\" cannot be written: %s. This has lasted %u seconds: the qmaster exits, so "   \
    "that the next start can recover"
#define MSG_OWNERS_WAKE          "cannot create a descriptor for lookups of owners"
#define MSG_PEER_REFUSED_SIS     "connection of user %s (process %d) ended: %s"
#define MSG_RELAYED_REFUSED_SISS "connection of user %s (process %d of host %s) ended: %s"
#define MSG_USER_REFUSED_SSS     "connection of user %s from %s ended: %s"
#define MSG_USER_ELSE_SUS        "the certificate of %s is for user id %u, which belongs to %s here"
#define MSG_HOST_REFUSED_SSS     "connection of host %s (%s) ended: %s"
#define MSG_HOST_UNKNOWN_SS      "connection from %s ended: %s"
#define MSG_PORT_U               "listening for hosts on TCP port %u"

#define MSG_REPORTING_S          "lines of the reporting file are lost: cannot write %s"

#define MSG_MAIL_FAILED_SSS      "mail to %s was not sent: %s: %s"
#define MSG_MAIL_AGAIN_SSS       "mail to %s was not sent and is tried again in a minute: %s: %s"
#define MSG_MAIL_LATE_SSU        "mail to %s may not have been sent: %s was killed after %u seconds"
#define MSG_MAILS_FULL_SU        "mail of user %s was not sent: %u mails are waiting, or too many bytes"
#define MSG_MAILS_LEFT_Z         "%zu mails were not sent: the qmaster stops"
#define MSG_MAIL_PROCESS         "the process that ran the mailer was killed"
#define MSG_MAIL_LONG            "subject, text or path exceed the limits of 1000, 262144 and 4096 bytes"
#define MSG_MAIL_REFUSED         "the mail is malformed"
#define MSG_MAIL_THREAD          "cannot create a thread that sends mail"

#endif
