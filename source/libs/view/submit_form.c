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

#define SPEAKER "qsub: "

/* ---- which fields there are ---- */

/* options that say how a command line is read, or what the command qsub itself does */
static bool is_of_program(const struct option_row *row)
{
    static const char *const names[] = { "-help", "-@",     "-clear",  "-hard",
                                         "-soft", "-terse", "-verify", "-sync" };
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

struct submit_form *submit_form_new(const struct submitter *by)
{
    struct submit_form *f = uti_calloc(1, sizeof *f);
    f->by = by;
    add_field(f, &(struct form_field){ .kind = FIELD_COMMAND });
    for (unsigned i = 0; i < option_rows_n; i++) {
        const struct option_row *row = &option_rows[i];
        if ((row->where & QSUB) == 0 || row->effect == OPTION_WAITS || row->help == NULL ||
            is_of_program(row))
            continue;
        add_field(f, &(struct form_field){ .row = row, .kind = kind_of(row) });
        if (may_be_soft(row))
            add_field(f, &(struct form_field){ .row = row, .kind = kind_of(row), .is_soft = true });
    }
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
    for (uint32_t i = 0; i < f->n; i++)
        field_forget(&f->v[i]);
}

void submit_form_free(struct submit_form *f)
{
    if (f == NULL)
        return;
    submit_form_clear(f);
    free(f->v);
    free(f);
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
    if (field->kind == FIELD_WORD)
        words_add(out, field->value, strlen(field->value), 0);
    if (field->kind == FIELD_WORDS || field->kind == FIELD_COMMAND)
        return words_of_text(field->value, strlen(field->value), MSG_FORM_VALUE, out, ans);
    return 0;
}

/* the words of an option, all of them, and what its parser makes of them: in TO, which is empty */
static int try_words(const struct words *w, struct job_command *to, struct answer *ans)
{
    struct option_source source = { .program = QSUB };
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

static char *why_wrong(const struct answer *ans)
{
    const char *why = ans_first_error(ans);
    size_t skip = strncmp(why, SPEAKER, strlen(SPEAKER)) == 0 ? strlen(SPEAKER) : 0;
    return uti_strdup(why + skip);
}

static bool field_check(const struct submit_form *f, struct form_field *field)
{
    struct answer ans = ANSWER_INIT;
    struct words w = WORDS_INIT;
    struct job_command unused;
    job_command_init(&unused, QSUB, f->by);
    bool is_good = field_words(field, &w, &ans) == 0 &&
                   (field->row == NULL || try_words(&w, &unused, &ans) == 0);
    job_command_free(&unused);
    free(field->wrong);
    field->wrong = is_good ? NULL : why_wrong(&ans);
    words_free(&w);
    ans_free(&ans);
    return is_good;
}

bool submit_form_set(struct submit_form *f, const struct form_field *field, const char *value)
{
    struct form_field *mine = &f->v[field - f->v];
    char *copy = value != NULL ? uti_strdup(value) : NULL;
    field_forget(mine);
    if (copy == NULL || (copy[0] == '\0' && mine->kind != FIELD_FLAG)) {
        free(copy);
        return true;
    }
    mine->value = copy;
    return field_check(f, mine);
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
