#ifndef TLS_MSG_TLS_H
#define TLS_MSG_TLS_H

/* The texts of this room. */
#define MSG_TLS_READ_S      "cannot use %s: %s"
#define MSG_TLS_OPEN_KEY_SO "cannot use %s: its mode is %o, but a key is its owner's alone (0600)"
#define MSG_TLS_MAKE_S      "cannot make %s"
#define MSG_TLS_CRYPTO_SS   "cannot make %s: %s"
#define MSG_TLS_AUTHORITY_S "there is an authority in %s already"
#define MSG_TLS_NAME_S      "\"%s\" cannot be the name of a host"
#define MSG_TLS_NO_ROOM     "memory does not suffice for a connection"
#define MSG_TLS_REFUSED_S   "the other side refuses our certificate: %s"
#define MSG_TLS_BAD_PEER_SS "the certificate of %s is not accepted: %s"
#define MSG_TLS_NO_NAME     "its certificate names no host"
#define MSG_TLS_NO_PAPERS   "it has no certificate"
#define MSG_TLS_NO_TLS      "it does not speak TLS 1.3"
#define MSG_TLS_FAILED_S    "TLS failed: %s"
#define MSG_TLS_SOMEBODY    "somebody"

#endif
