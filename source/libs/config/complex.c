/* The complex: the table of resources, read and printed as `qconf -sc` and `-Mc` have it.
 *
 * Lists are kept sorted by name; names and shortcuts are unique among each other. The table that
 * every cluster starts with is written in the same form and read by the same reader. */
#include "libs/config/complex.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "libs/config/attr_names.h"
#include "libs/config/attr_syntax.h"
#include "libs/config/msg_config.h"
#include "libs/config/quantity.h"
#include "libs/uti/answer.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

enum { COMPLEX_COLUMNS = 8 };

/* clang-format off */
static const char *const initial_rows[] = {
    "arch a STRING == YES NO NONE 0",
    "calendar c STRING == YES NO NONE 0",
    "cpu cpu DOUBLE >= YES NO 0 0",
    "display_win_gui dwg BOOL == YES NO 0 0",
    "h_core h_core MEMORY <= YES NO 0 0",
    "h_cpu h_cpu TIME <= YES NO 0:0:0 0",
    "h_data h_data MEMORY <= YES NO 0 0",
    "h_fsize h_fsize MEMORY <= YES NO 0 0",
    "h_rss h_rss MEMORY <= YES NO 0 0",
    "h_rt h_rt TIME <= YES NO 0:0:0 0",
    "h_stack h_stack MEMORY <= YES NO 0 0",
    "h_vmem h_vmem MEMORY <= YES NO 0 0",
    "hostname h HOST == YES NO NONE 0",
    "load_avg la DOUBLE >= NO NO 0 0",
    "load_long ll DOUBLE >= NO NO 0 0",
    "load_medium lm DOUBLE >= NO NO 0 0",
    "load_short ls DOUBLE >= NO NO 0 0",
    "m_core core INT <= YES NO 0 0",
    "m_socket socket INT <= YES NO 0 0",
    "m_thread thread INT <= YES NO 0 0",
    "m_topology topo STRING == YES NO NONE 0",
    "m_topology_inuse utopo STRING == YES NO NONE 0",
    "mem_free mf MEMORY <= YES NO 0 0",
    "mem_total mt MEMORY <= YES NO 0 0",
    "mem_used mu MEMORY >= YES NO 0 0",
    "min_cpu_interval mci TIME <= NO NO 0:0:0 0",
    "np_load_avg nla DOUBLE >= NO NO 0 0",
    "np_load_long nll DOUBLE >= NO NO 0 0",
    "np_load_medium nlm DOUBLE >= NO NO 0 0",
    "np_load_short nls DOUBLE >= NO NO 0 0",
    "num_proc p INT == YES NO 0 0",
    "qname q STRING == YES NO NONE 0",
    "rerun re BOOL == NO NO 0 0",
    "s_core s_core MEMORY <= YES NO 0 0",
    "s_cpu s_cpu TIME <= YES NO 0:0:0 0",
    "s_data s_data MEMORY <= YES NO 0 0",
    "s_fsize s_fsize MEMORY <= YES NO 0 0",
    "s_rss s_rss MEMORY <= YES NO 0 0",
    "s_rt s_rt TIME <= YES NO 0:0:0 0",
    "s_stack s_stack MEMORY <= YES NO 0 0",
    "s_vmem s_vmem MEMORY <= YES NO 0 0",
    "seq_no seq INT == NO NO 0 0",
    "slots s INT <= YES YES 1 1000",
    "swap_free sf MEMORY <= YES NO 0 0",
    "swap_rate sr MEMORY >= YES NO 0 0",
    "swap_rsvd srsv MEMORY >= YES NO 0 0",
    "swap_total st MEMORY <= YES NO 0 0",
    "swap_used su MEMORY >= YES NO 0 0",
    "tmpdir tmp STRING == NO NO NONE 0",
    "virtual_free vf MEMORY <= YES NO 0 0",
    "virtual_total vt MEMORY <= YES NO 0 0",
    "virtual_used vu MEMORY >= YES NO 0 0",
};
/* clang-format on */

struct word {
    const char *text;
    unsigned value;
};
static const struct word type_words[] = {
    { "INT", COMPLEX_INT },       { "STRING", COMPLEX_STRING }, { "TIME", COMPLEX_TIME },
    { "MEMORY", COMPLEX_MEMORY }, { "BOOL", COMPLEX_BOOL },     { "CSTRING", COMPLEX_CSTRING },
    { "HOST", COMPLEX_HOST },     { "DOUBLE", COMPLEX_DOUBLE }, { "RESTRING", COMPLEX_RESTRING },
    { "RSMAP", COMPLEX_RSMAP },
};
static const struct word relop_words[] = {
    { "==", COMPLEX_EQ }, { ">=", COMPLEX_GE }, { ">", COMPLEX_GT },      { "<", COMPLEX_LT },
    { "<=", COMPLEX_LE }, { "!=", COMPLEX_NE }, { "EXCL", COMPLEX_EXCL },
};
static const struct word request_words[] = {
    { "NO", COMPLEX_REQUEST_NO },         { "YES", COMPLEX_REQUEST_YES },
    { "FORCED", COMPLEX_REQUEST_FORCED }, { "N", COMPLEX_REQUEST_NO },
    { "Y", COMPLEX_REQUEST_YES },         { "F", COMPLEX_REQUEST_FORCED },
};
static const struct word consumable_words[] = {
    { "NO", COMPLEX_CONSUMABLE_NO },   { "YES", COMPLEX_CONSUMABLE_YES },
    { "JOB", COMPLEX_CONSUMABLE_JOB }, { "HOST", COMPLEX_CONSUMABLE_HOST },
    { "N", COMPLEX_CONSUMABLE_NO },    { "Y", COMPLEX_CONSUMABLE_YES },
    { "J", COMPLEX_CONSUMABLE_JOB },   { "H", COMPLEX_CONSUMABLE_HOST },
};

static const struct word *word_find(const struct word *words, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++) {
        if (strcasecmp(words[i].text, text) == 0)
            return &words[i];
    }
    return NULL;
}
#define WORD_FIND(words, text) word_find(words, ARRAY_LEN(words), text)

static const char *word_text(const struct word *words, size_t n, unsigned value)
{
    for (size_t i = 0; i < n; i++) {
        if (words[i].value == value)
            return words[i].text;
    }
    return "?";
}
#define WORD_TEXT(words, value) word_text(words, ARRAY_LEN(words), value)

/* ---- values ---- */

static bool type_is_text(unsigned type)
{
    return type == COMPLEX_STRING || type == COMPLEX_CSTRING || type == COMPLEX_HOST ||
           type == COMPLEX_RESTRING;
}

static bool quantity_value(const char *value, bool is_time, double *out)
{
    uint64_t size;
    if (!(is_time ? quantity_time_parse(value, &size) : quantity_memory_parse(value, &size)))
        return false;
    *out = size == QUANTITY_INFINITY ? (double)UINT64_MAX : (double)size;
    return true;
}

static bool bool_value(const char *value, double *out)
{
    bool is_true = strcasecmp(value, "TRUE") == 0 || strcmp(value, "1") == 0;
    *out = is_true;
    return is_true || strcasecmp(value, "FALSE") == 0 || strcmp(value, "0") == 0;
}

static bool number_value(unsigned type, const char *value, double *out)
{
    int32_t whole;
    uint32_t pieces;
    switch ((enum complex_type)type) {
    case COMPLEX_INT: /* a multiplier is allowed: 2K */
        if (quantity_int_parse(value, &whole)) {
            *out = whole;
            return true;
        }
        return quantity_value(value, false, out);
    case COMPLEX_TIME:
        return quantity_value(value, true, out);
    case COMPLEX_MEMORY:
        return quantity_value(value, false, out);
    case COMPLEX_BOOL:
        return bool_value(value, out);
    case COMPLEX_DOUBLE:
        return quantity_double_parse(value, out) || quantity_value(value, false, out);
    case COMPLEX_RSMAP: /* how many; which ones is said by offers alone */
        if (!quantity_count_parse(value, &pieces))
            return false;
        *out = pieces;
        return true;
    case COMPLEX_STRING:
    case COMPLEX_CSTRING:
    case COMPLEX_HOST:
    case COMPLEX_RESTRING:
        break;
    }
    return false;
}

int complex_value_parse(const struct CE_Type *ce, const char *value, double *out,
                        struct answer *ans)
{
    double number = 0;
    if (!type_is_text(ce->CE_valtype) && !number_value(ce->CE_valtype, value, &number))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_COMPLEX_VALUE_SSS, ce->CE_name, value,
                        WORD_TEXT(type_words, ce->CE_valtype));
    *out = number;
    return 0;
}

/* ---- reading ---- */

/* devices are there to be taken, and what does not fit is not there */
static bool is_device_row(const struct CE_Type *ce)
{
    return ce->CE_consumable != COMPLEX_CONSUMABLE_NO && ce->CE_relop == COMPLEX_LE;
}

static int row_check(const struct CE_Type *ce, struct answer *ans)
{
    double number;
    bool is_number = !type_is_text(ce->CE_valtype) && ce->CE_valtype != COMPLEX_BOOL;
    bool is_ordered =
        ce->CE_relop != COMPLEX_EQ && ce->CE_relop != COMPLEX_NE && ce->CE_relop != COMPLEX_EXCL;
    if (!object_name_is_valid(ce->CE_name) || !object_name_is_valid(ce->CE_shortcut))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_COMPLEX_NAME_SS, ce->CE_name, ce->CE_shortcut);
    if (is_ordered && !is_number)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_COMPLEX_RELOP_SSS, ce->CE_name,
                        WORD_TEXT(relop_words, ce->CE_relop),
                        WORD_TEXT(type_words, ce->CE_valtype));
    if (ce->CE_relop == COMPLEX_EXCL &&
        (ce->CE_valtype != COMPLEX_BOOL || ce->CE_consumable == COMPLEX_CONSUMABLE_NO))
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_COMPLEX_EXCL_S, ce->CE_name);
    if (ce->CE_consumable != COMPLEX_CONSUMABLE_NO && !is_number && ce->CE_relop != COMPLEX_EXCL)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_COMPLEX_CONSUMABLE_SS, ce->CE_name,
                        WORD_TEXT(type_words, ce->CE_valtype));
    if (ce->CE_valtype == COMPLEX_RSMAP && !is_device_row(ce))
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_COMPLEX_RSMAP_S, ce->CE_name);
    if (!parse_double(ce->CE_urgency_weight, &number))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_COMPLEX_URGENCY_SS, ce->CE_name,
                        ce->CE_urgency_weight);
    if (ce->CE_valtype == COMPLEX_RSMAP && attr_is_none(ce->CE_default))
        return 0;
    return complex_value_parse(ce, ce->CE_default, &number, ans);
}

static int word_read(const struct word *words, size_t n, const char *text, unsigned *out)
{
    const struct word *word = word_find(words, n, text);
    if (word == NULL)
        return -1;
    *out = word->value;
    return 0;
}
#define WORD_READ(words, text, out) word_read(words, ARRAY_LEN(words), text, out)

int complex_read_type(void *ce, const char *value, struct answer *ans)
{
    unsigned type;
    if (WORD_READ(type_words, value, &type) < 0)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_COMPLEX_TYPE_S, value);
    cull_set((struct CE_Type *)ce, CE_valtype, type);
    return 0;
}

/* a column whose words mean numbers */
struct column {
    unsigned field;
    const struct word *words;
    size_t n;
};
#define COLUMN(field, words) (&(const struct column){ field, words, ARRAY_LEN(words) })

static int column_read(struct CE_Type *ce, const struct column *column, const char *value,
                       struct answer *ans)
{
    const struct cull_field *f = &cull_CE_Type.fields[column->field];
    unsigned number;
    if (word_read(column->words, column->n, value, &number) < 0)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_COMPLEX_WORD_SSS, ce->CE_name,
                        f->name + strlen("CE_"), value);
    cull_set_u32(ce, f->offset, column->field, number);
    return 0;
}

int complex_read_relop(void *ce, const char *value, struct answer *ans)
{
    return column_read(ce, COLUMN(CE_relop, relop_words), value, ans);
}

int complex_read_request(void *ce, const char *value, struct answer *ans)
{
    return column_read(ce, COLUMN(CE_requestable, request_words), value, ans);
}

int complex_read_consumable(void *ce, const char *value, struct answer *ans)
{
    return column_read(ce, COLUMN(CE_consumable, consumable_words), value, ans);
}

int complex_read_default(void *ce, const char *value, struct answer *ans SGE_UNUSED)
{
    cull_set((struct CE_Type *)ce, CE_default, value);
    return 0;
}

const char *complex_value(const struct CE_Type *ce, const char *attr)
{
    const struct {
        const char *attr, *value;
    } columns[] = {
        { "name", ce->CE_name },
        { "shortcut", ce->CE_shortcut },
        { "type", WORD_TEXT(type_words, ce->CE_valtype) },
        { "relop", WORD_TEXT(relop_words, ce->CE_relop) },
        { "requestable", WORD_TEXT(request_words, ce->CE_requestable) },
        { "consumable", WORD_TEXT(consumable_words, ce->CE_consumable) },
        { "default", ce->CE_default },
        { "urgency", ce->CE_urgency_weight },
    };
    for (size_t i = 0; i < ARRAY_LEN(columns); i++)
        if (strcmp(columns[i].attr, attr) == 0)
            return columns[i].value;
    return NULL;
}

/* FIELDS to CE (empty); cleared by the caller whatever comes of it */
static int complex_row(char *const fields[COMPLEX_COLUMNS], struct CE_Type *ce, struct answer *ans)
{
    cull_set(ce, CE_name, fields[0]);
    cull_set(ce, CE_shortcut, fields[1]);
    cull_set(ce, CE_default, fields[6]);
    cull_set(ce, CE_urgency_weight, fields[7]);
    if (complex_read_type(ce, fields[2], ans) < 0 || complex_read_relop(ce, fields[3], ans) < 0 ||
        complex_read_request(ce, fields[4], ans) < 0 ||
        complex_read_consumable(ce, fields[5], ans) < 0)
        return -1;
    return row_check(ce, ans);
}

/* insert in order of names, taking CE's members; refused if the name or the shortcut is there
 * already */
static int complex_insert(struct CE_Type_list *list, const struct CE_Type *ce, struct answer *ans)
{
    if (complex_find(list, ce->CE_name) != NULL || complex_find(list, ce->CE_shortcut) != NULL)
        return ans_fail(ans, STATUS_EEXIST, MSG_COMPLEX_TWICE_SS, ce->CE_name, ce->CE_shortcut);
    list->v = uti_vec_grow(list->v, &list->cap, list->n + 1, sizeof *list->v);
    uint32_t at = list->n++;
    for (; at > 0 && strcmp(list->v[at - 1].CE_name, ce->CE_name) > 0; at--)
        list->v[at] = list->v[at - 1];
    list->v[at] = *ce;
    return 0;
}

/* cut LINE at its blanks; the number of words, of which the first COMPLEX_COLUMNS are in FIELDS */
static unsigned line_split(char *line, char *fields[COMPLEX_COLUMNS])
{
    unsigned n = 0;
    for (char *at = line + strspn(line, " \t\r"); *at != '\0'; n++) {
        size_t len = strcspn(at, " \t\r");
        char *next = at + len + strspn(at + len, " \t\r");
        if (n < COMPLEX_COLUMNS)
            fields[n] = at;
        at[len] = '\0';
        at = next;
    }
    return n;
}

static int complex_line(struct CE_Type_list *list, char *line, struct answer *ans)
{
    char *fields[COMPLEX_COLUMNS] = { NULL };
    line[strcspn(line, "#")] = '\0';
    unsigned n = line_split(line, fields);
    if (n == 0)
        return 0;
    if (n != COMPLEX_COLUMNS)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_COMPLEX_COLUMNS_SUU, fields[0], n,
                        COMPLEX_COLUMNS);
    struct CE_Type ce = { 0 };
    int ret = complex_row(fields, &ce, ans);
    if (ret == 0)
        ret = complex_insert(list, &ce, ans);
    if (ret < 0)
        cull_clear(&cull_CE_Type, &ce);
    return ret;
}

int complex_parse(const char *text, struct CE_Type_list *list, struct answer *ans)
{
    int ret = 0;
    for (const char *at = text; ret == 0 && *at != '\0';) {
        size_t len = strcspn(at, "\n");
        char *line = uti_strndup(at, len);
        ret = complex_line(list, line, ans);
        free(line);
        at += len + (at[len] == '\n');
    }
    if (ret < 0)
        complex_list_clear(list);
    return ret;
}

/* what only a foreign sender can get wrong: strings left out, numbers that stand for no word */
static bool row_is_whole(const struct CE_Type *ce)
{
    return ce->CE_name != NULL && ce->CE_shortcut != NULL && ce->CE_default != NULL &&
           ce->CE_urgency_weight != NULL && WORD_TEXT(type_words, ce->CE_valtype)[0] != '?' &&
           WORD_TEXT(relop_words, ce->CE_relop)[0] != '?' &&
           WORD_TEXT(request_words, ce->CE_requestable)[0] != '?' &&
           WORD_TEXT(consumable_words, ce->CE_consumable)[0] != '?';
}

int complex_check_entry(const void *record, struct answer *ans)
{
    const struct CE_Type *ce = record;
    return row_is_whole(ce) ? row_check(ce, ans)
                            : ans_fail(ans, STATUS_ESYNTAX, MSG_COMPLEX_ROW_S, ce->CE_name);
}

int complex_check(const struct CE_Type_list *list, struct answer *ans)
{
    struct CE_Type_list seen = { list->v, 0, 0 }; /* a window on the rows that were checked */
    for (uint32_t i = 0; i < list->n; i++, seen.n++) {
        const struct CE_Type *ce = &list->v[i];
        if (!row_is_whole(ce))
            return ans_fail(ans, STATUS_ESYNTAX, MSG_COMPLEX_ROW_S,
                            ce->CE_name != NULL ? ce->CE_name : "");
        if (complex_find(&seen, ce->CE_name) != NULL ||
            complex_find(&seen, ce->CE_shortcut) != NULL)
            return ans_fail(ans, STATUS_EEXIST, MSG_COMPLEX_TWICE_SS, ce->CE_name, ce->CE_shortcut);
        if (row_check(ce, ans) < 0)
            return -1;
    }
    return 0;
}

void complex_template(struct CE_Type_list *list)
{
    for (size_t i = 0; i < ARRAY_LEN(initial_rows); i++) {
        char *line = uti_strdup(initial_rows[i]);
        int ret = complex_line(list, line, NULL);
        ASSERT(ret == 0);
        free(line);
    }
}

void complex_list_clear(struct CE_Type_list *list)
{
    cull_list_clear(&cull_CE_Type, list);
}

const struct CE_Type *complex_find(const struct CE_Type_list *list, const char *name)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const struct CE_Type *ce = &list->v[i];
        if (strcmp(ce->CE_name, name) == 0 || strcmp(ce->CE_shortcut, name) == 0)
            return ce;
    }
    return NULL;
}

static int name_compare(const void *left, const void *right)
{
    return strcmp(((const struct CE_Type *)left)->CE_name,
                  ((const struct CE_Type *)right)->CE_name);
}

void complex_sort(struct CE_Type_list *list)
{
    if (list->n > 1)
        qsort(list->v, list->n, sizeof *list->v, name_compare);
}

/* ---- printing ---- */

void complex_text(const struct CE_Type_list *list, struct dstr *out)
{
    dstr_addf(out, "%-19s %-10s %-9s %-5s %-11s %-10s %-8s %-8s\n", "#name", "shortcut", "type",
              "relop", "requestable", "consumable", "default", "urgency");
    dstr_add(out, "#-------------------------------------------------------------------------------"
                  "-------\n");
    for (uint32_t i = 0; i < list->n; i++) {
        const struct CE_Type *ce = &list->v[i];
        dstr_addf(out, "%-19s %-10s %-9s %-5s %-11s %-10s %-8s %s\n", ce->CE_name, ce->CE_shortcut,
                  WORD_TEXT(type_words, ce->CE_valtype), WORD_TEXT(relop_words, ce->CE_relop),
                  WORD_TEXT(request_words, ce->CE_requestable),
                  WORD_TEXT(consumable_words, ce->CE_consumable), ce->CE_default,
                  ce->CE_urgency_weight);
    }
    dstr_add(out, "# >#< starts a comment but comments are not saved across edits --------\n");
}
