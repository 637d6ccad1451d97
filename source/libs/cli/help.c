/* The -help text of a program, from the option tables: users and scripts know its lines. Source:
 * -help of each command. */
#include <string.h>

#include "common/version.h"
#include "libs/cli/option.h"
#include "libs/uti/dstr.h"

enum { INDENT = 3, SYNTAX_COLUMN = 24 };

/* what a program works on, behind its options */
struct operand {
    unsigned program;
    const char *usage, *line, *help;
    int help_column, syntax_column;
};
static const struct operand operands[] = {
    { QSUB, "", "[command [command_args]]", "", 44, SYNTAX_COLUMN },
    { QALTER, " job_task_list", "job_task_list", "jobids (and taskids) of jobs to be altered", 44,
      SYNTAX_COLUMN },
    { QRESUB, " job_id_list", "job_id_list", "", 44, SYNTAX_COLUMN },
    { QHOLD, " job_task_list", "job_task_list", "jobids (and taskids) of jobs to be altered", 44,
      SYNTAX_COLUMN },
    { QRLS, " job_task_list", "job_task_list", "jobids (and taskids) of jobs to be altered", 44,
      SYNTAX_COLUMN },
    { QDEL, " job_task_list", "job_task_list", "delete all jobs given in list", 44, SYNTAX_COLUMN },
    { QMOD, "", NULL, "", 27, 27 },
};

static void pad_to(struct dstr *out, size_t line_start, size_t column)
{
    do
        dstr_addc(out, ' ');
    while (out->len - line_start < column);
}

static void add_arguments(const char *argument, struct dstr *out)
{
    for (const char *at = argument; *at != '\0' && *at != '.';) {
        size_t len = strcspn(at, " ");
        const struct argument_row *a = argument_find(at, len);
        dstr_addc(out, ' ');
        if (a != NULL)
            dstr_add(out, a->shown == NULL ? a->name : a->shown);
        else
            dstr_addn(out, at, len);
        at += at[len] == ' ' ? len + 1 : len;
    }
}

/* the words of an option, each line of them in its column */
static void add_help(const char *help, size_t line_start, size_t column, struct dstr *out)
{
    for (const char *at = help;;) {
        size_t len = strcspn(at, "\n");
        pad_to(out, line_start, column);
        dstr_addn(out, at, len);
        dstr_addc(out, '\n');
        if (at[len] == '\0')
            return;
        at += len + 1;
        line_start = out->len;
    }
}

static void add_options(const struct operand *o, struct dstr *out)
{
    for (unsigned i = 0; i < option_rows_n; i++) {
        const struct option_row *row = &option_rows[i];
        if ((row->where & o->program) == 0 || row->help == NULL)
            continue;
        size_t start = out->len;
        dstr_addf(out, "%*s[%s", INDENT, "", row->name);
        add_arguments(row->argument, out);
        dstr_addc(out, ']');
        add_help(row->help, start, (size_t)o->help_column, out);
    }
}

static void add_operand(const struct operand *o, struct dstr *out)
{
    size_t start = out->len;
    if (o->line == NULL)
        return;
    dstr_addf(out, "%*s%s", INDENT, "", o->line);
    if (*o->help == '\0')
        dstr_addc(out, '\n');
    else
        add_help(o->help, start, (size_t)o->help_column, out);
}

static void add_syntaxes(const struct operand *o, struct dstr *out)
{
    dstr_addc(out, '\n');
    for (unsigned i = 0; i < argument_rows_n; i++) {
        const struct argument_row *a = &argument_rows[i];
        if ((a->where & o->program) == 0 || a->syntax == NULL)
            continue;
        size_t start = out->len;
        dstr_add(out, a->shown == NULL ? a->name : a->shown);
        add_help(a->syntax, start, (size_t)o->syntax_column, out);
    }
}

void option_help(unsigned program, struct dstr *out)
{
    const struct operand *o = operands;
    while (o->program != program)
        o++;
    dstr_addf(out, "%s\nusage: %s [options]%s\n", SGE_VERSION_LINE, option_program_name(program),
              o->usage);
    add_options(o, out);
    add_operand(o, out);
    add_syntaxes(o, out);
}
