/* The object that a form makes. Invariant: `object` has what is in the fields that are not wrong,
 * and in those that are what was in them before. */
#include "libs/view/object_form.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "libs/config/attr_text.h"
#include "libs/config/conf.h"
#include "libs/config/cqueue.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/host_name.h"
#include "libs/uti/parse.h"
#include "libs/view/msg_view.h"

struct object_form {
    const struct kind *kind;
    enum object_deed deed;
    void *began; /* as it was */
    void *object;
    struct object_field *v;
    uint32_t n, cap;
};

static void *copy_object(const struct kind *kind, const void *object)
{
    void *copy = cull_new(kind_type(kind));
    cull_copy(kind_type(kind), copy, object);
    return copy;
}

/* ---- fields ---- */

static void free_fields(struct object_form *f)
{
    for (uint32_t i = 0; i < f->n; i++) {
        free(f->v[i].name);
        free(f->v[i].value);
        free(f->v[i].was);
        free(f->v[i].wrong);
    }
    free(f->v);
    f->v = NULL;
    f->n = f->cap = 0;
}

static void add_field(struct object_form *f, const char *name, const char *value, bool is_name)
{
    f->v = uti_vec_grow(f->v, &f->cap, f->n + 1, sizeof *f->v);
    f->v[f->n++] =
        (struct object_field){ .name = uti_strdup(name),
                               .rule = is_name ? NULL : f->kind->attrs->rule(f->kind, name),
                               .value = uti_strdup(value),
                               .was = uti_strdup(value),
                               .is_name = is_name };
}

/* the lines of the text, but for that with the name of the object, which is the first field */
static void make_fields(struct object_form *f)
{
    struct dstr text = DSTR_INIT, name = DSTR_INIT, value = DSTR_INIT;
    const char *name_attr = kind_name_attr(f->kind);
    object_form_text(f, &text);
    if (kind_only(f->kind) == NULL)
        add_field(f, name_attr != NULL ? name_attr : MSG_FORM_NAME, kind_name(f->kind, f->object),
                  true);
    struct attr_reader reader = ATTR_READER(dstr_get(&text));
    while (attr_read(&reader, &name, &value))
        if (name_attr == NULL || strcmp(dstr_get(&name), name_attr) != 0)
            add_field(f, dstr_get(&name), dstr_get(&value), false);
    dstr_free(&text);
    dstr_free(&name);
    dstr_free(&value);
}

struct object_form *object_form_new(const struct kind *kind, const void *object,
                                    enum object_deed deed)
{
    struct object_form *f = uti_calloc(1, sizeof *f);
    f->kind = kind;
    f->deed = deed;
    f->began = copy_object(kind, object);
    f->object = copy_object(kind, object);
    if (kind_has_lines(kind))
        make_fields(f);
    return f;
}

void object_form_free(struct object_form *f)
{
    if (f == NULL)
        return;
    free_fields(f);
    cull_delete(kind_type(f->kind), f->began);
    cull_delete(kind_type(f->kind), f->object);
    free(f);
}

const struct kind *object_form_kind(const struct object_form *f)
{
    return f->kind;
}

enum object_deed object_form_deed(const struct object_form *f)
{
    return f->deed;
}

const void *object_form_object(const struct object_form *f)
{
    return f->object;
}

const char *object_form_name(const struct object_form *f)
{
    return kind_name(f->kind, f->object);
}

uint32_t object_form_count(const struct object_form *f)
{
    return f->n;
}

const struct object_field *object_form_at(const struct object_form *f, uint32_t number)
{
    return number < f->n ? &f->v[number] : NULL;
}

const struct object_field *object_form_find(const struct object_form *f, const char *name)
{
    for (uint32_t i = 0; i < f->n; i++)
        if (strcmp(f->v[i].name, name) == 0)
            return &f->v[i];
    return NULL;
}

/* ---- values ---- */

static int set_name(struct object_form *f, const char *name, struct answer *ans)
{
    if (name[0] == '\0')
        return ans_fail(ans, STATUS_ESYNTAX, MSG_FORM_NO_NAME);
    if (f->deed == OBJECT_CHANGE && strcmp(name, kind_name(f->kind, f->began)) != 0)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_FORM_RENAMED);
    kind_rename(f->kind, f->object, name);
    return 0;
}

static int set_value(struct object_form *f, const struct object_field *field, const char *value,
                     struct answer *ans)
{
    return field->is_name ? set_name(f, value, ans)
                          : f->kind->attrs->set(f->kind, f->object, field->name, value, ans);
}

bool object_form_set(struct object_form *f, const struct object_field *field, const char *value)
{
    struct object_field *changed = &f->v[field - f->v];
    struct answer ans = ANSWER_INIT;
    int result = set_value(f, field, value, &ans);
    free(changed->wrong);
    changed->wrong = result != 0 ? uti_strdup(ans_first_error(&ans)) : NULL;
    char *kept = uti_strdup(value);
    free(changed->value);
    changed->value = kept;
    ans_free(&ans);
    return result == 0;
}

const struct object_field *object_form_wrong(const struct object_form *f)
{
    for (uint32_t i = 0; i < f->n; i++)
        if (f->v[i].wrong != NULL)
            return &f->v[i];
    return NULL;
}

bool object_form_is_changed(const struct object_form *f)
{
    return !cull_equal(kind_type(f->kind), f->began, f->object);
}

/* ---- as text ---- */

void object_form_text(const struct object_form *f, struct dstr *out)
{
    f->kind->form->print(f->kind, f->object, true, true, out);
}

void object_form_put(struct object_form *f, const void *object)
{
    void *copy = copy_object(f->kind, object);
    cull_delete(kind_type(f->kind), f->object);
    f->object = copy;
    if (!kind_has_lines(f->kind))
        return;
    free_fields(f);
    make_fields(f);
}

/* the one object of OBJECTS takes the place of what was there */
static int take_only(struct object_form *f, const struct cull_list *objects, struct answer *ans)
{
    if (objects->n != 1)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_FORM_ONE_OBJECT_U, objects->n);
    const void *object = cull_list_at(kind_type(f->kind), objects, 0);
    if (f->deed == OBJECT_CHANGE &&
        strcmp(kind_name(f->kind, object), kind_name(f->kind, f->began)) != 0)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_FORM_RENAMED);
    object_form_put(f, object);
    return 0;
}

int object_form_take(struct object_form *f, const char *text, struct answer *ans)
{
    struct cull_list objects = { 0 };
    int result = f->kind->form->parse(f->kind, text, kind_name(f->kind, f->object), &objects, ans);
    if (result == 0)
        result = take_only(f, &objects, ans);
    cull_list_clear(kind_type(f->kind), &objects);
    return result;
}

/* ---- the request ---- */

void object_form_request(const struct object_form *f, struct GR_Type *out)
{
    bool is_new = f->deed == OBJECT_CREATE;
    cull_set(out, GR_verb, (uint32_t)(is_new ? GDI_ADD : GDI_MOD));
    cull_set(out, GR_target, (uint32_t)f->kind->target);
    kind_put(f->kind, out, f->kind->request, f->object);
    if (!is_new)
        kind_put(f->kind, out, f->kind->seen, f->began);
}

/* is WORD in TEXT, between what is no part of an attribute's name? */
static bool speaks_of(const char *text, const char *word)
{
    size_t len = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += len) {
        bool begins = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
        if (begins && !isalnum((unsigned char)at[len]) && at[len] != '_')
            return true;
    }
    return false;
}

const struct object_field *object_form_blame(const struct object_form *f, const char *text)
{
    for (uint32_t i = 0; i < f->n; i++)
        if (!f->v[i].is_name && speaks_of(text, f->v[i].name))
            return &f->v[i];
    return NULL;
}

/* ---- settings for hosts ---- */
/* Settings of single hosts. What they are stands in the object of the form; a change goes through
 * the form as a whole value, "default,[host=value]". */

static const struct AT_Type_list *settings_of(const struct object_form *f,
                                              const struct object_field *field)
{
    const struct cqueue_attr *attr = NULL;
    if (object_form_kind(f)->target == GDI_CQUEUE && !field->is_name)
        attr = cqueue_attr_find(field->name);
    return attr != NULL ? cqueue_settings(object_form_object(f), attr) : NULL;
}

uint32_t host_settings_count(const struct object_form *f, const struct object_field *field)
{
    const struct AT_Type_list *l = settings_of(f, field);
    return l != NULL ? l->n : 0;
}

const char *host_settings_place(const struct object_form *f, const struct object_field *field,
                                uint32_t row)
{
    return row == 0 ? HOST_SETTINGS_ELSE : settings_of(f, field)->v[row].AT_href;
}

const char *host_settings_value(const struct object_form *f, const struct object_field *field,
                                uint32_t row)
{
    return settings_of(f, field)->v[row].AT_value;
}

static void add_setting(const char *place, const char *value, struct dstr *out)
{
    if (strcmp(place, HOST_SETTINGS_ELSE) == 0)
        dstr_add(out, value);
    else
        dstr_addf(out, ",[%s=%s]", place, value);
}

bool host_settings_set(struct object_form *f, const struct object_field *field, const char *place,
                       const char *value)
{
    struct dstr text = DSTR_INIT;
    bool is_there = false;
    for (uint32_t row = 0; row < host_settings_count(f, field); row++) {
        const char *its = host_settings_place(f, field, row);
        bool is_meant = strcmp(its, place) == 0 || host_name_equal(its, place);
        is_there = is_there || is_meant;
        if (!is_meant)
            add_setting(its, host_settings_value(f, field, row), &text);
        else if (value != NULL || row == 0)
            add_setting(its, value != NULL ? value : host_settings_value(f, field, 0), &text);
    }
    if (!is_there && value != NULL)
        add_setting(place, value, &text);
    bool is_set = object_form_set(f, field, dstr_get(&text));
    dstr_free(&text);
    return is_set;
}

/* ---- weights as places on a slider ---- */

bool weight_scale_has(const struct attr_rule *rule)
{
    return rule != NULL && strncmp(rule->name, "weight_", strlen("weight_")) == 0 &&
           (rule->syntax == ATTR_DECIMAL || rule->syntax == ATTR_NUMBER);
}

static double number_of(const char *value)
{
    double number;
    return parse_double(value, &number) && number > 0 ? number : 0;
}

double weight_scale_range(const struct attr_rule *rule, const char *value)
{
    double range = rule->syntax == ATTR_NUMBER ? WEIGHT_SCALE_MOST : 1, number = number_of(value);
    while (range < number && range < CONF_WEIGHT_MOST)
        range *= 10;
    return range;
}

int weight_scale_place(const char *value, double range)
{
    double part = number_of(value) / range;
    return (int)((part > 1 ? 1 : part) * WEIGHT_SCALE_MOST + 0.5);
}

void weight_scale_value(const struct attr_rule *rule, int place, double range, struct dstr *out)
{
    double number = place * range / WEIGHT_SCALE_MOST;
    dstr_addf(out, rule->syntax == ATTR_NUMBER ? "%.0f" : "%.6f", number);
}
