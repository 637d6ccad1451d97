/* Whom a certificate names. Pure. A ":" tells users from hosts: no host's name has one. */
#include "libs/tls/subject.h"

#include <string.h>

#include "libs/uti/host_name.h"
#include "libs/uti/parse.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS  "0123456789"

static bool is_user_name(const char *text, size_t len)
{
    return len > 0 && len <= SUBJECT_USER_MOST && strchr(LETTERS DIGITS "_", *text) != NULL &&
           strspn(text, LETTERS DIGITS "_-.@") == len;
}

/* the id at *AT, up to END; *AT is behind that */
static bool take_id(const char **at, char end, uint32_t *id)
{
    char digits[sizeof "4294967295"];
    size_t len = strspn(*at, DIGITS);
    if (len >= sizeof digits || (*at)[len] != end)
        return false;
    memcpy(digits, *at, len);
    digits[len] = '\0';
    *at += len + 1;
    return parse_u32(digits, id) && *id != UINT32_MAX;
}

bool subject_parse_user(const char *text, struct subject_user *u)
{
    size_t len = strcspn(text, ":");
    uint32_t uid, gid;
    if (text[len] != ':' || !is_user_name(text, len))
        return false;
    memcpy(u->name, text, len);
    u->name[len] = '\0';
    text += len + 1;
    if (!take_id(&text, ':', &uid) || !take_id(&text, '\0', &gid))
        return false;
    u->uid = uid;
    u->gid = gid;
    return uid != 0;
}

enum tls_side subject_side(const char *subject)
{
    struct subject_user u;
    if (host_name_is_valid(subject))
        return TLS_HOST;
    return subject_parse_user(subject, &u) ? TLS_USER : 0;
}

bool subject_is_valid(enum tls_side side, const char *subject)
{
    return subject_side(subject) == (side == TLS_USER ? TLS_USER : TLS_HOST);
}

void subject_add_text(struct dstr *out, const char *subject)
{
    bool is_user = subject_side(subject) == TLS_USER;
    dstr_addf(out, "%s %.*s", is_user ? "user" : "host", (int)strcspn(subject, ":"), subject);
}
