#ifndef TLS_MSG_TLS_H
#define TLS_MSG_TLS_H

/* The texts of this room. */
#define MSG_TLS_READ_S "cannot use %s: %s"
#define MSG_TLS_OPEN_KEY_SO                                                                        \
    "cannot use %s: its mode is %o, but only its owner may have access to a key (0600)"
#define MSG_TLS_PAPERS_S     "cannot use the certificate in %s"
#define MSG_TLS_RENEWED_SS   "certificate of %s renewed: valid until %s"
#define MSG_TLS_MAKE_S       "cannot make %s"
#define MSG_TLS_CRYPTO_SS    "cannot make %s: %s"
#define MSG_TLS_AUTHORITY_S  "there is already an authority in %s"
#define MSG_TLS_NAME_S       "\"%s\" is neither a valid host name nor a user as NAME:UID:GID"
#define MSG_TLS_NO_ROOM      "not enough memory for a connection"
#define MSG_TLS_REFUSED_S    "the peer refused our certificate: %s"
#define MSG_TLS_BAD_PEER_SS  "the certificate of %s is not accepted: %s"
#define MSG_TLS_NO_NAME      "its certificate names neither a host nor a user"
#define MSG_TLS_NOT_PEER     "it does not use the protocol between execution daemons"
#define MSG_TLS_NO_PAPERS    "it has no certificate"
#define MSG_TLS_NO_TLS       "it does not use TLS 1.3"
#define MSG_TLS_FAILED_S     "TLS failed: %s"
#define MSG_TLS_LONG_D       "it sent more than %d bytes before it authenticated"
#define MSG_TLS_UPDATES_D    "it changed its keys more than %d times (KeyUpdate)"
#define MSG_TLS_SOMEBODY     "an unknown peer"

#define MSG_TLS_EXPIRED      "certificate has expired"
#define MSG_TLS_REVOKED      "certificate revoked"
#define MSG_LEDGER_FULL_SD   "%s would be larger than %d bytes: no certificate is issued or revoked"
#define MSG_LEDGER_WRITE_S   "cannot write to %s"
#define MSG_LEDGER_UNKNOWN_S "\"%s\" is not a host, user or serial number with a valid certificate"
#define MSG_LEDGER_QMASTERS_S                                                                      \
    "certificate %s belongs to the qmaster, and hosts would still accept it: create a new "        \
    "authority"

#define MSG_TOKEN_ABOUT_D "the information about the cell is longer than %d bytes"
#define MSG_TOKEN_UNKNOWN                                                                          \
    "its token is not valid: wrong, used, replaced, or issued to another host or user"
#define MSG_TOKEN_EXPIRED   "its token has expired"
#define MSG_TOKEN_GUESSED_D "its token was wrong %d times, and is no longer valid"
#define MSG_TOKEN_FILE_S    "cannot use %s: not a token file"

#define MSG_JOIN_JOINED     " has joined and received a certificate"
#define MSG_JOIN_RENEWED_S  " has a new certificate in place of %s"
#define MSG_JOIN_KEEPS_SS   "the certificate of %s is not renewed: %s"
#define MSG_JOIN_EARLY      "more than a third of its lifetime is left"
#define MSG_JOIN_PAUSE_D    "the previous one was issued less than %d seconds ago"
#define MSG_JOIN_DENIED_SS  "%s may not join: %s"
#define MSG_JOIN_RUBBISH    "it does not request a certificate that can be issued"
#define MSG_JOIN_LONG_D     "its join request is longer than %d bytes"
#define MSG_JOIN_KEY        "its certificate request is not signed by a P-256 key"
#define MSG_JOIN_PIN        "the qmaster that answers has a certificate of another authority"
#define MSG_JOIN_ANSWER_S   "malformed answer from %s"
#define MSG_JOIN_CONNECT_SS "cannot reach the qmaster at %s: %s"
#define MSG_JOIN_REFUSED_S  "the qmaster refuses: %s"

#endif
