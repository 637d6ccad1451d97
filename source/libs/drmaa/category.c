/* Reads qtask files: a line is a name and the options that it stands for; `#` begins a comment
 * line. */
#include "libs/drmaa/category.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/gdi/cell.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

#define QTASK_CELL "qtask"
#define QTASK_USER ".qtask"
#define BLANKS     " \t"
enum { QTASK_BYTES_MOST = 1024 * 1024 };

static bool is_entry_of(const char *line, size_t len, const char *name, size_t *skip)
{
    size_t plus = len > 0 && line[0] == '+', name_len = strlen(name);
    bool is_it = len > plus + name_len && memcmp(line + plus, name, name_len) == 0 &&
                 strchr(BLANKS, line[plus + name_len]) != NULL;
    *skip = plus + name_len;
    return is_it;
}

char *category_parse(const char *text, const char *name, bool *is_fixed)
{
    char *found = NULL;
    for (const char *line = text; *line != '\0';) {
        size_t len = strcspn(line, "\n"), skip;
        if (*line != '#' && is_entry_of(line, len, name, &skip)) {
            free(found);
            found = uti_strndup(line + skip, len - skip);
            *is_fixed = *line == '+';
        }
        line += len + (line[len] == '\n');
    }
    return found;
}

/* 0 with *OUT the options of NAME in PATH, or NULL; -1 with ans. PATH is taken. */
static int find_in_file(char *path, const char *name, char **out, bool *is_fixed,
                        struct answer *ans)
{
    struct dstr text = DSTR_INIT;
    int rc = 0;
    if (access(path, F_OK) == 0)
        rc = file_read(path, QTASK_BYTES_MOST, &text, ans);
    if (rc == 0)
        *out = category_parse(dstr_get(&text), name, is_fixed);
    dstr_free(&text);
    free(path);
    return rc;
}

int category_find(const struct cell *cell, const char *home, const char *name,
                  struct job_category *out, struct answer *ans)
{
    char *of_cell = NULL, *of_user = NULL;
    bool is_fixed = false, ignored;
    if (name == NULL)
        return 0;
    int rc = find_in_file(cell_path(cell, QTASK_CELL), name, &of_cell, &is_fixed, ans);
    if (rc == 0 && !is_fixed)
        rc = find_in_file(path_join(home, QTASK_USER), name, &of_user, &ignored, ans);
    if (rc != 0) {
        free(of_cell);
        return rc;
    }
    out->options = of_user != NULL ? of_user : of_cell;
    free(of_user != NULL ? of_cell : NULL);
    return 0;
}
