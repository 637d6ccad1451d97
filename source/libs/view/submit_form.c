/* The form of a job that is to be. Owns the values of its fields.
 *
 * Invariant: a field whose value is there and whose `wrong` is not could stand on a command line of
 * qsub as it is. */
#include "libs/view/submit_form_priv.h"

#include <stdlib.h>
#include <string.h>

#include "libs/cli/job_command.h"
#include "libs/cli/option_uses.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/view/msg_view.h"

/* ---- which fields there are ---- */

/* options that say how a command line is read, or what the command qsub itself does */
static bool is_of_program(const struct option_row *row)
{
    static const char *const names[] = { "-help",  "-@",      "-clear", "-hard", "-soft",
                                         "-terse", "-verify", "-sync",  "-u" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strcmp(row->name, names[i]) == 0)
            return true;
    return false;
}

static bool may_be_soft(const struct option_row *row)
{
    return strcmp(row->name, "-l") == 0 || strcmp(row->name, "-q") == 0;
}

static enum field_kind kind_of(const struct option_row *row)
{
    if (row->argument[0] == '\0')
        return FIELD_FLAG;
    return strpbrk(row->argument, " [") != NULL ? FIELD_WORDS : FIELD_WORD;
}

static void add_field(struct submit_form *f, const struct form_field *field)
{
    f->v = uti_vec_grow(f->v, &f->cap, f->n + 1, sizeof *f->v);
    f->v[f->n++] = *field;
}

/* hidden rows of qalter that set something of the job are those of qsub with another parser */
static bool is_wanted(const struct option_row *row, unsigned program)
{
    bool is_shown = row->help != NULL || (program == QALTER && row->sets != OPTION_SETS_NOTHING);
    return (row->where & program) != 0 && row->effect != OPTION_WAITS && is_shown &&
           !is_of_program(row);
}

static void add_options(struct submit_form *f)
{
    for (unsigned i = 0; i < option_rows_n; i++) {
        const struct option_row *row = &option_rows[i];
        if (!is_wanted(row, f->program))
            continue;
        add_field(f, &(struct form_field){ .row = row, .kind = kind_of(row) });
        if (may_be_soft(row))
            add_field(f, &(struct form_field){ .row = row, .kind = kind_of(row), .is_soft = true });
    }
}

struct submit_form *submit_form_new(const struct submitter *by)
{
    struct submit_form *f = uti_calloc(1, sizeof *f);
    f->by = by;
    f->program = QSUB;
    add_field(f, &(struct form_field){ .kind = FIELD_COMMAND });
    add_options(f);
    return f;
}

struct submit_form *submit_form_new_change(const struct submitter *by)
{
    struct submit_form *f = uti_calloc(1, sizeof *f);
    f->by = by;
    f->program = QALTER;
    add_options(f);
    return f;
}

static void field_forget(struct form_field *field)
{
    free(field->value);
    free(field->wrong);
    field->value = field->wrong = NULL;
}

void submit_form_clear(struct submit_form *f)
{
    for (uint32_t i = 0; i < f->n; i++) {
        field_forget(&f->v[i]);
        free(f->v[i].was);
        f->v[i].was = NULL;
    }
}

void submit_form_free(struct submit_form *f)
{
    if (f == NULL)
        return;
    submit_form_clear(f);
    words_free(&f->jobs);
    free(f->v);
    free(f);
}

unsigned submit_form_program(const struct submit_form *f)
{
    return f->program;
}

uint32_t submit_form_count(const struct submit_form *f)
{
    return f->n;
}

const struct form_field *submit_form_at(const struct submit_form *f, uint32_t number)
{
    return number < f->n ? &f->v[number] : NULL;
}

const struct form_field *submit_form_find(const struct submit_form *f, const char *option,
                                          bool is_soft)
{
    for (uint32_t i = 0; i < f->n; i++)
        if (f->v[i].row != NULL && f->v[i].is_soft == is_soft &&
            strcmp(f->v[i].row->name, option) == 0)
            return &f->v[i];
    return NULL;
}

const char *field_name(const struct form_field *field, struct dstr *buffer)
{
    dstr_clear(buffer);
    dstr_addf(buffer, "%s%s", field->is_soft ? "-soft " : "",
              field->row != NULL ? field->row->name : "command");
    return dstr_get(buffer);
}

/* ---- what they say ---- */

int field_words(const struct form_field *field, struct words *out, struct answer *ans)
{
    if (field->row != NULL)
        words_add(out, field->row->name, strlen(field->row->name), 0);
    const char *value = field->value != NULL ? field->value : "";
    if (field->kind == FIELD_WORD)
        words_add(out, value, strlen(value), 0);
    if (field->kind == FIELD_WORDS || field->kind == FIELD_COMMAND)
        return words_of_text(value, strlen(value), MSG_FORM_VALUE, out, ans);
    return 0;
}

/* the words of an option, all of them, and what its parser makes of them: in TO, which is empty */
static int try_words(const struct words *w, struct job_command *to, struct answer *ans)
{
    struct option_source source = { .program = to->program };
    struct option_uses uses = OPTION_USES_INIT;
    long at = option_uses_scan(&uses, w, 0, &source, ans);
    int result = at < 0 ? -1 : 0;
    if (at >= 0 && (uint32_t)at < w->n)
        result = ans_fail(ans, STATUS_EUSAGE, MSG_FORM_TOO_MANY_S, w->v[at]);
    if (result == 0)
        result = option_uses_obey(&uses, to, ans);
    option_uses_free(&uses);
    return result;
}

static char *why_wrong(unsigned program, const struct answer *ans)
{
    const char *why = ans_first_error(ans), *speaker = option_speaker(program);
    size_t length = strlen(speaker);
    bool speaks = strncmp(why, speaker, length) == 0 && strncmp(why + length, ": ", 2) == 0;
    return uti_strdup(speaks ? why + length + 2 : why);
}

static bool field_check(const struct submit_form *f, struct form_field *field)
{
    struct answer ans = ANSWER_INIT;
    struct words w = WORDS_INIT;
    struct job_command unused;
    job_command_init(&unused, f->program, f->by);
    bool is_good = field_words(field, &w, &ans) == 0 &&
                   (field->row == NULL || try_words(&w, &unused, &ans) == 0);
    job_command_free(&unused);
    free(field->wrong);
    field->wrong = is_good ? NULL : why_wrong(f->program, &ans);
    words_free(&w);
    ans_free(&ans);
    return is_good;
}

/* nothing is said of FIELD any more: what the jobs have goes, if qalter has words for that */
static bool field_check_taken_back(struct form_field *field)
{
    if (field->was != NULL && field->kind != FIELD_WORD)
        field->wrong = uti_strdup(MSG_FORM_STAYS);
    return field->wrong == NULL;
}

bool submit_form_set(struct submit_form *f, const struct form_field *field, const char *value)
{
    struct form_field *mine = &f->v[field - f->v];
    char *copy = value != NULL ? uti_strdup(value) : NULL;
    field_forget(mine);
    if (copy == NULL || (copy[0] == '\0' && mine->kind != FIELD_FLAG)) {
        free(copy);
        return field_check_taken_back(mine);
    }
    mine->value = copy;
    return field_check(f, mine);
}

void submit_form_was(struct submit_form *f, const struct form_field *field, const char *value)
{
    struct form_field *mine = &f->v[field - f->v];
    free(mine->was);
    mine->was = NULL;
    (void)submit_form_set(f, field, value);
    mine->was = value != NULL ? uti_strdup(value) : NULL;
}

void submit_form_jobs(struct submit_form *f, const struct range_set *jobs)
{
    struct range run;
    struct dstr number = DSTR_INIT;
    words_free(&f->jobs);
    for (uint64_t at = 0; at <= UINT32_MAX && range_set_next_run(jobs, at, &run);
         at = (uint64_t)run.last + 1)
        for (uint64_t n = run.first; n <= run.last; n++) {
            dstr_clear(&number);
            dstr_addf(&number, "%u", (unsigned)n);
            words_add(&f->jobs, number.s, number.len, 0);
        }
    dstr_free(&number);
}

bool submit_form_is_changed(const struct form_field *field)
{
    if (field->value == NULL || field->was == NULL)
        return field->value != field->was;
    return strcmp(field->value, field->was) != 0;
}

const struct form_field *submit_form_wrong(const struct submit_form *f)
{
    for (uint32_t i = 0; i < f->n; i++)
        if (f->v[i].wrong != NULL)
            return &f->v[i];
    return NULL;
}

bool submit_form_array(const struct submit_form *f, struct ja_shape *out)
{
    const struct form_field *tasks = submit_form_find(f, "-t", false);
    struct words w = WORDS_INIT;
    struct job_command command;
    if (tasks->value == NULL || tasks->wrong != NULL)
        return false;
    job_command_init(&command, QSUB, f->by);
    bool is_array = field_words(tasks, &w, NULL) == 0 && try_words(&w, &command, NULL) == 0;
    if (is_array)
        *out = ja_shape_of(&command.job);
    job_command_free(&command);
    words_free(&w);
    return is_array;
}
