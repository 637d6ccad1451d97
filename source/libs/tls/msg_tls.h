#ifndef TLS_MSG_TLS_H
#define TLS_MSG_TLS_H

/* The texts of this room. */
#define MSG_TLS_READ_S       "cannot use %s: %s"
#define MSG_TLS_OPEN_KEY_SO  "cannot use %s: its mode is %o, but a key is its owner's alone (0600)"
#define MSG_TLS_PAPERS_S     "cannot use the certificate in %s"
#define MSG_TLS_RENEWED_SS   "certificate renewed: that of %s now holds until %s"
#define MSG_TLS_MAKE_S       "cannot make %s"
#define MSG_TLS_CRYPTO_SS    "cannot make %s: %s"
#define MSG_TLS_AUTHORITY_S  "there is an authority in %s already"
#define MSG_TLS_NAME_S       "\"%s\" cannot be the name of a host, or of a user as NAME:UID:GID"
#define MSG_TLS_NO_ROOM      "memory does not suffice for a connection"
#define MSG_TLS_REFUSED_S    "the other side refuses our certificate: %s"
#define MSG_TLS_BAD_PEER_SS  "the certificate of %s is not accepted: %s"
#define MSG_TLS_NO_NAME      "its certificate names neither a host nor a user"
#define MSG_TLS_NO_PAPERS    "it has no certificate"
#define MSG_TLS_NO_TLS       "it does not speak TLS 1.3"
#define MSG_TLS_FAILED_S     "TLS failed: %s"
#define MSG_TLS_LONG_D       "it sent more than %d bytes before it proved its name"
#define MSG_TLS_UPDATES_D    "it changed its keys more than %d times (KeyUpdate)"
#define MSG_TLS_SOMEBODY     "somebody"

#define MSG_TLS_EXPIRED      "certificate has expired"
#define MSG_TLS_REVOKED      "certificate revoked"
#define MSG_LEDGER_FULL_SD   "%s would be larger than %d bytes: no certificate is issued or revoked"
#define MSG_LEDGER_WRITE_S   "cannot write to %s"
#define MSG_LEDGER_UNKNOWN_S "\"%s\" is no host, user or serial with a certificate that holds"
#define MSG_LEDGER_QMASTERS_S                                                                      \
    "certificate %s is the qmaster's: hosts would go on to believe it; make a new authority"

#define MSG_TOKEN_ABOUT_D "more than %d bytes about the cell"
#define MSG_TOKEN_UNKNOWN                                                                          \
    "its token is not valid: it is for somebody else, or used, or replaced, or wrong"
#define MSG_TOKEN_EXPIRED   "its token has expired"
#define MSG_TOKEN_GUESSED_D "its token was wrong %d times, and is void from now on"
#define MSG_TOKEN_FILE_S    "cannot use %s: it is no token's"

#define MSG_JOIN_JOINED     " has joined: it has a certificate now"
#define MSG_JOIN_RENEWED_S  " has a new certificate in place of %s"
#define MSG_JOIN_KEEPS_SS   "%s gets no new certificate: %s"
#define MSG_JOIN_EARLY      "more than a third of the life of its certificate is left"
#define MSG_JOIN_PAUSE_D    "it was given one within %d seconds"
#define MSG_JOIN_DENIED_SS  "%s does not join: %s"
#define MSG_JOIN_RUBBISH    "it asks for no certificate that we could give"
#define MSG_JOIN_LONG_D     "it says more than %d bytes to join"
#define MSG_JOIN_KEY        "its request for a certificate has no key on P-256 that has signed it"
#define MSG_JOIN_PIN        "the qmaster that answers is of another authority than the one named"
#define MSG_JOIN_ANSWER_S   "no answer that we understand from %s"
#define MSG_JOIN_CONNECT_SS "cannot reach the qmaster at %s: %s"
#define MSG_JOIN_REFUSED_S  "the qmaster refuses: %s"

#endif
