#ifndef SPOOL_FORMAT_H
#define SPOOL_FORMAT_H

#include "common/basis.h"

/* The file "format" of a spool's directory, one line: METHOD LAYOUT [OLDEST]
 *
 * Layouts are numbered, and a release writes one of them. A layout that adds to one before it,
 * without another form for what was there, says so: OLDEST is the first layout whose releases may
 * run on this one and leave alone what they do not know. Without OLDEST only those of LAYOUT
 * may. */
struct answer;

struct spool_layout {
    uint32_t number, oldest; /* oldest <= number */
};

enum spool_format_use {
    SPOOL_FORMAT_USE_AS_IS, /* also of a newer layout, which stays in the file */
    SPOOL_FORMAT_WRITE      /* an older one, which OWN adds to: it becomes OWN */
};

/* spool_format_check - may a program that writes layout OWN run on the spool in DIR, whose file
 * "format" is at PATH?
 *   keeps_newer  on one of a newer layout, too, if that allows it (newer_spool in bootstrap(5))
 * Returns an enum spool_format_use, or -1 with ans. */
int spool_format_check(const char *path, const char *dir, const char *method,
                       const struct spool_layout *own, bool keeps_newer, struct answer *ans);
/* spool_format_write - make the file, whole or not at all */
int spool_format_write(const char *path, const char *method, const struct spool_layout *layout,
                       struct answer *ans);

#endif
