/* What a certificate that has been accepted proves of its owner. */
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libs/tls/tls_priv.h"
#include "libs/uti/alloc.h"
#include "libs/uti/host_name.h"

/* the text of NAME if it can be a host's: a certificate that is not accepted is named in the log,
 * too, and whoever made it may have written anything into it; new, or NULL */
static char *host_in(const GENERAL_NAME *name)
{
    if (name->type != GEN_DNS)
        return NULL;
    const char *text = (const char *)ASN1_STRING_get0_data(name->d.dNSName);
    size_t len = (size_t)ASN1_STRING_length(name->d.dNSName);
    char *host = strnlen(text, len) == len ? uti_strndup(text, len) : NULL;
    if (host != NULL && host_name_is_valid(host))
        return host;
    free(host);
    return NULL;
}

char *proof_name(const X509 *certificate)
{
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    char *found = NULL;
    for (int i = 0; i < sk_GENERAL_NAME_num(names) && found == NULL; i++)
        found = host_in(sk_GENERAL_NAME_value(names, i));
    GENERAL_NAMES_free(names);
    return found;
}

static bool read_time(const ASN1_TIME *text, uint64_t *out_s)
{
    struct tm at = { 0 };
    if (ASN1_TIME_to_tm(text, &at) != 1)
        return false;
    time_t at_s = timegm(&at);
    *out_s = at_s > 0 ? (uint64_t)at_s : 0;
    return true;
}

bool proof_read(struct proof *p, const X509 *certificate)
{
    struct dstr serial = DSTR_INIT;
    struct proof next = { .name = proof_name(certificate) };
    bool is_whole = next.name != NULL && tls_add_serial(&serial, certificate) &&
                    read_time(X509_get0_notBefore(certificate), &next.from_s) &&
                    read_time(X509_get0_notAfter(certificate), &next.until_s);
    next.serial = dstr_take(&serial);
    if (is_whole)
        *p = next;
    else
        proof_free(&next);
    return is_whole;
}

void proof_free(struct proof *p)
{
    free(p->name);
    free(p->serial);
    *p = (struct proof){ NULL, NULL, 0, 0 };
}
