/* What a certificate that has been accepted proves of its owner. */
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libs/tls/tls_priv.h"
#include "libs/uti/alloc.h"

/* the LEN bytes at TEXT if they are a subject of SIDE; new, or NULL */
static char *subject_of(enum tls_side side, const char *text, size_t len)
{
    char *subject = strnlen(text, len) == len ? uti_strndup(text, len) : NULL;
    if (subject != NULL && subject_is_valid(side, subject))
        return subject;
    free(subject);
    return NULL;
}

/* whom NAME names, if it can be somebody's: a certificate that is not accepted is named in the log,
 * too, and whoever made it may have written anything into it; new, or NULL */
static char *subject_in(const GENERAL_NAME *name)
{
    static const size_t before = sizeof SUBJECT_USER_URI - 1;
    if (name->type != GEN_DNS && name->type != GEN_URI)
        return NULL;
    const char *text = (const char *)ASN1_STRING_get0_data(name->d.ia5);
    size_t len = (size_t)ASN1_STRING_length(name->d.ia5);
    if (name->type == GEN_DNS)
        return subject_of(TLS_HOST, text, len);
    bool is_user = len > before && memcmp(text, SUBJECT_USER_URI, before) == 0;
    return is_user ? subject_of(TLS_USER, text + before, len - before) : NULL;
}

char *proof_name(const X509 *certificate)
{
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    char *found = NULL;
    for (int i = 0; i < sk_GENERAL_NAME_num(names) && found == NULL; i++)
        found = subject_in(sk_GENERAL_NAME_value(names, i));
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
    next.is_user = is_whole && subject_side(next.name) == TLS_USER;
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
    *p = (struct proof){ .name = NULL };
}
