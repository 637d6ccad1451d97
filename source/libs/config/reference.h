#ifndef CONFIG_REFERENCE_H
#define CONFIG_REFERENCE_H

#include "common/basis.h"
#include "libs/sgeobj/object_kind.h"

/* Attributes whose values are names of other objects. An attribute means the same in every
 * object that has it, so that one table says it for queues, hosts, configurations and all other
 * kinds. Pure. */
struct attr_reference {
    const char *attr;
    enum object_kind kind; /* of the objects that it names */
    const char *noun;      /* what messages call them */
};
/* attr_reference_find - what the names in attribute ATTR stand for; NULL if it names no objects */
const struct attr_reference *attr_reference_find(const char *attr);

/* attr_value_next_name - the next name in VALUE: words with blanks or commas between them,
 * perhaps with =something each
 * Returns true with AT moved and NAME replaced, or false at the end; NONE has no names. Begin
 * with AT = VALUE. */
struct dstr;
bool attr_value_next_name(const char **at, struct dstr *name);
/* attr_value_has_name - is NAME among the names in VALUE? */
bool attr_value_has_name(const char *value, const char *name);

#endif
