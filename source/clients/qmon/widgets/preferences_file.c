/* The file of preferences. It is read when something is asked for, and written as a whole: a reader
 * or a crash sees the old or the new one. */
#include "clients/qmon/widgets/preferences_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clients/qmon/widgets/msg_qmon.h"
#include "libs/cli/submitter.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/view/preferences.h"

#define PREFERENCES_FILE ".qmon_preferences"
enum { PREFERENCES_MODE = 0600 };

int regular_read(const char *path, size_t most_bytes, struct dstr *out, struct answer *ans)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return ans_sys(ans, errno, MSG_JOBS_OPEN_S, path);
    int result = fstat(fd, &st) == 0 && S_ISREG(st.st_mode)
                     ? file_read_fd(fd, path, most_bytes, out, ans)
                     : ans_fail(ans, STATUS_ESEMANTIC, MSG_JOBS_NO_FILE_S, path);
    close(fd);
    return result;
}

/* its path, new: free(); NULL with ans: the user has no home */
static char *find_path(struct answer *ans)
{
    char *user = NULL, *home = NULL;
    const char *said = getenv("HOME");
    char *path = NULL;
    if (said != NULL && said[0] == '/')
        return path_join(said, PREFERENCES_FILE);
    if (submitter_find_user(geteuid(), &user, &home, ans) == 0)
        path = path_join(home, PREFERENCES_FILE);
    free(user);
    free(home);
    return path;
}

/* a file that is not there says nothing; 0, or -1 with ans */
static int read_preferences(const char *path, struct preferences *p, struct dstr *wrong,
                            struct answer *ans)
{
    struct dstr text = DSTR_INIT;
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return 0;
    int result = regular_read(path, PREFERENCES_BYTES_MOST, &text, ans);
    if (result == 0)
        preferences_read(p, dstr_get(&text), wrong);
    dstr_free(&text);
    return result;
}

bool preference_get(const char *name, struct dstr *value, struct answer *ans)
{
    struct dstr wrong = DSTR_INIT;
    struct preferences *p = preferences_new();
    char *path = find_path(ans);
    if (path != NULL && read_preferences(path, p, &wrong, ans) == 0 && wrong.len > 0)
        ans_add(ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_JOBS_KEPT_SS, path, dstr_get(&wrong));
    const char *said = preferences_get(p, name);
    if (said != NULL)
        dstr_add(value, said);
    preferences_free(p);
    dstr_free(&wrong);
    free(path);
    return said != NULL;
}

int preference_set(const char *name, const char *value, struct answer *ans)
{
    struct dstr unused = DSTR_INIT, text = DSTR_INIT;
    struct preferences *p = preferences_new();
    char *path = find_path(ans);
    int result = path != NULL ? read_preferences(path, p, &unused, ans) : -1;
    preferences_set(p, name, value);
    preferences_text(p, &text);
    if (result == 0)
        result = file_replace(path, dstr_get(&text), text.len, PREFERENCES_MODE, ans);
    preferences_free(p);
    dstr_free(&unused);
    dstr_free(&text);
    free(path);
    return result;
}
