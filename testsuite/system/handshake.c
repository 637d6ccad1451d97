/* OpenSSL's headers and the records of the product have names in common, so this file is apart. */
#include "handshake.h"

#include <openssl/ssl.h>

int handshake(int fd)
{
    static const unsigned char protocols[] = "\x08sge-join";
    SSL_CTX *ctx = SSL_CTX_new(TLS_client_method());
    SSL *ssl = ctx != NULL ? SSL_new(ctx) : NULL;
    int rc = -1;
    if (ssl != NULL && SSL_set_alpn_protos(ssl, protocols, sizeof protocols - 1) == 0 &&
        SSL_set_fd(ssl, fd) == 1 && SSL_connect(ssl) == 1)
        rc = 0;
    SSL_free(ssl);
    SSL_CTX_free(ctx);
    return rc;
}
