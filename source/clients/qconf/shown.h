#ifndef CLIENTS_QCONF_SHOWN_H
#define CLIENTS_QCONF_SHOWN_H

#include "clients/qconf/qconf.h"

/* What the options that show write: a page of text, or one JSON document for the whole command
 * line. Each option is a record with a list of names or of objects. */

/* shown_open - the document of a command line; 0, or -1 with ans
 * shown_close - 0, or -1 with ans; also after a failure */
int shown_open(struct qconf *q, struct answer *ans);
int shown_close(struct qconf *q, struct answer *ans);

/* shown_names, shown_objects - begin what OPTION shows; shown_end ends it */
void shown_names(struct qconf *q, const char *option);
void shown_objects(struct qconf *q, const char *option);
void shown_end(struct qconf *q);

/* shown_name - one of the names, on a line of its own */
void shown_name(struct qconf *q, const char *name);
/* shown_object - one of the objects
 *
 *   name  what -json calls it
 *   text  as the page has it: lines of an attribute, blanks and its value; with shown_is_single
 *         each attribute is one line */
void shown_object(struct qconf *q, const char *name, const char *text);
/* shown_blocks - an object for each part of TEXT: lines of an attribute, = and its value; the
 * attribute that stands first begins each of them, and NAME is where all of them are from */
void shown_blocks(struct qconf *q, const char *name, const char *text);
/* shown_table - an object for each line of TEXT; the first line has a # and the names of the
 * columns */
void shown_table(struct qconf *q, const char *text);
/* shown_member - a host or a group in a tree of groups, DEPTH steps below the one that was asked
 * for */
void shown_member(struct qconf *q, const char *name, unsigned depth);
/* shown_share - a node of the share tree, PATH=SHARES */
void shown_share(struct qconf *q, const char *path, uint32_t shares);
/* shown_is_single - are attributes to be one line each, however long? */
bool shown_is_single(const struct qconf *q);
/* shown_page - the stream of the page, for what stands between objects; NULL for JSON */
FILE *shown_page(struct qconf *q);

#endif
