/* What may stand in a mail that a qmaster sends: addresses, parts of headers, lines of a body.
 * Texts of users pass through here, so that none of them is a header, an option or a command of
 * the mailer. Pure. Source: submit(1) -M, sge_conf(5) mailer. */
#include "libs/sgeobj/mail_address.h"

#include <string.h>

#include "libs/uti/dstr.h"

static bool is_alnum(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool has_only(const char *text, const char *also)
{
    for (; *text != '\0'; text++)
        if (!is_alnum(*text) && strchr(also, *text) == NULL)
            return false;
    return true;
}

bool mail_address_is_good(const char *user, const char *host)
{
    size_t bytes = strlen(user) + (host != NULL ? strlen(host) + 1 : 0);
    if (bytes > MAIL_ADDRESS_MOST || !is_alnum(*user) || !has_only(user, ".+-%=&#~"))
        return false;
    return host == NULL || (is_alnum(*host) && has_only(host, ".-"));
}

void mail_header_add(struct dstr *out, const char *text, size_t most)
{
    for (size_t n = 0; *text != '\0'; text++, n++) {
        if (n == most) {
            dstr_add(out, "...");
            return;
        }
        dstr_addc(out, *text < ' ' || *text > '~' ? '?' : *text);
        if (text[0] == '=' && text[1] == '?')
            dstr_addc(out, ' ');
    }
}

void mail_body_add(struct dstr *out, const char *text, size_t most)
{
    bool is_first = true;
    for (size_t n = 0; *text != '\0'; text++, n++) {
        if (n == most) {
            dstr_add(out, "...");
            is_first = false;
            break;
        }
        if (is_first && (*text == '~' || *text == '.'))
            dstr_addc(out, ' ');
        is_first = *text == '\n';
        bool is_control = (unsigned char)*text < ' ' && *text != '\n' && *text != '\t';
        dstr_addc(out, is_control || *text == 0x7f ? '?' : *text);
    }
    if (!is_first)
        dstr_addc(out, '\n');
}
