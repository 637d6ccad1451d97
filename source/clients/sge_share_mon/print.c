/* How sge_share_mon prints its lines: the fields, one row each, and the options about them. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/command.h"
#include "clients/sge_share_mon/msg_share_mon.h"
#include "clients/sge_share_mon/share_mon.h"
#include "common/version.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

enum field_kind { NOW, TIME, TEXT, COUNT, NUMBER };
static const struct field {
    const char *name;
    enum field_kind kind;
    size_t at;
} fields[] = {
#define AT(member) offsetof(struct mon_node, member)
    { "curr_time", NOW, 0 },
    { "usage_time", TIME, AT(usage_s) },
    { "node_name", TEXT, AT(path) },
    { "user_name", TEXT, AT(user) },
    { "project_name", TEXT, AT(project) },
    { "shares", COUNT, AT(shares) },
    { "job_count", COUNT, AT(n_jobs) },
    { "level%", NUMBER, AT(level) },
    { "total%", NUMBER, AT(total) },
    { "long_target_share", NUMBER, AT(long_target) },
    { "short_target_share", NUMBER, AT(short_target) },
    { "actual_share", NUMBER, AT(actual) },
    { "usage", NUMBER, AT(usage) },
    { "cpu", NUMBER, AT(used[0]) },
    { "mem", NUMBER, AT(used[1]) },
    { "io", NUMBER, AT(used[2]) },
    { "ltcpu", NUMBER, AT(in_all[0]) },
    { "ltmem", NUMBER, AT(in_all[1]) },
    { "ltio", NUMBER, AT(in_all[2]) },
#undef AT
};

static const struct field *field_named(const char *name, size_t len)
{
    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        if (strlen(fields[i].name) == len && strncmp(fields[i].name, name, len) == 0)
            return &fields[i];
    return NULL;
}

/* field AT of those that are shown, which moves on; NULL at the end */
static const struct field *next_field(const struct mon_options *o, const char **at, size_t *i)
{
    if (o->fields == NULL)
        return *i < ARRAY_LEN(fields) ? &fields[(*i)++] : NULL;
    *at += strspn(*at, ",");
    size_t len = strcspn(*at, ",");
    const struct field *f = len > 0 ? field_named(*at, len) : NULL;
    *at += len;
    return f;
}

static void print_time(const struct mon_options *o, uint64_t at_s, FILE *out)
{
    struct dstr text = DSTR_INIT;
    if (o->has_texts_of_times && at_s != 0)
        uti_time_us_date(at_s, &text);
    else
        dstr_addf(&text, "%" PRIu64, at_s);
    fputs(dstr_get(&text), out);
    dstr_free(&text);
}

/* by -s: a width, a precision, and text around them */
static void print_string(const char *format, const char *text, FILE *out)
{
    const char *percent = strchr(format, '%');
    const char *at = percent + 1;
    bool is_left = *at == '-';
    unsigned width = 0, most = 0;
    at += is_left;
    for (; *at >= '0' && *at <= '9'; at++)
        width = width * 10 + (unsigned)(*at - '0');
    bool is_cut = *at == '.';
    for (at += is_cut; *at >= '0' && *at <= '9'; at++)
        most = most * 10 + (unsigned)(*at - '0');
    size_t len = strlen(text);
    len = is_cut && most < len ? most : len;
    int pad = width > len ? (int)(width - len) : 0;
    fwrite(format, 1, (size_t)(percent - format), out);
    fprintf(out, "%*s%.*s%*s", is_left ? 0 : pad, "", (int)len, text, is_left ? pad : 0, "");
    fputs(at + 1, out);
}

static void print_field(const struct mon_options *o, const struct field *f,
                        const struct mon_node *line, uint64_t now_s, FILE *out)
{
    const char *member = (const char *)line + f->at;
    struct dstr text = DSTR_INIT;
    switch (f->kind) {
    case NOW:
        print_time(o, now_s, out);
        break;
    case TIME:
        print_time(o, *(const uint64_t *)(const void *)member, out);
        break;
    case TEXT:
        print_string(o->strings, *(const char *const *)(const void *)member, out);
        break;
    case COUNT:
        fprintf(out, "%" PRIu32, *(const uint32_t *)(const void *)member);
        break;
    case NUMBER:
        dstr_add_decimal(&text, *(const double *)(const void *)member, 6);
        fputs(dstr_get(&text), out);
        break;
    }
    dstr_free(&text);
}

void mon_print_header(const struct mon_options *o, FILE *out)
{
    const char *at = o->fields;
    size_t i = 0;
    for (const struct field *f; (f = next_field(o, &at, &i)) != NULL;)
        fprintf(out, "%s%s", f->name, o->field_delimiter);
    fprintf(out, "%s%s", o->line_delimiter, o->record_delimiter);
}

static bool is_shown(const struct mon_options *o, const struct mon_node *line)
{
    if (o->has_leaves_alone && !line->is_leaf)
        return false;
    for (int i = 0; i < o->n_nodes; i++)
        if (strcmp(o->nodes[i], line->path) == 0)
            return true;
    return o->n_nodes == 0;
}

void mon_print(const struct mon_options *o, const struct mon_nodes *nodes, uint64_t now_s,
               FILE *out)
{
    for (uint32_t n = 0; n < nodes->n; n++) {
        const char *at = o->fields;
        size_t i = 0;
        if (!is_shown(o, &nodes->v[n]))
            continue;
        for (const struct field *f; (f = next_field(o, &at, &i)) != NULL;) {
            if (o->has_names)
                fprintf(out, "%s=", f->name);
            print_field(o, f, &nodes->v[n], now_s, out);
            fputs(o->field_delimiter, out);
        }
        fputs(o->line_delimiter, out);
    }
    fputs(o->record_delimiter, out);
}

/* ---- the command line ---- */

/* one %s, with a width and a precision of up to three digits if wanted, and no other % */
static bool is_string_format(const char *text)
{
    const char *at = strchr(text, '%');
    if (at == NULL || strchr(at + 1, '%') != NULL)
        return false;
    at += at[1] == '-' ? 2 : 1;
    size_t width = strspn(at, "0123456789");
    at += width;
    size_t most = *at == '.' ? strspn(at + 1, "0123456789") : 0;
    at += *at == '.' ? most + 1 : 0;
    return width <= 3 && most <= 3 && *at == 's';
}

static bool are_fields(const char *list)
{
    bool is_any = false;
    for (const char *at = list; *at != '\0';) {
        at += strspn(at, ",");
        size_t len = strcspn(at, ",");
        if (len > 0 && field_named(at, len) == NULL)
            return false;
        is_any = is_any || len > 0;
        at += len;
    }
    return is_any;
}

static int take_option(struct mon_options *o, int letter, const char *value, struct answer *ans)
{
    bool is_good = true;
    switch (letter) {
    case 'c':
        is_good = parse_u32(value, &o->count);
        break;
    case 'd':
        o->field_delimiter = value;
        break;
    case 'f':
        o->fields = value;
        is_good = are_fields(value);
        break;
    case 'h':
        o->has_header = true;
        break;
    case 'i':
        is_good = parse_u32(value, &o->interval_s) && o->interval_s > 0;
        break;
    case 'l':
        o->line_delimiter = value;
        break;
    case 'm':
        o->mode = value;
        is_good = strcmp(value, "w") == 0 || strcmp(value, "a") == 0;
        break;
    case 'n':
        o->has_names = true;
        break;
    case 'o':
        o->file = value;
        break;
    case 'r':
        o->record_delimiter = value;
        break;
    case 's':
        o->strings = value;
        is_good = is_string_format(value);
        break;
    case 't':
        o->has_texts_of_times = true;
        break;
    case 'x':
        o->has_leaves_alone = true;
        break;
    default: /* -u: usage is always decayed until now */
        break;
    }
    return is_good ? 0 : ans_fail(ans, STATUS_ESYNTAX, MSG_MON_ARGUMENT_CS, letter, value);
}

int mon_parse(int n, char *const *args, void *options, bool *shows_usage, struct answer *ans)
{
    struct mon_options *o = options;
    int at = 0;
    for (; at < n && args[at][0] == '-' && args[at][1] != '\0'; at++) {
        if (strcmp(args[at], "-help") == 0) {
            o->wants_help = true;
            return 0;
        }
        for (const char *letter = args[at] + 1; *letter != '\0'; letter++) {
            bool takes = strchr("cdfilmors", *letter) != NULL;
            *shows_usage = strchr("cdfhilmnorstux", *letter) == NULL;
            if (*shows_usage)
                return ans_fail(ans, STATUS_ESYNTAX, MSG_MON_OPTION_C, *letter);
            const char *value = !takes ? NULL : letter[1] != '\0' ? letter + 1 : args[at + 1];
            *shows_usage = takes && letter[1] == '\0' && at + 1 == n;
            if (*shows_usage)
                return ans_fail(ans, STATUS_ESYNTAX, MSG_MON_NEEDS_C, *letter);
            if (take_option(o, *letter, value, ans) != 0)
                return -1;
            if (takes) {
                at += letter[1] == '\0';
                break;
            }
        }
    }
    o->nodes = args + at;
    o->n_nodes = n - at;
    return 0;
}

void mon_usage(struct dstr *out)
{
    dstr_add(out, SGE_VERSION_LINE
             "\nusage: sge_share_mon [-cdfhilmnorstux] [node_names ...]\n"
             "   -c count          number of collections (default: no end)\n"
             "   -d delimiter      after each field (default: TAB)\n"
             "   -f field[,field]  fields to print (default: all)\n"
             "   -h                print the names of the fields first\n"
             "   -i interval       seconds between collections (default: 15)\n"
             "   -l delimiter      after each node (default: newline)\n"
             "   -m w|a            replace the output file, or append (default: w)\n"
             "   -n                print name=value\n"
             "   -o output_file    print to a file\n"
             "   -r delimiter      after each collection (default: newline)\n"
             "   -s string_format  format of names: %s with a width (default: %s)\n"
             "   -t                print times as text\n"
             "   -u                usage is decayed until now (as always)\n"
             "   -x                leaves only\n");
}
