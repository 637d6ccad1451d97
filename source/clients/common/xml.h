#ifndef CLIENTS_COMMON_XML_H
#define CLIENTS_COMMON_XML_H

#include <stdio.h>

#include "common/basis.h"

/* XML documents of the clients. libxml2 writes them (xmlTextWriter), in a shared object that is
 * loaded when a document is opened, so that a client which prints a plain table loads nothing but
 * libc. Text of any bytes gives a well-formed document: what XML cannot hold is replaced by '?'. */
struct answer;
struct xml;

/* xml_open - begin a document on OUT with the declaration line
 *   indent  blanks for each level; NULL: white space is the caller's (xml_space)
 * Returns new: xml_close; NULL with ans if the writer cannot be loaded. */
struct xml *xml_open(FILE *out, const char *indent, struct answer *ans);
/* xml_start - begin an element; xml_end ends it */
void xml_start(struct xml *x, const char *name);
/* xml_attribute - right after xml_start; QUOTE is ' or " */
void xml_attribute(struct xml *x, const char *name, const char *value, char quote);
/* xml_tag_blank - one more blank inside the start tag, where the documents users know have one */
void xml_tag_blank(struct xml *x);
/* xml_text, xml_space - text of the element, and white space around elements */
void xml_text(struct xml *x, const char *text);
void xml_space(struct xml *x, const char *white);
/* xml_end - an element without content keeps a start and an end tag, on lines of their own */
void xml_end(struct xml *x);
/* xml_close - ends what is open. Returns 0, or -1 with ans if the document could not be written; X
 * is gone. */
int xml_close(struct xml *x, struct answer *ans);
/* xml_drop - instead: what is open stays open */
void xml_drop(struct xml *x);

/* xml_element, xml_elementf - <name>value</name>; NULL is the empty text */
void xml_element(struct xml *x, const char *name, const char *value);
void xml_elementf(struct xml *x, const char *name, const char *format, ...) SGE_PRINTF(3, 4);

#endif
