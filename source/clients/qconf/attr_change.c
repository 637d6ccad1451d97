/* The value of one attribute, joined with what it is to become. The words of the command line
 * become settings (for all hosts, and of queues for a host or a host group), and these are joined
 * with what the object has. Nothing is changed before all of it has been read. */
#include "clients/qconf/attr_change.h"
#include "clients/qconf/qconf.h"

#include <stdlib.h>
#include <string.h>

#include "clients/qconf/msg_qconf.h"
#include "libs/config/attr_names.h"
#include "libs/config/cqueue.h"
#include "libs/uti/host_name.h"

static void settings_free(struct host_values *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        free(s->v[i].href);
        free(s->v[i].value);
    }
    free(s->v);
    *s = (struct host_values){ 0 };
}

/* hosts have several names; "/" and host groups have one */
static bool is_same_place(const char *a, const char *b)
{
    bool is_host = *a != '@' && *a != '/';
    return is_host ? host_name_equal(a, b) : strcmp(a, b) == 0;
}

static struct setting *settings_find(const struct host_values *s, const char *href)
{
    for (uint32_t i = 0; i < s->n; i++) {
        if (is_same_place(s->v[i].href, href))
            return &s->v[i];
    }
    return NULL;
}

static void settings_put(struct host_values *s, const char *href, const char *value)
{
    struct setting *old = settings_find(s, href);
    if (old != NULL) {
        free(old->value);
        old->value = uti_strdup(value);
        return;
    }
    s->v = uti_vec_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
    s->v[s->n++] = (struct setting){ uti_strdup(href), uti_strdup(value) };
}

static void settings_drop(struct host_values *s, struct setting *which)
{
    free(which->href);
    free(which->value);
    memmove(which, which + 1, (size_t)(&s->v[s->n] - (which + 1)) * sizeof *which);
    s->n--;
}

/* ---- an attribute of an object ---- */

/* the values of a queue's attribute for all hosts and for some; any other has one */
static void read_settings(struct attr_target *t)
{
    const struct cqueue_attr *row =
        (t->kind->traits & KIND_HOST_VALUES) != 0 ? cqueue_attr_find(t->attr) : NULL;
    if (row == NULL) {
        struct dstr text = DSTR_INIT;
        t->kind->attrs->value(t->record, t->attr, &text);
        settings_put(&t->now, "/", dstr_get(&text));
        dstr_free(&text);
        return;
    }
    const struct AT_Type_list *list = cqueue_settings(t->record, row);
    for (uint32_t i = 0; i < list->n; i++)
        settings_put(&t->now, list->v[i].AT_href,
                     list->v[i].AT_value != NULL ? list->v[i].AT_value : "");
}

static void settings_text(const struct host_values *s, struct dstr *out)
{
    const struct setting *all = settings_find(s, "/");
    if (all != NULL)
        dstr_add(out, all->value);
    for (uint32_t i = 0; i < s->n; i++) {
        if (strcmp(s->v[i].href, "/") != 0)
            dstr_addf(out, "%s[%s=%s]", out->len > 0 ? "," : "", s->v[i].href, s->v[i].value);
    }
}

static bool is_list(const struct attr_target *t)
{
    return attr_list_separator(t->syntax) != 0;
}

/* does VALUE begin with a bracket, where brackets are for hosts? */
static bool is_for_some(const struct attr_target *t, const char *value)
{
    return (t->kind->traits & KIND_HOST_VALUES) != 0 && value[0] == '[';
}

/* What the words say: VALUE for all hosts or for the host of queue@host, and values in brackets.
 * The object's own reader takes it apart: one grammar for files and words. */
static int read_words(const struct attr_target *t, const char *value, struct host_values *out,
                      struct answer *ans)
{
    struct dstr text = DSTR_INIT;
    void *copy = cull_new(kind_type(t->kind));
    const struct setting *all = settings_find(&t->now, "/");
    bool has_default = !is_for_some(t, value) && strcmp(t->host, "/") == 0;
    if (!has_default && all != NULL)
        dstr_addf(&text, "%s,", all->value);
    if (!is_for_some(t, value) && !has_default)
        dstr_addf(&text, "[%s=%s]", t->host, value);
    else
        dstr_add(&text, value);
    cull_copy(kind_type(t->kind), copy, t->record);
    int result = t->kind->attrs->set(t->kind, copy, t->attr, dstr_get(&text), ans);
    struct attr_target read = { .kind = t->kind, .record = copy, .attr = t->attr };
    if (result == 0)
        read_settings(&read);
    for (uint32_t i = 0; i < read.now.n; i++) {
        if (has_default || strcmp(read.now.v[i].href, "/") != 0)
            settings_put(out, read.now.v[i].href, read.now.v[i].value);
    }
    settings_free(&read.now);
    cull_delete(kind_type(t->kind), copy);
    dstr_free(&text);
    return result;
}

/* ---- elements of list attributes ---- */
static void split_items(const char *value, struct name_list *out)
{
    if (attr_is_none(value))
        return;
    struct dstr item = DSTR_INIT;
    for (const char *at = value; attr_next_element(&at, " ,", &item);)
        name_list_add(out, item.s, item.len);
    dstr_free(&item);
}

/* "name=value" elements are the same when their names are. */
static bool is_same_element(const struct attr_target *t, const char *a, const char *b)
{
    size_t len = strcspn(a, "=");
    if (t->syntax == ATTR_HOSTS)
        return is_same_place(a, b);
    return strcspn(b, "=") == len && strncmp(a, b, len) == 0;
}

static char **element_find(const struct attr_target *t, const struct name_list *list,
                           const char *element)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (is_same_element(t, element, list->v[i]))
            return &list->v[i];
    return NULL;
}

static void join_items(const struct attr_target *t, const struct name_list *list, const char *skip,
                       struct dstr *out)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->v[i] == skip)
            continue;
        if (out->len > 0)
            dstr_addc(out, attr_list_separator(t->syntax));
        dstr_add(out, list->v[i]);
    }
    if (out->len == 0)
        dstr_add(out, "NONE");
}

/* what messages call the object: a queue by its name, any other by its kind */
static const char *object_word(const struct attr_target *t)
{
    bool has_hosts = (t->kind->traits & KIND_HOST_VALUES) != 0;
    return has_hosts ? kind_name(t->kind, t->record) : object_kind_attr_word(t->kind->target);
}

static void say_not_there(struct attr_target *t, const char *what)
{
    t->lacks = true;
    dstr_addf(&t->said, MSG_ATTR_NOT_THERE_SSS "\n", what, t->attr, object_word(t));
}

static void elements_add(struct attr_target *t, struct name_list *have,
                         const struct name_list *more)
{
    for (uint32_t i = 0; i < more->n; i++) {
        if (element_find(t, have, more->v[i]) != NULL)
            dstr_addf(&t->said, MSG_ATTR_THERE_SSS "\n", more->v[i], t->attr, object_word(t));
        else
            name_list_add(have, more->v[i], strlen(more->v[i]));
    }
}

/* Elements of the same name get the new value, the others of MORE come to those that HAVE has. */
static void elements_modify(struct attr_target *t, struct name_list *have,
                            const struct name_list *more)
{
    if (have->n == 0)
        dstr_addf(&t->said, MSG_ATTR_EMPTY_SS "\n", t->attr, object_word(t));
    bool was_empty = have->n == 0;
    for (uint32_t i = 0; i < more->n; i++) {
        char **old = element_find(t, have, more->v[i]);
        if (old != NULL) {
            free(*old);
            *old = uti_strdup(more->v[i]);
            continue;
        }
        if (!was_empty)
            dstr_addf(&t->said, MSG_ATTR_NEW_SSS "\n", more->v[i], t->attr, object_word(t));
        name_list_add(have, more->v[i], strlen(more->v[i]));
    }
}

/* Takes MORE out of HAVE; the text that is left goes to OUT. */
static void elements_delete(struct attr_target *t, struct name_list *have,
                            const struct name_list *more, struct dstr *out)
{
    for (uint32_t i = 0; i < more->n; i++) {
        char *const *gone = element_find(t, have, more->v[i]);
        if (gone == NULL) {
            say_not_there(t, more->v[i]);
            continue;
        }
        dstr_clear(out);
        join_items(t, have, *gone, out);
        name_list_free(have);
        split_items(dstr_get(out), have);
    }
    dstr_clear(out);
    join_items(t, have, NULL, out);
}

static void change_elements(struct attr_target *t, enum attr_op op, const struct setting *word)
{
    struct name_list have = { 0 }, more = { 0 };
    struct dstr text = DSTR_INIT;
    const struct setting *old = settings_find(&t->now, word->href);
    if (old != NULL)
        split_items(old->value, &have);
    split_items(word->value, &more);
    if (op == OP_DELETE) {
        elements_delete(t, &have, &more, &text);
    } else {
        (op == OP_ADD ? elements_add : elements_modify)(t, &have, &more);
        join_items(t, &have, NULL, &text);
    }
    settings_put(&t->now, word->href, dstr_get(&text));
    name_list_free(&have);
    name_list_free(&more);
    dstr_free(&text);
}

/* ---- joining ---- */

/* Is it only elements that OP changes? NONE empties a list, and the words of qtype are one value
 * that is set as a whole. */
static bool changes_elements(const struct attr_target *t, enum attr_op op, const char *value)
{
    bool is_choice = t->syntax == ATTR_CHOICES;
    switch (op) {
    case OP_MODIFY:
        return is_list(t) && !is_choice && !attr_is_none(value);
    case OP_ADD:
    case OP_DELETE:
        return is_list(t);
    case OP_REPLACE:
        break;
    }
    return false;
}

static int apply_word(struct qconf *q, struct attr_target *t, enum attr_op op,
                      const struct setting *word)
{
    struct setting *old = settings_find(&t->now, word->href);
    if (changes_elements(t, op, word->value)) {
        change_elements(t, op, word);
        return 0;
    }
    if (op != OP_DELETE) {
        settings_put(&t->now, word->href, word->value);
        return 0;
    }
    if (strcmp(word->href, "/") == 0)
        return qconf_fail(q, MSG_ATTR_NO_LIST_S, t->attr);
    if (old != NULL)
        settings_drop(&t->now, old);
    else
        say_not_there(t, word->href);
    return 0;
}

static int apply_words(struct qconf *q, struct attr_target *t, enum attr_op op, const char *value)
{
    struct host_values words = { 0 };
    struct answer ans = ANSWER_INIT;
    int status = 0;
    /* what is taken out of a list may be given by its name alone, which is no whole value */
    if (op == OP_DELETE && is_list(t) && !is_for_some(t, value)) {
        settings_put(&words, t->host, value);
    } else if (read_words(t, value, &words, &ans) < 0) {
        (void)qconf_print_failure(q, &ans, "");
        settings_free(&words);
        return qconf_fail(q, MSG_ATTR_PARSE_S, value);
    }
    if (op == OP_REPLACE && settings_find(&words, "/") != NULL)
        settings_free(&t->now);
    for (uint32_t i = 0; i < words.n && status == 0; i++)
        status = apply_word(q, t, op, &words.v[i]);
    settings_free(&words);
    return status;
}

/* what the words came to goes into the record, which is not sent yet */
static int store_target(struct qconf *q, struct attr_target *t)
{
    struct answer ans = ANSWER_INIT;
    struct dstr text = DSTR_INIT;
    settings_text(&t->now, &text);
    int result = t->kind->attrs->set(t->kind, t->record, t->attr, dstr_get(&text), &ans);
    if (result < 0)
        result = qconf_print_failure(q, &ans, "");
    else if (t->syntax == ATTR_HOSTS)
        result = qconf_check_host_words(q, dstr_get(&text));
    dstr_free(&text);
    return result;
}

/* ATTR is the one that changes; false: its kind has none that is called so */
static bool choose_attr(struct attr_target *t, const char *attr)
{
    const struct attr_rule *rule = t->kind->attrs->rule(t->kind, attr);
    t->attr = attr;
    if (rule != NULL)
        t->syntax = rule->syntax;
    return rule != NULL;
}

int attr_change(struct qconf *q, struct attr_target *t, enum attr_op op, const char *value)
{
    if (!choose_attr(t, t->attr))
        return qconf_fail(q, MSG_ATTR_INVALID_SS, t->attr, value);
    read_settings(t);
    int status = apply_words(q, t, op, value);
    if (status == 0)
        status = store_target(q, t);
    settings_free(&t->now);
    return status;
}

bool attr_purge_own(struct attr_target *t, const char *attr)
{
    if (!choose_attr(t, attr))
        return false;
    read_settings(t);
    struct setting *own = settings_find(&t->now, t->host);
    bool is_found = own != NULL;
    if (is_found) {
        struct dstr text = DSTR_INIT;
        settings_drop(&t->now, own);
        settings_text(&t->now, &text);
        is_found = t->kind->attrs->set(t->kind, t->record, attr, dstr_get(&text), NULL) == 0;
        dstr_free(&text);
    }
    settings_free(&t->now);
    return is_found;
}
