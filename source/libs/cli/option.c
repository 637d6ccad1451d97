/* Look-ups in the option tables (option_uses.c). Source: submit(1), qdel(1), qmod(1). */
#include "libs/cli/option.h"

#include <string.h>

/* what of qsub's an interactive job has no use for: it has one task, a client instead of files, and
 * neither waits for a time nor runs again */
static bool is_of_batch(const char *name, unsigned program)
{
    static const char *const names[] = { "-a",     "-c",    "-ckpt", "-C",     "-dl",
                                         "-i",     "-r",    "-S",    "-t",     "-tc",
                                         "-shell", "-sync", "-u",    "-terse", "-jsv" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return program != QRSH && strcmp(name, "-b") == 0;
}

bool option_is_of(const struct option_row *row, unsigned where)
{
    unsigned program = where & INTERACTIVE_PROGRAMS;
    if ((row->where & where) == where)
        return true;
    unsigned as_qsub = (where & ~(unsigned)INTERACTIVE_PROGRAMS) | QSUB;
    return program != 0 && (row->where & as_qsub) == as_qsub && !is_of_batch(row->name, program);
}

const struct option_row *option_find(const char *name, unsigned where)
{
    for (unsigned i = 0; i < option_rows_n; i++)
        if (option_is_of(&option_rows[i], where) && strcmp(option_rows[i].name, name) == 0)
            return &option_rows[i];
    return NULL;
}

/* is WORD one of the alternatives of "[a|b|c]"? */
static bool is_alternative(const char *brackets, size_t len, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = brackets + 1, *end = brackets + len - 1; at < end;) {
        size_t step = strcspn(at, "|]");
        if (step == n && memcmp(at, word, n) == 0)
            return true;
        at += step + 1;
    }
    return false;
}

int option_words(const struct option_row *row, char *const *words, unsigned left)
{
    unsigned taken = 0;
    for (const char *at = row->argument; *at != '\0';) {
        size_t len = strcspn(at, " ");
        if (strcmp(at + len, " ...") == 0) {
            while (taken < left && words[taken][0] != '-')
                taken++;
            return (int)taken;
        }
        if (*at == '[') {
            taken += taken < left && is_alternative(at, len, words[taken]);
        } else if (taken++ == left) {
            return -1;
        }
        at += at[len] == ' ' ? len + 1 : len;
    }
    return (int)taken;
}

const struct argument_row *argument_find(const char *name, size_t len)
{
    for (unsigned i = 0; i < argument_rows_n; i++)
        if (strncmp(argument_rows[i].name, name, len) == 0 && argument_rows[i].name[len] == '\0')
            return &argument_rows[i];
    return NULL;
}

const char *option_program_name(unsigned program)
{
    switch (program) {
    case QSUB:
        return "qsub";
    case QALTER:
        return "qalter";
    case QRESUB:
        return "qresub";
    case QHOLD:
        return "qhold";
    case QRLS:
        return "qrls";
    case QDEL:
        return "qdel";
    case QRSH:
        return "qrsh";
    case QLOGIN:
        return "qlogin";
    case QSH:
        return "qsh";
    case QRSUB:
        return "qrsub";
    case QRDEL:
        return "qrdel";
    default:
        return "qmod";
    }
}

const char *option_speaker(unsigned program)
{
    if ((program & (INTERACTIVE_PROGRAMS | QRDEL)) != 0)
        return "error";
    return option_program_name(program == QHOLD || program == QRLS ? QALTER : program);
}
