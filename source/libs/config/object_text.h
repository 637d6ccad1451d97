#ifndef CONFIG_OBJECT_TEXT_H
#define CONFIG_OBJECT_TEXT_H

#include "libs/config/object.h"

/* The file form of objects: what qconf prints, reads from files and gives to editors. Pure. */

/* object_text - append the form of `qconf -sp`; IS_SINGLE: no continuation lines */
void object_text(const struct object_rules *rules, const struct TX_Type *tx, bool is_single,
                 struct dstr *out);
/* object_parse_all - read all objects of TEXT into LIST (empty): of kinds in braces each `{
 * attributes }`, of others the one
 * Returns 0, or -1 with one line in ans and LIST empty. */
int object_parse_all(const struct object_rules *rules, const char *text, struct TX_Type_list *list,
                     struct answer *ans);

#endif
