/* The tests' readers of XML and JSON: libxml2 and jansson behind a question each. */
#include "libs/doc/test/wellformed.h"

#include <jansson.h>
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

bool is_json(const char *text)
{
    json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    json_decref(doc);
    return doc != NULL;
}
