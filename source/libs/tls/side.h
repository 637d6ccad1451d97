#ifndef TLS_SIDE_H
#define TLS_SIDE_H

/* the kind of a peer; a certificate is for one of them, so that neither a host nor a user can pose
 * as the qmaster */
enum tls_side { TLS_QMASTER = 1, TLS_HOST = 2, TLS_USER = 3 };

#endif
