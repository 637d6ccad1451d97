/* When each host has last renewed its certificate. One entry for each name that has proved itself,
 * so there are no more than hosts. */
#include <stdlib.h>
#include <string.h>

#include "libs/tls/tls_priv.h"
#include "libs/uti/alloc.h"
#include "libs/uti/hash.h"

struct renewer {
    char *name;
    uint64_t at_s;
    UT_hash_handle hh;
};

bool renewers_note(struct renewer **all, const char *name, uint64_t now_s)
{
    struct renewer *r;
    HASH_FIND_STR(*all, name, r);
    if (r == NULL) {
        r = uti_calloc(1, sizeof *r);
        r->name = uti_strdup(name);
        HASH_ADD_KEYPTR(hh, *all, r->name, strlen(r->name), r);
    } else if (now_s >= r->at_s && now_s - r->at_s < RENEWAL_PAUSE_S) {
        return false;
    }
    r->at_s = now_s;
    return true;
}

void renewers_free(struct renewer **all)
{
    struct renewer *r, *next;
    HASH_ITER(hh, *all, r, next) {
        HASH_DEL(*all, r);
        free(r->name);
        free(r);
    }
}
