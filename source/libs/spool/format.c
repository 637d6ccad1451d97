/* The file "format": which releases may run on a spool. Reading and writing it is all; what it
 * means for tables and keys is in spool.h. */
#include "libs/spool/format.h"

#include <stdlib.h>
#include <string.h>

#include "common/version.h"
#include "libs/spool/msg_spool.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/log.h"
#include "libs/uti/parse.h"

enum { FORMAT_BYTES_MOST = 256 };

/* LINE is "METHOD LAYOUT [OLDEST]", as METHOD writes it */
static bool parse_format(const char *line, const char *method, struct spool_layout *out)
{
    size_t len = strlen(method);
    if (strncmp(line, method, len) != 0 || line[len] != ' ')
        return false;
    const char *number = line + len + 1, *oldest = strchr(number, ' ');
    char *first = uti_strndup(number, oldest != NULL ? (size_t)(oldest - number) : strlen(number));
    bool is_good = parse_u32(first, &out->number);
    free(first);
    out->oldest = out->number;
    if (is_good && oldest != NULL)
        is_good = parse_u32(oldest + 1, &out->oldest) && out->oldest <= out->number;
    return is_good;
}

static int judge_newer(const char *dir, const struct spool_layout *theirs,
                       const struct spool_layout *own, bool keeps_newer, struct answer *ans)
{
    if (own->number < theirs->oldest)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_SPOOL_LAYOUT_FOREIGN_SUUS, dir, theirs->number,
                        own->number, SGE_VERSION);
    if (!keeps_newer)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_SPOOL_LAYOUT_NEWER_SUUS, dir, theirs->number,
                        own->number, SGE_VERSION);
    log_msg(LOG_LEVEL_WARNING, MSG_SPOOL_LAYOUT_KEPT_UUS, theirs->number, own->number, SGE_VERSION);
    return SPOOL_FORMAT_USE_AS_IS;
}

static int judge_layout(const char *dir, const struct spool_layout *theirs,
                        const struct spool_layout *own, bool keeps_newer, struct answer *ans)
{
    if (theirs->number > own->number)
        return judge_newer(dir, theirs, own, keeps_newer, ans);
    if (theirs->number < own->oldest)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_SPOOL_LAYOUT_OLDER_SUU, dir, theirs->number,
                        own->oldest);
    return theirs->number < own->number ? SPOOL_FORMAT_WRITE : SPOOL_FORMAT_USE_AS_IS;
}

int spool_format_check(const char *path, const char *dir, const char *method,
                       const struct spool_layout *own, bool keeps_newer, struct answer *ans)
{
    struct dstr line = DSTR_INIT;
    struct spool_layout theirs;
    int use = file_read(path, FORMAT_BYTES_MOST, &line, ans);
    if (line.len > 0 && line.s[line.len - 1] == '\n')
        line.s[--line.len] = '\0';
    if (use == 0 && parse_format(dstr_get(&line), method, &theirs))
        use = judge_layout(dir, &theirs, own, keeps_newer, ans);
    else if (use == 0)
        use = ans_fail(ans, STATUS_ESEMANTIC, MSG_SPOOL_FORMAT_SSS, dir, dstr_get(&line), method);
    dstr_free(&line);
    return use;
}

int spool_format_write(const char *path, const char *method, const struct spool_layout *layout,
                       struct answer *ans)
{
    struct dstr line = DSTR_INIT;
    dstr_addf(&line, "%s %u", method, layout->number);
    if (layout->oldest < layout->number)
        dstr_addf(&line, " %u", layout->oldest);
    dstr_addc(&line, '\n');
    int rc = file_replace(path, line.s, line.len, 0644, ans);
    dstr_free(&line);
    return rc;
}
