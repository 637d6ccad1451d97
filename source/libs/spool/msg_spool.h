#ifndef SPOOL_MSG_SPOOL_H
#define SPOOL_MSG_SPOOL_H

/* The texts of this room. */

#define MSG_SPOOL_LOCKED_SS  "spool directory \"%s\" is in use by process %s"
#define MSG_SPOOL_LOCK_S     "cannot lock the spool directory \"%s\""
#define MSG_SPOOL_EXISTS_S   "there is already a spool in \"%s\""
#define MSG_SPOOL_MISSING_S  "there is no spool in \"%s\""
#define MSG_SPOOL_FORMAT_SSS "spool \"%s\" has the format \"%s\", this program reads \"%s\""
#define MSG_SPOOL_LAYOUT_NEWER_SUUS                                                                \
    "spool \"%s\" has layout %u, which is newer than layout %u that release %s writes: start the " \
    "release that wrote it, or keep unknown data without effect with the line \"newer_spool "      \
    "keep\" in bootstrap"
#define MSG_SPOOL_LAYOUT_FOREIGN_SUUS                                                              \
    "spool \"%s\" has layout %u, which is newer than layout %u that release %s writes and "        \
    "incompatible: start the release that wrote it"
#define MSG_SPOOL_LAYOUT_KEPT_UUS                                                                  \
    "the spool has layout %u, which adds to layout %u of this release, %s: its additions are "     \
    "kept without effect"
#define MSG_SPOOL_LAYOUT_OLDER_SUU                                                                 \
    "spool \"%s\" has layout %u; this program reads layout %u and later ones"
#define MSG_SPOOL_SCHEMA_MALFORMED_U "the spool's schema %u is malformed"
#define MSG_SPOOL_SCHEMA_MISSING_SU  "%s record: the spool has no schema %u to read it with"
#define MSG_SPOOL_RECORD_TAIL_S      "malformed %s record: its earlier states cannot be read"
#define MSG_SPOOL_BALLAST_S          "cannot reserve space in \"%s\""
#define MSG_SPOOL_DB_SSS             "spool \"%s\": cannot %s: %s"
#define MSG_SPOOL_DB_TABLE_SSSS      "spool \"%s\": cannot %s table \"%s\": %s"
#define MSG_SPOOL_CHECKPOINT_S       "checkpoint failed, trying again: %s"
#define MSG_SPOOL_LOG_BLANK_S        "cannot rename the empty log file of spool \"%s\""
#define MSG_SPOOL_LOG_REWRITE_SS     "spool \"%s\": cannot rewrite the log: %s"
#define MSG_SPOOL_LOG_RESERVE_SS     "spool \"%s\": no space for the log: %s"

#endif
