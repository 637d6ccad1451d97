/* The document of the options that show. Objects have one text form, which files and editors have,
 * too; JSON takes its lines apart. */
#include "clients/qconf/output.h"

#include <stdlib.h>
#include <string.h>

#include "libs/doc/doc.h"

enum { TREE_INDENT = 3 };

static const struct doc_kind root_kind = { .name = "qconf" };
static const struct doc_kind shown_kind = { .json = "shown" };
static const struct doc_kind names_kind = { .json = "names" };
static const struct doc_kind objects_kind = { .json = "objects" };
static const struct doc_kind object_kind = { .json = "object" };
static const struct doc_kind attributes_kind = { .json = "attributes" };
static const struct doc_kind member_kind = { .json = "member", .end = "\n" };
static const struct doc_kind share_kind = { .json = "share", .end = "\n" };
static const struct doc_field option_field = { .name = "option", .only = DOC_JSON };
static const struct doc_field name_field = { .name = "name", .text = { .after = "\n" } };
static const struct doc_field object_name = { .name = "name", .only = DOC_JSON };
static const struct doc_field member_name = { .name = "name" };
static const struct doc_field member_depth = { .name = "depth", .only = DOC_JSON };
static const struct doc_field share_path = { .name = "path", .text = { .after = "=" } };
static const struct doc_field share_shares = { .name = "shares" };

int output_open(struct qconf *q, struct answer *ans)
{
    q->doc = doc_open(q->form, q->out, NULL, ans);
    if (q->doc == NULL)
        return -1;
    doc_begin(q->doc, &root_kind);
    doc_list(q->doc, &shown_kind);
    return 0;
}

int output_close(struct qconf *q, struct answer *ans)
{
    int result = q->doc != NULL ? doc_close(q->doc, ans) : 0;
    q->doc = NULL;
    return result;
}

static void begin_option(struct qconf *q, const char *option, const struct doc_kind *list)
{
    doc_begin(q->doc, &shown_kind);
    doc_field(q->doc, &option_field, doc_string(option));
    doc_list(q->doc, list);
}

void output_names(struct qconf *q, const char *option)
{
    begin_option(q, option, &names_kind);
}

void output_objects(struct qconf *q, const char *option)
{
    begin_option(q, option, &objects_kind);
}

void output_end(struct qconf *q)
{
    doc_end(q->doc);
    doc_end(q->doc);
}

void output_name(struct qconf *q, const char *name)
{
    doc_field(q->doc, &name_field, doc_string(name));
}

static void put_attribute(struct doc *d, const char *name, const char *value)
{
    const struct doc_field field = { .name = name };
    doc_field(d, &field, doc_string(value));
}

/* an attribute whose lines are being read: what stands there several times is one value, a line
 * each */
struct attribute {
    const char *name; /* NULL: none yet */
    struct dstr value;
};

static void put_read(struct doc *d, struct attribute *a)
{
    if (a->name != NULL)
        put_attribute(d, a->name, dstr_get(&a->value));
    dstr_clear(&a->value);
}

/* LINE is changed: blanks, a name, blanks, and all that follows. Braces stand alone. */
static void put_line(struct doc *d, struct attribute *a, char *line)
{
    line += strspn(line, " ");
    char *value = line + strcspn(line, " ");
    if (*value != '\0')
        *value++ = '\0';
    if (*line == '\0' || strchr("#{}", *line) != NULL)
        return;
    if (a->name != NULL && strcmp(a->name, line) == 0) {
        dstr_addc(&a->value, '\n');
    } else {
        put_read(d, a);
        a->name = line;
    }
    dstr_add(&a->value, value + strspn(value, " "));
}

static void put_attributes(struct doc *d, const char *text)
{
    char *copy = uti_strdup(text), *rest = copy;
    struct attribute a = { NULL, DSTR_INIT };
    doc_begin(d, &attributes_kind);
    for (char *line; (line = strsep(&rest, "\n")) != NULL;)
        put_line(d, &a, line);
    put_read(d, &a);
    doc_end(d);
    dstr_free(&a.value);
    free(copy);
}

void output_object(struct qconf *q, const char *name, const char *text)
{
    FILE *page = output_page(q);
    if (page != NULL) {
        (void)fputs(text, page);
        return;
    }
    doc_begin(q->doc, &object_kind);
    doc_field(q->doc, &object_name, doc_string(name));
    put_attributes(q->doc, text);
    doc_end(q->doc);
}

static void begin_block(struct qconf *q, const char *name)
{
    doc_begin(q->doc, &object_kind);
    doc_field(q->doc, &object_name, doc_string(name));
    doc_begin(q->doc, &attributes_kind);
}

static void end_block(struct qconf *q)
{
    doc_end(q->doc);
    doc_end(q->doc);
}

void output_blocks(struct qconf *q, const char *name, const char *text)
{
    size_t first_len = strcspn(text, "=\n") + 1;
    bool is_open = false;
    if (output_page(q) != NULL) {
        (void)fputs(text, output_page(q));
        return;
    }
    char *copy = uti_strdup(text), *rest = copy;
    for (char *line; (line = strsep(&rest, "\n")) != NULL && *line != '\0';) {
        bool is_first = strncmp(line, text, first_len) == 0;
        if (is_first && is_open)
            end_block(q);
        if (is_first)
            begin_block(q, name);
        is_open = true;
        char *value = line + strcspn(line, "=");
        if (*value != '\0')
            *value++ = '\0';
        put_attribute(q->doc, line, value);
    }
    if (is_open)
        end_block(q);
    free(copy);
}

static void split_words(const char *line, struct name_list *out)
{
    for (const char *at = line + strspn(line, " "); *at != '\0'; at += strspn(at, " ")) {
        size_t len = strcspn(at, " ");
        name_list_add(out, at, len);
        at += len;
    }
}

/* The words of LINE, which are what HEAD calls them; the first is the object's name. */
static void put_row(struct qconf *q, const struct name_list *head, const char *line)
{
    struct name_list words = { 0 };
    split_words(line, &words);
    if (words.n > 0) {
        begin_block(q, words.v[0]);
        for (uint32_t i = 1; i < words.n && i < head->n; i++)
            put_attribute(q->doc, head->v[i], words.v[i]);
        end_block(q);
    }
    name_list_free(&words);
}

void output_table(struct qconf *q, const char *text)
{
    struct name_list head = { 0 };
    if (output_page(q) != NULL) {
        (void)fputs(text, output_page(q));
        return;
    }
    char *copy = uti_strdup(text), *rest = copy;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        if (line[0] == '#' && head.n == 0)
            split_words(line + 1, &head);
        else if (line[0] != '#')
            put_row(q, &head, line);
    }
    free(copy);
    name_list_free(&head);
}

void output_member(struct qconf *q, const char *name, unsigned depth)
{
    doc_begin(q->doc, &member_kind);
    if (output_page(q) != NULL)
        (void)fprintf(output_page(q), "%*s", (int)(TREE_INDENT * depth), "");
    doc_field(q->doc, &member_name, doc_string(name));
    doc_field(q->doc, &member_depth, doc_number(depth));
    doc_end(q->doc);
}

void output_share(struct qconf *q, const char *path, uint32_t shares)
{
    doc_begin(q->doc, &share_kind);
    doc_field(q->doc, &share_path, doc_string(path));
    doc_field(q->doc, &share_shares, doc_number(shares));
    doc_end(q->doc);
}

bool output_is_single(const struct qconf *q)
{
    return q->is_single || q->form == DOC_JSON;
}

FILE *output_page(struct qconf *q)
{
    return doc_page(q->doc);
}
