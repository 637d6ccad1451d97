/* Fills in the schemas of `qstat -j` at build time: `schema rng|json <template >schema`. The lines
 * of a template between `@rows of JB_Type but FIELD ...` and `@end` say what differs from the rows
 * of a job; the other fields, as libs/show/job_detail_data.c shows them, come before these lines,
 * so that a new attribute is never forgotten. */
#include <stdlib.h>

#include "libs/show/job_detail.h"
#include "libs/uti/dstr.h"

#define ROWS "@rows of JB_Type but"
#define END  "@end"

/* a field of one of the kinds, as NAME; CHILD and TYPE are of the elements of a list */
typedef void (*field_fn)(const char *name, enum cull_kind kind, const char *child, int type_len,
                         const char *type);

static void write_rng(const char *name, enum cull_kind kind, const char *child, int type_len,
                      const char *type)
{
    static const char *const data[] = { [CULL_ULONG] = "<data type=\"unsignedInt\"/>",
                                        [CULL_ULONG64] = "<data type=\"unsignedLong\"/>",
                                        [CULL_DOUBLE] = "<data type=\"double\"/>",
                                        [CULL_BOOL] = "<data type=\"boolean\"/>",
                                        [CULL_STRING] = "<text/>" };
    printf("        <optional><element name=\"%s\">", name);
    if (kind == CULL_LIST || kind == CULL_RANGES)
        printf("<oneOrMore><element name=\"%s\"><ref name=\"%.*s\"/></element></oneOrMore>", child,
               type_len, type);
    else
        printf("%s", data[kind]);
    printf("</element></optional>\n");
}

static void write_json(const char *name, enum cull_kind kind, const char *child, int type_len,
                       const char *type)
{
    static const char *const types[] = { [CULL_ULONG] = "integer",
                                         [CULL_ULONG64] = "integer",
                                         [CULL_DOUBLE] = "number",
                                         [CULL_BOOL] = "boolean",
                                         [CULL_STRING] = "string" };
    (void)child;
    if (kind == CULL_LIST || kind == CULL_RANGES)
        printf("        \"%s\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/%.*s\"}},\n",
               name, type_len, type);
    else
        printf("        \"%s\": {\"type\": \"%s\"},\n", name, types[kind]);
}

/* does TEXT have NAME as a word, between blanks, quotes, ends of lines or of TEXT? */
static bool has_word(const char *text, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = text; (at = strstr(at, name)) != NULL; at += len)
        if ((at == text || strchr(" \"\n", at[-1]) != NULL) && strchr(" \"\n", at[len]) != NULL)
            return true;
    return false;
}

/* the fields that neither the line of the mark nor the lines after it name */
static void write_rows(field_fn write, const char *mark, const char *others)
{
    for (unsigned f = 0; f < JB_Type_FIELDS; f++) {
        const struct cull_field *field = &cull_JB_Type.fields[f];
        const char *type = field->kind == CULL_LIST ? field->element->name : "RN_Type";
        if ((field->flags & CULL_OWN) == 0 && !has_word(mark, field->name) &&
            !has_word(others, field->name))
            write(field->name, field->kind, job_detail_element_name(f), (int)strcspn(type, "_"),
                  type);
    }
}

/* LINES gets what stdin has before the line that begins with MARK, which FOUND gets; false: no line
 * does */
static bool read_until(const char *mark, struct dstr *lines, struct dstr *found)
{
    char *line = NULL;
    size_t room = 0;
    while (found->len == 0 && getline(&line, &room, stdin) > 0)
        dstr_add(strncmp(line, mark, strlen(mark)) == 0 ? found : lines, line);
    free(line);
    return found->len > 0;
}

int main(int argc, char **argv)
{
    field_fn write = argc == 2 && strcmp(argv[1], "rng") == 0 ? write_rng : write_json;
    struct dstr before = DSTR_INIT, rows = DSTR_INIT, others = DSTR_INIT, end = DSTR_INIT,
                after = DSTR_INIT, none = DSTR_INIT;
    bool is_template = read_until(ROWS, &before, &rows) && read_until(END, &others, &end) &&
                       !read_until(ROWS, &after, &none);
    printf("%s", dstr_get(&before));
    write_rows(write, dstr_get(&rows), dstr_get(&others));
    printf("%s%s", dstr_get(&others), dstr_get(&after));
    struct dstr *all[] = { &before, &rows, &others, &end, &after, &none };
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        dstr_free(all[i]);
    return fflush(stdout) == 0 && is_template ? 0 : 1;
}
