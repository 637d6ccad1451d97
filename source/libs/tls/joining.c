/* The texts of joining: "join" WHOM TOKEN, or "renew", and the request for a certificate, a line
 * each but the last; "ok" and lines about the cell, or "denied" and why. Invariant: what comes out
 * of a parser lies within the text that went in. */
#include "libs/tls/joining.h"

#include <string.h>

#define PEM_BEGINS "-----BEGIN "

char *joining_line(char **at)
{
    char *line = *at, *end = line != NULL ? strchr(line, '\n') : NULL;
    if (end == NULL)
        return NULL;
    *end = '\0';
    *at = end + 1;
    return line;
}

static bool is_line(const char *line, const char *word)
{
    return line != NULL && strcmp(line, word) == 0;
}

void joining_ask(struct dstr *out, const struct joining *j)
{
    if (j->token != NULL)
        dstr_addf(out, "join\n%s\n%s\n%s", j->whom, j->token, j->request);
    else
        dstr_addf(out, "renew\n%s", j->request);
    dstr_addc(out, '\0');
}

bool joining_parse(char *text, struct joining *j)
{
    const char *verb = joining_line(&text);
    *j = (struct joining){ NULL, NULL, text };
    if (is_line(verb, "renew"))
        return true;
    j->whom = joining_line(&text);
    j->token = joining_line(&text);
    j->request = text;
    return is_line(verb, "join") && j->token != NULL;
}

void joining_reply(struct dstr *out, const char *about, const char *certificate)
{
    dstr_addf(out, "ok\n%s\n%s", about, certificate);
    dstr_addc(out, '\0');
}

void joining_deny(struct dstr *out, const char *why)
{
    dstr_addf(out, "denied\n%s", why);
    dstr_addc(out, '\0');
}

bool joining_parse_reply(char *text, struct joined *r)
{
    const char *verb = joining_line(&text);
    *r = (struct joined){ NULL, NULL, NULL };
    if (is_line(verb, "denied")) {
        r->denied = text;
        return true;
    }
    char *begins = is_line(verb, "ok") ? strstr(text, "\n" PEM_BEGINS) : NULL;
    if (begins == NULL)
        return false;
    *begins = '\0';
    r->about = text;
    r->certificate = begins + 1;
    return true;
}
