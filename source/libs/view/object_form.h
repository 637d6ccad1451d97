#ifndef VIEW_OBJECT_FORM_H
#define VIEW_OBJECT_FORM_H

#include "libs/config/attr_syntax.h"
#include "libs/kinds/kinds.h"

/* An object of the administrator as a form: a field for each attribute that it has, with its rule.
 * Whatever is put into a field is checked by that rule, and stays as the user wrote it. The same
 * object is there as text, for what has no fields (kind_has_lines) and for who likes that better.
 * No window, no network. */
struct dstr;
struct object_form;

struct object_field {
    char *name;
    const struct attr_rule *rule; /* NULL: the name of the object, or of no known rule */
    char *value;                  /* as the user wrote it */
    char *was;                    /* before the user wrote */
    char *wrong;                  /* what keeps the value from being taken; NULL: nothing */
    bool is_name;
};

/* what is to become of the object when the form is sent */
enum object_deed { OBJECT_CHANGE, OBJECT_CREATE };

/* object_form_new - OBJECT, borrowed, is what is there (OBJECT_CHANGE), or what a new one begins as
 * KIND is borrowed for life. New: object_form_free */
struct object_form *object_form_new(const struct kind *kind, const void *object,
                                    enum object_deed deed);
void object_form_free(struct object_form *f);

const struct kind *object_form_kind(const struct object_form *f);
enum object_deed object_form_deed(const struct object_form *f);
/* object_form_object - the object as the form has it; borrowed
 * object_form_name - what the object is called; borrowed until the name changes */
const void *object_form_object(const struct object_form *f);
const char *object_form_name(const struct object_form *f);
/* object_form_count - how many fields there are; 0 of a kind without
 * object_form_at - field NUMBER, borrowed until object_form_take; NULL behind the last
 * object_form_find - the one called NAME, NULL if there is none */
uint32_t object_form_count(const struct object_form *f);
const struct object_field *object_form_at(const struct object_form *f, uint32_t number);
const struct object_field *object_form_find(const struct object_form *f, const char *name);

/* object_form_set - FIELD has VALUE from now on
 * True if it can be so; else its `wrong` says why not. O(length) */
bool object_form_set(struct object_form *f, const struct object_field *field, const char *value);
/* object_form_wrong - the first field that cannot be so; NULL: none
 * object_form_is_changed - is it another object than what it began as? */
const struct object_field *object_form_wrong(const struct object_form *f);
bool object_form_is_changed(const struct object_form *f);

/* object_form_text - append the object as a file has it
 * object_form_take - it is what TEXT says from now on; 0, or -1 with ans and the form as it was */
void object_form_text(const struct object_form *f, struct dstr *out);
int object_form_take(struct object_form *f, const char *text, struct answer *ans);

/* object_form_put - it is OBJECT from now on, which is called the same; copied. A kind with fields
 * has them anew */
void object_form_put(struct object_form *f, const void *object);

/* object_form_request - what the qmaster is to be asked, into OUT, which is empty: it refuses if
 * another user has changed the object meanwhile */
void object_form_request(const struct object_form *f, struct GR_Type *out);
/* object_form_blame - the field that a refusal TEXT speaks of: the attribute is named in it.
 * NULL: none */
const struct object_field *object_form_blame(const struct object_form *f, const char *text);

/* The values that an attribute of a queue has on single hosts and host groups, as rows: the first
 * is the value everywhere else, called HOST_SETTINGS_ELSE. Pure. */
#define HOST_SETTINGS_ELSE "all others"

/* host_settings_count - how many rows FIELD of F has; 0: its kind has no such values
 * host_settings_place, host_settings_value - of a row; borrowed until the form changes */
uint32_t host_settings_count(const struct object_form *f, const struct object_field *field);
const char *host_settings_place(const struct object_form *f, const struct object_field *field,
                                uint32_t row);
const char *host_settings_value(const struct object_form *f, const struct object_field *field,
                                uint32_t row);

/* host_settings_set - the value on PLACE, a host, a @group or HOST_SETTINGS_ELSE; NULL: what all
 * others have
 * Returns as object_form_set does. O(settings) */
bool host_settings_set(struct object_form *f, const struct object_field *field, const char *place,
                       const char *value);

/* A weight of the scheduler as the place of a slider, from 0 to WEIGHT_SCALE_MOST. The range of the
 * slider grows with the weight, by tens, and begins with 0 to 1, or to 1000 for whole numbers.
 * Pure. */
enum { WEIGHT_SCALE_MOST = 1000 };

/* weight_scale_has - is an attribute with RULE (NULL: none) a weight? */
bool weight_scale_has(const struct attr_rule *rule);

/* weight_scale_range - how much the right end of the slider means while the weight is VALUE
 * weight_scale_place - where on that range VALUE is; 0 if it is no number
 * weight_scale_value - append the weight that PLACE means */
double weight_scale_range(const struct attr_rule *rule, const char *value);
int weight_scale_place(const char *value, double range);
void weight_scale_value(const struct attr_rule *rule, int place, double range, struct dstr *out);

#endif
