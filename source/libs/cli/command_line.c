/* The command lines of qalter, qresub, qhold, qrls, qdel and qmod: options and the jobs they mean,
 * in any order, and their -help. qsub's own reading is in submit.c. Owns struct job_command.
 * Source: submit(1), qdel(1), qmod(1). */
#include <stdlib.h>
#include <string.h>

#include "common/version.h"
#include "libs/cli/job_command.h"
#include "libs/cli/msg_cli.h"
#include "libs/cli/option.h"
#include "libs/cli/selection.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* One operand at word AT, with the `-t range` that may follow it. Returns the words taken, or
 * -1. */
static long take_operand(struct job_command *c, const struct words *w, uint32_t at,
                         struct answer *ans)
{
    bool has_tasks = at + 2 < w->n && strcmp(w->v[at + 1], "-t") == 0;
    if (selection_add(&c->select, w->v[at], has_tasks ? w->v[at + 2] : NULL,
                      option_speaker(c->program), ans) < 0)
        return -1;
    return has_tasks ? 3 : 1;
}

/* qdel takes for a job's name what is not an option of its own */
static bool is_option(const struct job_command *c, const char *word)
{
    return *word == '-' && (c->program != QDEL || option_find(word, c->program) != NULL);
}

static int scan_line(struct job_command *c, const struct words *w, struct option_uses *uses,
                     struct answer *ans)
{
    struct option_source source = { .program = c->program };
    for (uint32_t at = 1; at < w->n;) {
        long took;
        if (is_option(c, w->v[at])) {
            long next = option_uses_scan_one(uses, w, at, &source, ans);
            took = next < 0 ? -1 : next - at;
        } else {
            took = c->program == QMOD ? ans_fail(ans, STATUS_EUSAGE, MSG_OPTION_BARE_S, w->v[at])
                                      : take_operand(c, w, at, ans);
        }
        if (took < 0)
            return -1;
        at += (uint32_t)took;
    }
    return 0;
}

/* qhold and qrls are qalter -h with a sign; without -h they speak of user holds */
static void complete_holds(struct job_command *c)
{
    if ((c->program == QHOLD || c->program == QRLS) && c->add_holds == 0)
        c->add_holds = MINUS_H_TGT_USER;
    if (c->program == QRLS) {
        c->remove_holds = c->add_holds;
        c->add_holds = 0;
    }
}

/* Alone such a word can only be a name. Beside jobs it is more likely a mistake, and what is
 * deleted does not come back. */
static int check_names(const struct job_command *c, struct answer *ans)
{
    for (uint32_t i = 0; i < c->select.n; i++) {
        const char *name = c->select.v[i].ID_str;
        if (*name != '-')
            continue;
        if (c->select.n > 1 || c->users.n > 0)
            return ans_fail(ans, STATUS_EUSAGE, MSG_OPTION_UNKNOWN_SS, option_speaker(c->program),
                            name);
        ans_add(ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_OPTION_AS_NAME_S, name);
    }
    return 0;
}

/* qdel -u narrows what the operands mean; to the others it is another way to say which jobs */
static int check_operands(const struct job_command *c, struct answer *ans)
{
    if (c->program == QDEL)
        return check_names(c, ans);
    if (c->users.n == 0 || c->select.n == 0)
        return 0;
    return ans_fail(ans, STATUS_EUSAGE, MSG_USERS_AND_JOBS_S, option_speaker(c->program));
}

int job_command_read(struct job_command *c, int argc, char *const *argv, struct answer *ans)
{
    struct words w = WORDS_INIT;
    struct option_uses uses = OPTION_USES_INIT;
    words_add_args(&w, argc, argv);
    int result = scan_line(c, &w, &uses, ans);
    if (result == 0)
        result = option_uses_obey(&uses, c, ans);
    if (result == 0)
        result = check_operands(c, ans);
    complete_holds(c);
    option_uses_free(&uses);
    words_free(&w);
    return result;
}

/* ---- -help ---- */
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
    { QRSH, "", "[command [command_args]]", "", 44, SYNTAX_COLUMN },
    { QLOGIN, "", NULL, "", 44, SYNTAX_COLUMN },
    { QRSUB, "", NULL, "", 44, SYNTAX_COLUMN },
    { QRDEL, " ar_id_list", NULL, "", 44, SYNTAX_COLUMN },
    { QSH, "", "[-- xterm_args]", "", 44, SYNTAX_COLUMN },
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
        if (!option_is_of(row, o->program) || row->help == NULL)
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
        unsigned program =
            (o->program & INTERACTIVE_PROGRAMS) != 0 ? o->program | QSUB : o->program;
        if ((a->where & program) == 0 || a->syntax == NULL)
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

/* ---- struct job_command ---- */
void job_command_init(struct job_command *c, unsigned program, const struct submitter *by)
{
    *c = (struct job_command){ .program = program, .by = by };
}

void job_command_free(struct job_command *c)
{
    cull_clear(&cull_JB_Type, &c->job);
    cull_list_clear(&cull_ID_Type, &c->select);
    for (uint32_t i = 0; i < c->n_actions; i++)
        cull_list_clear(&cull_ID_Type, &c->actions[i].select);
    cull_list_clear(&cull_ST_Type, &c->users);
    free(c->actions);
    job_command_init(c, c->program, c->by);
}
