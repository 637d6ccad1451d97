/* The tests' reader of XML: libxml2 behind one question. */
#include "clients/common/test/wellformed.h"

#include <libxml/parser.h>
#include <string.h>

bool is_well_formed(const char *text)
{
    const int quiet = XML_PARSE_NOERROR | XML_PARSE_NOWARNING;
    xmlDocPtr doc = xmlReadMemory(text, (int)strlen(text), "t.xml", NULL, quiet);
    if (doc == NULL)
        return false;
    xmlFreeDoc(doc);
    return true;
}
