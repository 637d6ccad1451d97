/* The certificates that an authority has issued, as a table or as JSON. Invariant: every text is a
 * subject (tls/subject.h), a serial or a word of this file, so JSON need not quote anything. */
#include "clients/sge_ca/certificates.h"

#include "libs/tls/ledger.h"
#include "libs/uti/time.h"

static const char *side_name(enum tls_side side)
{
    static const char *const names[] = {
        [TLS_QMASTER] = "qmaster", [TLS_HOST] = "host", [TLS_USER] = "user"
    };
    return names[side];
}

static const char *state_of(const struct ledger_entry *e, uint64_t now_s)
{
    if (e->revoked_s != 0)
        return "revoked";
    return e->about.until_s <= now_s ? "expired" : "valid";
}

static void add_row(struct dstr *out, const struct ledger_entry *e, uint64_t now_s)
{
    struct dstr until = DSTR_INIT;
    uti_time_iso(e->about.until_s, &until);
    dstr_addf(out, "%-24s %-8s %-19s %-8s %s\n", e->about.name, side_name(e->about.side),
              dstr_get(&until), state_of(e, now_s), e->serial);
    dstr_free(&until);
}

void certificates_table(struct dstr *out, const struct ledger *l, uint64_t now_s)
{
    dstr_addf(out, "%-24s %-8s %-19s %-8s %s\n", "name", "kind", "until", "state", "serial");
    for (uint32_t i = 0; i < l->n; i++)
        add_row(out, &l->v[i], now_s);
}

void certificates_json(struct dstr *out, const struct ledger *l, uint64_t now_s)
{
    dstr_add(out, "{\"certificates\": [");
    for (uint32_t i = 0; i < l->n; i++) {
        const struct ledger_entry *e = &l->v[i];
        dstr_addf(out, "%s\n  {\"name\": \"%s\", \"kind\": \"%s\", \"from\": %llu, ",
                  i > 0 ? "," : "", e->about.name, side_name(e->about.side),
                  (unsigned long long)e->about.from_s);
        dstr_addf(out, "\"until\": %llu, \"state\": \"%s\", \"serial\": \"%s\"}",
                  (unsigned long long)e->about.until_s, state_of(e, now_s), e->serial);
    }
    dstr_add(out, "]}\n");
}
