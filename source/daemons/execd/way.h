#ifndef EXECD_WAY_H
#define EXECD_WAY_H

#include "libs/comm/link.h"

/* The way to a qmaster on another host: TLS over TCP, with the certificate of this host. */
struct way;

/* way_new - to PORT of QMASTER_HOST; the files of tls.h are in PAPERS_DIR, and are read anew for
 * each connection: a certificate that was renewed counts from the next one on
 * The strings are copied. Returns new: way_free. */
struct way *way_new(const char *qmaster_host, uint16_t port, const char *papers_dir);
/* way_free - after the link that uses it; NULL is fine */
void way_free(struct way *w);
/* way_set_silence - a qmaster that says nothing for SILENT_S seconds counts as lost, from the next
 * connection on and on K, the present one */
void way_set_silence(struct way *w, const struct link *k, uint32_t silent_s);
/* way_dial - for link_dialled; borrows W */
struct link_dial way_dial(struct way *w);

#endif
