#ifndef CLIENTS_COMMON_TEST_WELLFORMED_H
#define CLIENTS_COMMON_TEST_WELLFORMED_H

#include <libxml/parser.h>
#include <stdbool.h>
#include <string.h>

/* is_well_formed - does libxml2 read TEXT without complaint? */
static inline bool is_well_formed(const char *text)
{
    xmlDocPtr doc = xmlReadMemory(text, (int)strlen(text), "t.xml", NULL,
                                  XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    if (doc == NULL)
        return false;
    xmlFreeDoc(doc);
    return true;
}

#endif
