/* Objects of administrators: from text to attributes, from attributes to a record.
 *
 * A settled object has its name as its first entry and then an entry for each row of the table,
 * in that order, each in the form that attr_value_parse keeps; only repeated attributes may have
 * none or several. New attributes are built aside and exchanged when nothing can fail any more.
 *
 * In files an object has a line for each attribute, of some kinds in braces, so that a file may
 * have several. */
#include "libs/config/object.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/config/attr_text.h"
#include "libs/config/attr_unknown.h"
#include "libs/config/msg_config.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

/* ---- entries ---- */

static void entry_add(struct TX_Type *tx, const char *attr, const char *value)
{
    struct VA_Type *va = cull_append(tx, TX_entries);
    cull_set(va, VA_variable, attr);
    cull_set(va, VA_value, value);
}

static struct VA_Type *entry_find(const struct TX_Type *tx, const char *attr)
{
    for (uint32_t i = 0; i < tx->TX_entries.n; i++) {
        struct VA_Type *va = &tx->TX_entries.v[i];
        if (va->VA_variable != NULL && strcmp(va->VA_variable, attr) == 0)
            return va;
    }
    return NULL;
}

const char *object_value(const struct TX_Type *tx, const char *attr)
{
    const struct VA_Type *va = entry_find(tx, attr);
    return va != NULL ? va->VA_value : NULL;
}

const struct object_attr *object_attr_find(const struct object_rules *rules, const char *name)
{
    for (unsigned i = 0; i < rules->attrs_n; i++)
        if (strcmp(rules->attrs[i].rule.name, name) == 0)
            return &rules->attrs[i];
    return NULL;
}

/* a row of the table, or the name */
static bool is_known(const struct object_rules *rules, const char *attr)
{
    return object_attr_find(rules, attr) != NULL || strcmp(attr, rules->name_attr) == 0;
}

/* ---- from attributes to a record ---- */

static void read_words(void *record, const struct cull_field *f, unsigned field, const char *value)
{
    struct dstr word = DSTR_INIT;
    if (attr_is_none(value))
        return;
    for (const char *at = value; attr_next_word(&at, ", \t", &word);) {
        struct ST_Type *st = cull_append_element(record, f->offset, field, sizeof(struct ST_Type));
        cull_set(st, ST_name, dstr_get(&word));
    }
    dstr_free(&word);
}

/* the value is right by its rule, so that a number is one */
static void read_field(const struct cull_type *type, void *record, unsigned field,
                       const char *value)
{
    const struct cull_field *f = &type->fields[field];
    uint64_t number = 0;
    double decimal = 0;
    if (f->kind == CULL_STRING)
        cull_set_string(record, f->offset, field, attr_is_none(value) ? NULL : value);
    else if (f->kind == CULL_BOOL)
        cull_set_bool(record, f->offset, field, value[0] == 't' || value[0] == 'T');
    else if (f->kind == CULL_LIST)
        read_words(record, f, field, value);
    else if (f->kind == CULL_DOUBLE && parse_double(value, &decimal))
        cull_set_double(record, f->offset, field, decimal);
    else if (f->kind == CULL_ULONG && parse_u64(value, &number))
        cull_set_u32(record, f->offset, field, (uint32_t)number);
    else if (f->kind == CULL_ULONG64 && parse_u64(value, &number))
        cull_set_u64(record, f->offset, field, number);
}

static int read_value(const struct object_rules *rules, const struct object_attr *attr,
                      void *record, const char *value, struct answer *ans)
{
    if (attr->read != NULL)
        return attr->read(record, value, ans);
    read_field(rules->type, record, attr->field, value);
    return 0;
}

/* every entry of the attribute, or its default if there is none */
static int read_attr(const struct object_rules *rules, const struct object_attr *attr,
                     const struct TX_Type *tx, void *record, struct answer *ans)
{
    int ret = 0;
    if (entry_find(tx, attr->rule.name) == NULL && !attr->is_repeated)
        return read_value(rules, attr, record, attr->rule.initial, ans);
    for (uint32_t i = 0; ret == 0 && i < tx->TX_entries.n; i++)
        if (strcmp(tx->TX_entries.v[i].VA_variable, attr->rule.name) == 0)
            ret = read_value(rules, attr, record, tx->TX_entries.v[i].VA_value, ans);
    return ret;
}

static void *record_new(const struct object_rules *rules, const char *name)
{
    void *record = cull_new(rules->type);
    cull_set_string(record, rules->type->fields[0].offset, 0, name);
    return record;
}

/* the record of a settled object, if it may be made and makes sense: new; NULL with ans */
static void *record_check(const struct object_rules *rules, const struct TX_Type *tx,
                          struct answer *ans)
{
    void *record = record_new(rules, tx->TX_name);
    int ret = 0;
    for (unsigned i = 0; ret == 0 && i < rules->attrs_n; i++)
        ret = read_attr(rules, &rules->attrs[i], tx, record, ans);
    if (ret == 0 && rules->own->check != NULL)
        ret = rules->own->check(record, ans);
    if (ret == 0)
        return record;
    cull_delete(rules->type, record);
    return NULL;
}

/* what is right of TX, which is wrong as a whole, and defaults for the rest */
static void *record_repair(const struct object_rules *rules, const struct TX_Type *tx)
{
    struct TX_Type right = { 0 };
    object_template(rules, tx->TX_name, &right);
    for (uint32_t i = 0; i < tx->TX_entries.n; i++) {
        const struct VA_Type *va = &tx->TX_entries.v[i];
        if (va->VA_variable != NULL && va->VA_value != NULL)
            (void)object_set(rules, &right, va->VA_variable, va->VA_value, NULL);
    }
    void *record = record_new(rules, tx->TX_name);
    for (unsigned i = 0; i < rules->attrs_n; i++)
        (void)read_attr(rules, &rules->attrs[i], &right, record, NULL);
    cull_clear(&cull_TX_Type, &right);
    return record;
}

void *object_record(const struct object_rules *rules, const struct TX_Type *tx)
{
    struct TX_Type copy = { 0 };
    cull_copy(&cull_TX_Type, &copy, tx);
    void *record = object_take(rules, &copy, NULL);
    cull_clear(&cull_TX_Type, &copy);
    return record != NULL ? record : record_repair(rules, tx);
}

/* ---- settling ---- */

static int check_name(const struct object_rules *rules, const char *name, struct answer *ans)
{
    if (name == NULL)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_ATTR_MISSING_S, rules->name_attr);
    if (!rules->name_is_valid(name))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_OBJECT_NAME_SS, rules->words.noun, name);
    return 0;
}

static int check_size(const struct object_attr *attr, const char *value, struct answer *ans)
{
    bool is_list = attr_list_separator(attr->rule.syntax) != 0;
    int n = 1;
    if (strlen(value) > OBJECT_VALUE_MOST)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_OBJECT_VALUE_LONG_SI, attr->rule.name,
                        (int)OBJECT_VALUE_MOST);
    for (const char *at = value; is_list && *(at += strcspn(at, ", \t")) != '\0'; at++)
        n++;
    if (n > OBJECT_LIST_MOST)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_OBJECT_LIST_SI, attr->rule.name,
                        (int)OBJECT_LIST_MOST);
    return 0;
}

/* do braces stand in pairs, so that they end no object of a file? */
static bool has_pairs(const char *value)
{
    int depth = 0;
    for (const char *c = value; *c != '\0' && depth >= 0; c++)
        depth += (*c == '{') - (*c == '}');
    return depth == 0;
}

/* an entry of TX: one of the kind's attributes, there once, with a value that is not too long */
static int check_entry(const struct object_rules *rules, const struct TX_Type *tx, uint32_t i,
                       struct answer *ans)
{
    const struct VA_Type *va = &tx->TX_entries.v[i];
    if (va->VA_variable == NULL || va->VA_value == NULL)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_OBJECT_ENTRY_S, rules->words.noun);
    if (rules->has_braces && !has_pairs(va->VA_value))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_OBJECT_PAIRS_S, va->VA_variable);
    const struct object_attr *attr = object_attr_find(rules, va->VA_variable);
    if (rules->own->is_closed && !is_known(rules, va->VA_variable))
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_ATTR_UNKNOWN_S, va->VA_variable);
    bool is_first = entry_find(tx, va->VA_variable) == va;
    if (!is_first && (attr == NULL || !attr->is_repeated))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_ATTR_TWICE_S, va->VA_variable);
    return attr != NULL ? check_size(attr, va->VA_value, ans) : 0;
}

static int settle_value(const struct object_attr *attr, const char *value, struct TX_Type *next,
                        struct answer *ans)
{
    struct dstr kept = DSTR_INIT;
    if (attr_value_parse(&attr->rule, value, &kept, ans) < 0)
        return -1;
    entry_add(next, attr->rule.name, dstr_get(&kept));
    dstr_free(&kept);
    return 0;
}

/* the attributes that no row has: after the others, in their order */
static int settle_unknown(const struct object_rules *rules, const struct TX_Type *tx,
                          struct TX_Type *next, struct answer *ans)
{
    struct VA_Type_list unknown = { 0 };
    int ret = 0;
    for (uint32_t i = 0; ret == 0 && i < tx->TX_entries.n; i++) {
        const struct VA_Type *va = &tx->TX_entries.v[i];
        if (!is_known(rules, va->VA_variable))
            ret = attr_unknown_add(&unknown, va->VA_variable, va->VA_value, ans);
    }
    for (uint32_t i = 0; ret == 0 && i < unknown.n; i++)
        entry_add(next, unknown.v[i].VA_variable, unknown.v[i].VA_value);
    cull_list_clear(&cull_VA_Type, &unknown);
    return ret;
}

static int settle_attr(const struct object_attr *attr, const struct TX_Type *tx,
                       struct TX_Type *next, struct answer *ans)
{
    int ret = 0;
    if (entry_find(tx, attr->rule.name) == NULL) {
        if (!attr->is_optional)
            return ans_fail(ans, STATUS_ESYNTAX, MSG_ATTR_MISSING_S, attr->rule.name);
        return attr->is_repeated ? 0 : settle_value(attr, attr->rule.initial, next, ans);
    }
    for (uint32_t i = 0; ret == 0 && i < tx->TX_entries.n; i++)
        if (strcmp(tx->TX_entries.v[i].VA_variable, attr->rule.name) == 0)
            ret = settle_value(attr, tx->TX_entries.v[i].VA_value, next, ans);
    return ret;
}

/* with RECORD, which may be NULL, the record counts, too: new */
static int settle_object(const struct object_rules *rules, struct TX_Type *tx, void **record,
                         struct answer *ans)
{
    struct TX_Type next = { 0 };
    int ret = 0;
    if (tx->TX_entries.n > OBJECT_ENTRIES_MOST)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_OBJECT_ENTRIES_SSI, rules->words.noun,
                        tx->TX_name != NULL ? tx->TX_name : "", (int)OBJECT_ENTRIES_MOST);
    for (uint32_t i = 0; ret == 0 && i < tx->TX_entries.n; i++)
        ret = check_entry(rules, tx, i, ans);
    if (ret == 0)
        ret = check_name(rules, tx->TX_name, ans);
    if (ret < 0)
        return -1;
    cull_set(&next, TX_kind, (uint32_t)rules->kind);
    cull_set(&next, TX_name, tx->TX_name);
    entry_add(&next, rules->name_attr, tx->TX_name);
    for (unsigned i = 0; ret == 0 && i < rules->attrs_n; i++)
        ret = settle_attr(&rules->attrs[i], tx, &next, ans);
    if (ret == 0)
        ret = settle_unknown(rules, tx, &next, ans);
    if (ret == 0 && record != NULL && (*record = record_check(rules, &next, ans)) == NULL)
        ret = -1;
    if (ret == 0) {
        cull_clear(&cull_TX_Type, tx);
        *tx = next;
    } else {
        cull_clear(&cull_TX_Type, &next);
    }
    return ret;
}

void *object_take(const struct object_rules *rules, struct TX_Type *tx, struct answer *ans)
{
    void *record = NULL;
    return settle_object(rules, tx, &record, ans) == 0 ? record : NULL;
}

int object_settle(const struct object_rules *rules, struct TX_Type *tx, struct answer *ans)
{
    void *record = object_take(rules, tx, ans);
    if (record == NULL)
        return -1;
    cull_delete(rules->type, record);
    return 0;
}

int object_set(const struct object_rules *rules, struct TX_Type *tx, const char *attr,
               const char *value, struct answer *ans)
{
    struct TX_Type next = { 0 };
    if (object_attr_find(rules, attr) == NULL)
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_ATTR_UNKNOWN_S, attr);
    cull_copy(&cull_TX_Type, &next, tx);
    struct VA_Type *va = entry_find(&next, attr);
    if (va != NULL)
        cull_set(va, VA_value, value);
    else
        entry_add(&next, attr, value);
    int ret = settle_object(rules, &next, NULL, ans);
    if (ret == 0)
        cull_copy(&cull_TX_Type, tx, &next);
    cull_clear(&cull_TX_Type, &next);
    return ret;
}

void object_template(const struct object_rules *rules, const char *name, struct TX_Type *tx)
{
    cull_set(tx, TX_kind, (uint32_t)rules->kind);
    cull_set(tx, TX_name, name);
    entry_add(tx, rules->name_attr, name);
    for (unsigned i = 0; i < rules->attrs_n; i++)
        entry_add(tx, rules->attrs[i].rule.name, rules->attrs[i].rule.initial);
}

/* ---- what it names ---- */

bool object_references(const struct object_rules *rules, const struct TX_Type *tx,
                       const void *record, reference_fn *fn, void *ctx)
{
    const struct VA_Type_list *l = &tx->TX_entries;
    for (uint32_t i = 0; i < l->n; i++)
        if (is_known(rules, l->v[i].VA_variable) &&
            !attr_references(l->v[i].VA_variable, l->v[i].VA_value, fn, ctx))
            return false;
    return rules->own->references == NULL || rules->own->references(record, fn, ctx);
}

/* ---- attributes without a row ---- */

static const char *name_at(const void *of, size_t i)
{
    const struct object_rules *rules = of;
    if (i < rules->attrs_n)
        return rules->attrs[i].rule.name;
    return i == rules->attrs_n ? rules->name_attr : NULL;
}

void object_warn_unknown(const struct object_rules *rules, const struct TX_Type *tx,
                         const struct TX_Type *before, struct answer *ans)
{
    attr_unknown_warn(&tx->TX_entries, before != NULL ? &before->TX_entries : NULL, name_at, rules,
                      ans);
}

/* ---- text ---- */

/* the form of most kinds: an attribute a line */
static void parse_lines(const struct object_rules *rules, const char *text, struct TX_Type *tx)
{
    struct attr_reader reader = ATTR_READER(text);
    struct dstr name = DSTR_INIT, value = DSTR_INIT;
    while (tx->TX_entries.n <= OBJECT_ENTRIES_MOST && attr_read(&reader, &name, &value)) {
        entry_add(tx, dstr_get(&name), dstr_get(&value));
        if (strcmp(dstr_get(&name), rules->name_attr) == 0)
            cull_set(tx, TX_name, dstr_get(&value));
    }
    dstr_free(&name);
    dstr_free(&value);
}

int object_parse(const struct object_rules *rules, const char *text, struct TX_Type *tx,
                 struct answer *ans)
{
    int ret = 0;
    if (rules->own->only != NULL)
        cull_set(tx, TX_name, rules->own->only);
    if (rules->own->parse != NULL)
        ret = rules->own->parse(text, tx, ans);
    else
        parse_lines(rules, text, tx);
    if (ret == 0)
        ret = settle_object(rules, tx, NULL, ans);
    if (ret < 0)
        cull_clear(&cull_TX_Type, tx);
    return ret;
}

/* ---- text form: printing ---- */

static void print_entry(const struct object_rules *rules, const struct VA_Type *va, bool is_single,
                        struct dstr *out)
{
    const char *name = va->VA_variable != NULL ? va->VA_variable : "";
    unsigned width = rules->column != 0 ? rules->column : (unsigned)strlen(name) + 1;
    if (rules->has_braces)
        dstr_add(out, "   ");
    attr_print(out, width, name, va->VA_value != NULL ? va->VA_value : "NONE",
               is_single || rules->has_braces);
}

void object_text(const struct object_rules *rules, const struct TX_Type *tx, bool is_single,
                 struct dstr *out)
{
    if (rules->own->print != NULL) {
        rules->own->print(tx, out);
        return;
    }
    if (rules->has_braces)
        dstr_add(out, "{\n");
    for (uint32_t i = 0; i < tx->TX_entries.n; i++)
        print_entry(rules, &tx->TX_entries.v[i], is_single, out);
    if (rules->has_braces)
        dstr_add(out, "}\n");
}

/* ---- text form: reading ---- */

/* bytes up to the brace that closes the one before FROM; braces within count in pairs; -1 if it
 * is not closed */
static long block_len(const char *from)
{
    int depth = 1;
    for (const char *at = from; *at != '\0'; at++) {
        depth += (*at == '{') - (*at == '}');
        if (depth == 0)
            return at - from;
    }
    return -1;
}

static int parse_one(const struct object_rules *rules, const char *text, size_t len,
                     struct TX_Type_list *list, struct answer *ans)
{
    char *block = uti_strndup(text, len);
    int ret = object_parse(rules, block, cull_push(list), ans);
    free(block);
    return ret;
}

static int parse_blocks(const struct object_rules *rules, const char *text,
                        struct TX_Type_list *list, struct answer *ans)
{
    static const char blanks[] = " \t\r\n";
    int ret = 0;
    for (const char *at = text + strspn(text, blanks); ret == 0 && *at != '\0';
         at += strspn(at, blanks)) {
        if (*at == '#') { /* a comment line */
            at += strcspn(at, "\n");
            continue;
        }
        long len = *at == '{' ? block_len(at + 1) : -1;
        if (len < 0)
            return ans_fail(ans, STATUS_ESYNTAX, MSG_OBJECT_BRACES_S, rules->words.noun);
        ret = parse_one(rules, at + 1, (size_t)len, list, ans);
        at += len + 2;
    }
    return ret;
}

int object_parse_all(const struct object_rules *rules, const char *text, struct TX_Type_list *list,
                     struct answer *ans)
{
    int ret = rules->has_braces ? parse_blocks(rules, text, list, ans)
                                : parse_one(rules, text, strlen(text), list, ans);
    if (ret < 0)
        cull_list_clear(&cull_TX_Type, list);
    return ret;
}
