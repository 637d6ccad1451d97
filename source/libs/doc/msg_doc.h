#ifndef DOC_MSG_DOC_H
#define DOC_MSG_DOC_H

/* Texts of documents that cannot be written. */
#define MSG_LIBRARY_LOAD_SS "cannot load %s: %s"
#define MSG_XML_WRITE       "cannot write the XML document"
#define MSG_JSON_WRITE      "cannot write the JSON document"

#endif
