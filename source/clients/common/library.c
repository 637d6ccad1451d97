/* Finds and loads the shared objects that only some documents need. */
#include "clients/common/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/msg_clients.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/os.h"

/* bin/<arch>/qstat finds ../../lib/<arch>/, a program in a build tree finds it beside itself */
static char *library_path(const char *format, const char *file)
{
    char exe[4096];
    ssize_t len = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (len <= 0)
        return NULL;
    exe[len] = '\0';
    char *slash = strrchr(exe, '/');
    if (slash != NULL)
        *slash = '\0';
    struct dstr path = DSTR_INIT;
    for (const char *at = format; *at != '\0'; at++) {
        if (*at == '@')
            dstr_add(&path, exe);
        else if (*at == '#')
            dstr_add(&path, os_arch());
        else
            dstr_addc(&path, *at);
    }
    dstr_add(&path, file);
    return dstr_take(&path);
}

static void *open_first(const char *file, struct answer *ans)
{
    static const char *const places[] = { "@/../../lib/#/", "@/../common/", "@/" };
    const char *reason = strerror(ENOENT);
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        char *path = library_path(places[i], file);
        bool is_there = path != NULL && access(path, R_OK) == 0;
        /* unloading would lose what the libraries keep for themselves */
        void *library = is_there ? dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) : NULL;
        if (is_there && library == NULL)
            reason = dlerror();
        free(path);
        if (library != NULL)
            return library;
    }
    return ans_null(ans, STATUS_ESYSTEM, MSG_LIBRARY_LOAD_SS, file, reason);
}

const void *library_load(const char *file, const char *symbol, int version, struct answer *ans)
{
    void *library = open_first(file, ans);
    if (library == NULL)
        return NULL;
    const int *table = dlsym(library, symbol);
    if (table != NULL && *table == version)
        return table;
    (void)dlclose(library);
    return ans_null(ans, STATUS_ESYSTEM, MSG_LIBRARY_LOAD_SS, file, "wrong version");
}
