#ifndef CLIENTS_COMMON_MSG_CLIENTS_H
#define CLIENTS_COMMON_MSG_CLIENTS_H

/* Texts of what the clients share. Texts are interface: scripts match them. */
#define MSG_XML_LOAD_SS     "cannot load %s for XML output: %s"
#define MSG_XML_WRITE       "cannot write the XML document"
#define MSG_NOT_SUPPORTED_S "%s: not supported yet"

#endif
