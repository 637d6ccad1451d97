#ifndef CLIENTS_QCONF_OUTPUT_H
#define CLIENTS_QCONF_OUTPUT_H

#include "clients/qconf/qconf.h"

/* What the options that show write: a page of text, or one JSON document for the whole command
 * line. Each option is a record with a list of names or of objects. */

/* output_open - the document of a command line; 0, or -1 with ans
 * output_close - 0, or -1 with ans; also after a failure */
int output_open(struct qconf *q, struct answer *ans);
int output_close(struct qconf *q, struct answer *ans);

/* output_names, output_objects - begin what OPTION shows; output_end ends it */
void output_names(struct qconf *q, const char *option);
void output_objects(struct qconf *q, const char *option);
void output_end(struct qconf *q);

/* output_name - one of the names, on a line of its own */
void output_name(struct qconf *q, const char *name);
/* output_object - one of the objects
 *
 *   name  what -json calls it
 *   text  as the page has it: lines of an attribute, blanks and its value; with output_is_single
 *         each attribute is one line */
void output_object(struct qconf *q, const char *name, const char *text);
/* output_blocks - an object for each part of TEXT: lines of an attribute, = and its value; the
 * attribute that stands first begins each of them, and NAME is where all of them are from */
void output_blocks(struct qconf *q, const char *name, const char *text);
/* output_table - an object for each line of TEXT; the first line has a # and the names of the
 * columns */
void output_table(struct qconf *q, const char *text);
/* output_member - a host or a group in a tree of groups, DEPTH steps below the one that was asked
 * for */
void output_member(struct qconf *q, const char *name, unsigned depth);
/* output_share - a node of the share tree, PATH=SHARES */
void output_share(struct qconf *q, const char *path, uint32_t shares);
/* output_is_single - are attributes to be one line each, however long? */
bool output_is_single(const struct qconf *q);
/* output_page - the stream of the page, for what stands between objects; NULL for JSON */
FILE *output_page(struct qconf *q);

#endif
