#ifndef CLIENTS_SGE_CA_CERTIFICATES_H
#define CLIENTS_SGE_CA_CERTIFICATES_H

#include "libs/uti/dstr.h"

/* What an authority has issued, as users see it. */
struct ledger;

/* certificates_table, certificates_json - add what L says: a line for each certificate, its state
 * at NOW_S; times of JSON are seconds since 1970 */
void certificates_table(struct dstr *out, const struct ledger *l, uint64_t now_s);
void certificates_json(struct dstr *out, const struct ledger *l, uint64_t now_s);

#endif
