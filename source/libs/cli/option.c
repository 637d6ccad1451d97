/* Look-ups in the option tables (option_uses.c). Source: submit(1), qdel(1), qmod(1). */
#include "libs/cli/option.h"

#include <string.h>

const struct option_row *option_find(const char *name, unsigned where)
{
    for (unsigned i = 0; i < option_rows_n; i++)
        if ((option_rows[i].where & where) == where && strcmp(option_rows[i].name, name) == 0)
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
    default:
        return "qmod";
    }
}

const char *option_speaker(unsigned program)
{
    return option_program_name(program == QHOLD || program == QRLS ? QALTER : program);
}
