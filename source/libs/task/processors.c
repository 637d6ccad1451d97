/* Lists of processors. */
#include "libs/task/processors.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "libs/uti/parse.h"

/* the numbers of "4" or "0-3", of LEN bytes */
static bool read_range(const char *text, size_t len, uint32_t *first, uint32_t *last)
{
    char word[24];
    if (len >= sizeof word)
        return false;
    (void)snprintf(word, sizeof word, "%.*s", (int)len, text);
    char *dash = strchr(word, '-');
    if (dash != NULL)
        *dash++ = '\0';
    return parse_u32(word, first) && parse_u32(dash != NULL ? dash : word, last) &&
           *first <= *last && *last < PROCESSORS_MOST;
}

bool processors_from(struct processors *p, const char *text)
{
    uint32_t first, last;
    *p = (struct processors){ .text = text };
    if (text == NULL || strcasecmp(text, "UNDEFINED") == 0)
        return false; /* nearly always */
    for (const char *at = text; *at != '\0';) {
        size_t len = strcspn(at, ",");
        if (!read_range(at, len, &first, &last))
            return false;
        for (uint32_t i = first; i <= last; i++)
            p->bits[i / 64] |= 1ULL << (i % 64);
        at += len + (at[len] == ',');
    }
    return true;
}

bool processors_have(const struct processors *p, unsigned number)
{
    return number < PROCESSORS_MOST && (p->bits[number / 64] >> (number % 64) & 1) != 0;
}
