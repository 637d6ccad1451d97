/* The form as a command line, as a request file, and back. Owns no data. */
#include "libs/view/submit_form.h"

#include <stdlib.h>
#include <string.h>

#include "libs/cli/option.h"
#include "libs/cli/submit_files.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/view/msg_view.h"
#include "libs/view/submit_form_priv.h"

#define DIRECTIVE "#$"

/* ---- writing ---- */

/* those of the fields that are said and good, hard or soft ones, in their order */
static void add_fields(const struct submit_form *f, bool is_soft, struct words *out)
{
    bool has_said_so = false;
    for (uint32_t i = 0; i < f->n; i++) {
        const struct form_field *field = &f->v[i];
        if (field->row == NULL || !submit_form_is_changed(field) || field->is_soft != is_soft)
            continue;
        if (is_soft && !has_said_so)
            words_add(out, "-soft", strlen("-soft"), 0);
        has_said_so = true;
        (void)field_words(field, out, NULL);
    }
}

void submit_form_words(const struct submit_form *f, struct words *out)
{
    const char *program = option_program_name(f->program);
    words_add(out, program, strlen(program), 0);
    add_fields(f, false, out);
    add_fields(f, true, out);
    if (f->v[0].row == NULL && f->v[0].value != NULL)
        (void)field_words(&f->v[0], out, NULL);
    for (uint32_t i = 0; i < f->jobs.n; i++)
        words_add(out, f->jobs.v[i], strlen(f->jobs.v[i]), 0);
}

static bool is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=.,:/@%^";
    return word[0] != '\0' && word[strspn(word, plain)] == '\0';
}

static void add_for_shell(const char *word, struct dstr *out)
{
    if (is_plain(word)) {
        dstr_add(out, word);
        return;
    }
    dstr_addc(out, '\'');
    for (const char *at = word; *at != '\0'; at++)
        if (*at == '\'')
            dstr_add(out, "'\\''");
        else
            dstr_addc(out, *at);
    dstr_addc(out, '\'');
}

/* In request files a quote ends at the next one of its kind, and a word may have several: so what
 * has one kind stands in the other. */
static void add_for_file(const char *word, struct dstr *out)
{
    if (is_plain(word)) {
        dstr_add(out, word);
        return;
    }
    const char *at = word;
    do {
        char quote = *at == '"' ? '\'' : '"';
        size_t length = strcspn(at, quote == '"' ? "\"" : "'");
        dstr_addc(out, quote);
        dstr_addn(out, at, length);
        dstr_addc(out, quote);
        at += length;
    } while (*at != '\0');
}

static void add_words(const struct words *w, void (*add)(const char *word, struct dstr *out),
                      struct dstr *out)
{
    for (uint32_t i = 0; i < w->n; i++) {
        dstr_add(out, i > 0 ? " " : "");
        add(w->v[i], out);
    }
}

void submit_form_line(const struct submit_form *f, struct dstr *out)
{
    struct words w = WORDS_INIT;
    submit_form_words(f, &w);
    add_words(&w, add_for_shell, out);
    words_free(&w);
}

static void add_line(const struct form_field *field, struct dstr *out)
{
    struct words w = WORDS_INIT;
    if (field->is_soft)
        words_add(&w, "-soft", strlen("-soft"), 0);
    (void)field_words(field, &w, NULL);
    if (field->is_soft)
        words_add(&w, "-hard", strlen("-hard"), 0);
    add_words(&w, add_for_file, out);
    dstr_addc(out, '\n');
    words_free(&w);
}

void submit_form_text(const struct submit_form *f, struct dstr *out)
{
    for (uint32_t i = 0; i < f->n; i++)
        if (f->v[i].row != NULL && f->v[i].value != NULL && f->v[i].wrong == NULL)
            add_line(&f->v[i], out);
}

/* ---- refusals ---- */

/* where SAID names the option of FIELD; NULL: nowhere */
static const char *option_named(const char *said, const struct form_field *field)
{
    const char *name = field->row != NULL ? field->row->name : NULL;
    for (const char *at = said; name != NULL && (at = strstr(at, name)) != NULL; at++)
        if ((at == said || strchr(" (\"'", at[-1]) != NULL) &&
            strchr(" :\",')=\n", at[strlen(name)]) != NULL)
            return at;
    return NULL;
}

/* is PART of a value what a pair of quotes in SAID has between them? */
static bool quotes_part(const char *said, const char *part, size_t len)
{
    for (const char *at = said; (at = strchr(at, '"')) != NULL; at++)
        if (strncmp(at + 1, part, len) == 0 && at[1 + len] == '"')
            return true;
    return false;
}

/* the bytes of the longest part of FIELD's value that SAID quotes; 0: none */
static size_t quoted_length(const char *said, const struct form_field *field)
{
    static const char dividers[] = " ,=:@";
    const char *value = field->value != NULL ? field->value : "";
    size_t longest = quotes_part(said, value, strlen(value)) ? strlen(value) : 0;
    for (const char *at = value; *at != '\0'; at += strspn(at, dividers)) {
        size_t len = strcspn(at, dividers);
        if (len > longest && quotes_part(said, at, len))
            longest = len;
        at += len;
    }
    return longest;
}

/* the bytes of the longest noun of FIELD that SAID has; 0: none */
static size_t noun_length(const char *said, const struct form_field *field, unsigned program)
{
    const struct submit_place *place = submit_place_of(field, program);
    size_t longest = 0;
    for (const char *at = place != NULL ? place->words : NULL; at != NULL && *at != '\0';) {
        struct dstr noun = DSTR_INIT;
        size_t len = strcspn(at, "|");
        dstr_addn(&noun, at, len);
        if (len > longest && strcasestr(said, dstr_get(&noun)) != NULL)
            longest = len;
        dstr_free(&noun);
        at += len + (at[len] == '|');
    }
    return longest;
}

/* how well SAID fits FIELD: a noun and a quotation together most, then a noun alone */
static size_t blame_weight(const struct submit_form *f, const char *said,
                           const struct form_field *field)
{
    enum { NOUN = 10000 }; /* more than any part of a value counts */
    size_t quoted = quoted_length(said, field), noun = noun_length(said, field, f->program);
    return (quoted < NOUN ? quoted : NOUN - 1) + noun * NOUN;
}

static const struct form_field *first_named(const struct submit_form *f, const char *said)
{
    const struct form_field *first = NULL;
    const char *where = NULL;
    for (uint32_t i = 0; i < f->n; i++) {
        const char *at = submit_form_is_changed(&f->v[i]) ? option_named(said, &f->v[i]) : NULL;
        if (at != NULL && (where == NULL || at < where)) {
            where = at;
            first = &f->v[i];
        }
    }
    return first;
}

static const struct form_field *best_fit(const struct submit_form *f, const char *said)
{
    const struct form_field *best = NULL;
    size_t most = 0;
    for (uint32_t i = 0; i < f->n; i++) {
        size_t weight = submit_form_is_changed(&f->v[i]) ? blame_weight(f, said, &f->v[i]) : 0;
        if (weight > most) {
            most = weight;
            best = &f->v[i];
        }
    }
    return best;
}

static const struct form_field *only_changed(const struct submit_form *f)
{
    const struct form_field *only = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->n; i++)
        if (submit_form_is_changed(&f->v[i]) && n++ == 0)
            only = &f->v[i];
    return n == 1 ? only : NULL;
}

const struct form_field *submit_form_blamed(const struct submit_form *f, const char *said)
{
    const struct form_field *blamed = first_named(f, said);
    if (blamed == NULL)
        blamed = best_fit(f, said);
    return blamed != NULL || f->program == QSUB ? blamed : only_changed(f);
}

/* ---- reading ---- */

static bool is_list(const struct form_field *field)
{
    return field->kind == FIELD_WORD && strstr(field->row->argument, "list") != NULL;
}

/* VALUE becomes what USE says of FIELD, behind what earlier uses in the same source said */
static void take_value(const struct form_field *field, const struct option_use *use,
                       const char *earlier, struct dstr *value)
{
    if (earlier != NULL && is_list(field))
        dstr_addf(value, "%s,", earlier);
    for (unsigned i = 0; i < use->n_args; i++) {
        dstr_add(value, i > 0 ? " " : "");
        if (field->kind == FIELD_WORD)
            dstr_add(value, use->args[i]);
        else
            add_for_file(use->args[i], value);
    }
}

/* HAS_SPOKEN is a note for each field: whether this source has spoken of it */
static void take_use(struct submit_form *f, const struct option_use *use, bool is_soft,
                     bool *has_spoken)
{
    const struct form_field *field = submit_form_find(f, use->row->name, is_soft);
    if (field == NULL)
        field = submit_form_find(f, use->row->name, false);
    if (field == NULL)
        return;
    struct dstr value = DSTR_INIT;
    bool *spoken = &has_spoken[field - f->v];
    take_value(field, use, *spoken ? field->value : NULL, &value);
    *spoken = true;
    (void)submit_form_set(f, field, dstr_get(&value));
    dstr_free(&value);
}

static void take_uses(struct submit_form *f, const struct option_uses *uses)
{
    bool *has_spoken = uti_calloc(f->n, sizeof *has_spoken), is_soft = false;
    for (uint32_t i = 0; i < uses->n; i++) {
        const char *name = uses->v[i].row->name;
        if (strcmp(name, "-soft") == 0 || strcmp(name, "-hard") == 0)
            is_soft = name[1] == 's';
        else
            take_use(f, &uses->v[i], is_soft, has_spoken);
    }
    free(has_spoken);
}

static int take_words(struct submit_form *f, const struct words *w, const char *path,
                      struct answer *ans)
{
    struct option_source source = { QSUB, SCRIPT, 0, path, 0 };
    struct option_uses uses = OPTION_USES_INIT;
    int result = option_uses_scan_all(&uses, w, &source, ans);
    if (result == 0)
        take_uses(f, &uses);
    option_uses_free(&uses);
    return result;
}

int submit_form_load(struct submit_form *f, const char *path, struct answer *ans)
{
    struct words w = WORDS_INIT;
    int result = words_of_file(path, false, &w, ans);
    if (result == 0)
        result = take_words(f, &w, path, ans);
    words_free(&w);
    return result;
}

static void set_command(struct submit_form *f, const char *path)
{
    struct dstr word = DSTR_INIT;
    add_for_file(path, &word);
    (void)submit_form_set(f, &f->v[0], dstr_get(&word));
    dstr_free(&word);
}

static int take_directives(struct submit_form *f, const char *path, struct answer *ans)
{
    struct words w = WORDS_INIT;
    struct dstr text = DSTR_INIT;
    int result = script_read(path, &text, ans);
    if (result == 0)
        result = words_of_script(dstr_get(&text), text.len, DIRECTIVE, path, &w, ans);
    if (result == 0)
        result = take_words(f, &w, path, ans);
    dstr_free(&text);
    words_free(&w);
    return result;
}

int submit_form_take_script(struct submit_form *f, const char *path, struct answer *ans)
{
    int result = take_directives(f, path, ans);
    if (result == 0)
        set_command(f, path);
    return result;
}

bool submit_form_script(const struct submit_form *f, struct dstr *path)
{
    const struct form_field *is_binary = submit_form_find(f, "-b", false);
    struct words w = WORDS_INIT;
    bool is_there = f->v[0].row == NULL && f->v[0].value != NULL &&
                    (is_binary->value == NULL || is_binary->value[0] == 'n') &&
                    field_words(&f->v[0], &w, NULL) == 0 && w.n > 0;
    if (is_there)
        dstr_add(path, w.v[0]);
    words_free(&w);
    return is_there;
}

int submit_form_reload(struct submit_form *f, struct answer *ans)
{
    struct dstr path = DSTR_INIT;
    int result = submit_form_script(f, &path) ? take_directives(f, dstr_get(&path), ans)
                                              : ans_fail(ans, STATUS_ESEMANTIC, MSG_FORM_NO_SCRIPT);
    dstr_free(&path);
    return result;
}
