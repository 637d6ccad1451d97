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
    const char *between;   /* separators; NULL: blanks and commas */
};
/* attr_reference_find - what the names in attribute ATTR stand for; NULL if it names no objects */
const struct attr_reference *attr_reference_find(const char *attr);

/* An object that another one names. */
struct reference {
    const char *attr; /* in which it stands */
    enum object_kind kind;
    const char *name;
};
/* what is done with each; false ends the walk */
typedef bool reference_fn(void *ctx, const struct reference *to);
/* attr_references - FN for each object that VALUE of attribute ATTR names: words with blanks or
 * commas between them, perhaps with =something or *something each; NULL, NONE and numbers name
 * none
 * Returns whether FN always returned true. */
bool attr_references(const char *attr, const char *value, reference_fn *fn, void *ctx);

#endif
