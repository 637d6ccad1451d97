#ifndef CLIENTS_QMON_BROWSED_H
#define CLIENTS_QMON_BROWSED_H

#include "libs/gdi/message.h"

/* What the browser asks for, and how it is written. No window. */
struct answer;
struct dstr;

/* struct browsed_words - "queue all.q": a kind of objects, and the name or number of one; NULL: all
 * browsed_read - TEXT as such words; 0, or -1 with ans, which names the kinds there are */
struct browsed_words {
    enum gdi_target target;
    const char *name; /* borrowed from the text */
};
int browsed_read(const char *text, struct browsed_words *out, struct answer *ans);

/* browsed_is_empty - does an answer have no objects?
 * browsed_text - append all objects of an answer, a line for each field; BROWSED_BYTES at most, and
 * a line that says so
 * browsed_xml - the same as an XML document; 0, or -1 with ans */
enum { BROWSED_BYTES = 4 << 20 };
bool browsed_is_empty(const struct GA_Type *all);
void browsed_text(const struct GA_Type *all, struct dstr *out);
int browsed_xml(const struct GA_Type *all, struct dstr *out, struct answer *ans);

#endif
