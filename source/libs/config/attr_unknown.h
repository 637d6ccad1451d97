#ifndef CONFIG_ATTR_UNKNOWN_H
#define CONFIG_ATTR_UNKNOWN_H

#include "libs/sgeobj/rows.h"

/* Attributes that no table has. Files of other Grid Engines contain some: they are stored with the
 * object, printed after its own attributes, and have no effect. One mechanism for the objects of
 * all kinds whose files have a line for each attribute. Pure. */
struct answer;
struct dstr;

/* the most unknown attributes of one object, and bytes of the name of one */
enum { ATTR_UNKNOWN_MOST = 64, ATTR_UNKNOWN_NAME_MOST = 63 };

/* the I-th of some known names, from 0; NULL after the last */
typedef const char *attr_name_at_fn(const void *of, size_t i);

/* attr_unknown_is_name - is NAME the form of an attribute name: letters, digits and _, no digit
 * first? Other names are errors, never unknown attributes. */
bool attr_unknown_is_name(const char *name);
/* attr_unknown_parse - the value that is stored for unknown attribute NAME
 *
 *   count  unknown attributes that the object has already
 *   kept   the value is appended
 *
 * Returns 0, or -1 with ans: not a name, too many, a control character in the value. */
int attr_unknown_parse(const char *name, const char *value, uint32_t count, struct dstr *kept,
                       struct answer *ans);
/* attr_unknown_add - store NAME with VALUE in L; 0, or -1 with ans and L unchanged: also if L has
 * NAME already */
int attr_unknown_add(struct VA_Type_list *l, const char *name, const char *value,
                     struct answer *ans);
/* attr_unknown_check - is L, perhaps from a foreign sender, a list that attr_unknown_add could
 * have made of names that NAME_AT(OF, ..) does not have? 0, or -1 with ans */
int attr_unknown_check(const struct VA_Type_list *l, attr_name_at_fn *name_at, const void *of,
                       struct answer *ans);
/* attr_unknown_print - append a line for each, as attr_print does */
void attr_unknown_print(const struct VA_Type_list *l, unsigned width, bool is_single,
                        struct dstr *out);
/* attr_unknown_warn - a warning for each entry of L whose name NAME_AT(OF, ..) does not have, with
 * the nearest known name
 *
 *   before  the entries until now: those that have not changed are not named again; may be NULL
 *
 * The first eight are named. O(entries x known names). */
void attr_unknown_warn(const struct VA_Type_list *l, const struct VA_Type_list *before,
                       attr_name_at_fn *name_at, const void *of, struct answer *ans);

/* attr_nearest - the name of NAME_AT(OF, ..) that differs from the first LEN bytes of TEXT in the
 * fewest letters, case aside; NULL: none differs in a third of them or less */
const char *attr_nearest(const char *text, size_t len, attr_name_at_fn *name_at, const void *of);
/* attr_warn_near - "WHAT is not known", and NEAR, which may be NULL */
void attr_warn_near(struct answer *ans, const char *what, const char *near);

#endif
