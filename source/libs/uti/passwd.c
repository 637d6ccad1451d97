/* Lines of passwd(5): NAME:PASSWORD:UID:GID:GECOS:HOME:SHELL. No state. */
#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"
#include "libs/uti/name_service.h"
#include "libs/uti/parse.h"

enum { NAME, PASSWORD, UID, GID, GECOS, HOME, SHELL, FIELDS };

/* LINE becomes its fields; false if they are not as many as an entry has */
static bool split_line(char *line, char *fields[FIELDS])
{
    size_t n = 0;
    line[strcspn(line, "\n")] = '\0';
    for (char *field; n < FIELDS && (field = strsep(&line, ":")) != NULL;)
        fields[n++] = field;
    return n == FIELDS && line == NULL;
}

/* what begins with + or - stands for a service that is asked elsewhere */
static bool is_entry(char *fields[FIELDS])
{
    uint32_t uid;
    return strchr("+-#", fields[NAME][0]) == NULL && parse_u32(fields[UID], &uid);
}

/* whom an entry is looked for: NAME, or UID if there is none */
struct wanted {
    const char *name;
    uid_t uid;
};

static bool is_wanted(const struct wanted *who, char *fields[FIELDS])
{
    uint32_t uid;
    if (who->name != NULL)
        return strcmp(fields[NAME], who->name) == 0;
    return parse_u32(fields[UID], &uid) && uid == who->uid;
}

/* NAME may be NULL: it is not asked for */
static int find_entry(FILE *f, const struct wanted *who, char **name, char **home)
{
    char *line = NULL, *fields[FIELDS];
    size_t room = 0;
    int rc = -1;
    while (rc != 0 && getline(&line, &room, f) >= 0) {
        if (!split_line(line, fields) || !is_entry(fields) || !is_wanted(who, fields))
            continue;
        if (name != NULL)
            *name = uti_strdup(fields[NAME]);
        *home = uti_strdup(fields[HOME]);
        rc = 0;
    }
    free(line);
    return rc;
}

int passwd_find(FILE *f, uid_t uid, char **name, char **home)
{
    struct wanted who = { NULL, uid };
    return find_entry(f, &who, name, home);
}

int passwd_find_home(FILE *f, const char *name, char **home)
{
    struct wanted who = { name, 0 };
    return find_entry(f, &who, NULL, home);
}
