/* Fuzz target of the readers of configuration texts: the first byte chooses one; what was read must
 * pass its check and print as a text that reads back. */
#include <stdlib.h>

#include "libs/config/complex.h"
#include "libs/config/conf.h"
#include "libs/config/cqueue.h"
#include "libs/config/host.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* every line sets one attribute of a template, so that the fuzzer need not find fifty */
static void try_queue(char *text)
{
    struct CQ_Type *cq = cqueue_template("t.q"), *again = cull_new(&cull_CQ_Type);
    struct dstr out = DSTR_INIT;
    for (char *line = text; line != NULL;) {
        char *end = line, *next = NULL;
        while (*end != '\n' && *end != '\0')
            end++;
        if (*end == '\n')
            next = end + 1;
        *end = '\0';
        unsigned attr = (uint8_t)line[0] % cqueue_attrs_n;
        if (line[0] != '\0')
            (void)cqueue_set(cq, cqueue_attrs[attr].rule.name, line + 1, NULL);
        line = next;
    }
    ASSERT(cqueue_check(cq, NULL) == 0);
    cqueue_text(cq, false, &out);
    ASSERT(cqueue_parse(dstr_get(&out), again, NULL) == 0);
    ASSERT(cull_equal(&cull_CQ_Type, cq, again));
    dstr_free(&out);
    cull_delete(&cull_CQ_Type, cq);
    cull_delete(&cull_CQ_Type, again);
}

static void try_conf(const char *text, const char *name)
{
    struct CONF_Type *conf = cull_new(&cull_CONF_Type);
    struct dstr out = DSTR_INIT;
    if (conf_parse(text, name, conf, NULL) == 0) {
        ASSERT(conf_check(conf, NULL) == 0);
        conf_text(conf, false, &out);
    }
    dstr_free(&out);
    cull_delete(&cull_CONF_Type, conf);
}

static void try_complex(const char *text)
{
    struct CE_Type_list list = { 0 };
    struct dstr out = DSTR_INIT;
    if (complex_parse(text, &list, NULL) == 0) {
        ASSERT(complex_check(&list, NULL) == 0);
        complex_text(&list, &out);
    }
    dstr_free(&out);
    complex_list_clear(&list);
}

static void try_host(const char *text)
{
    struct EH_Type *host = cull_new(&cull_EH_Type);
    if (host_parse(text, host, NULL) == 0)
        ASSERT(host_check(host, NULL) == 0);
    cull_delete(&cull_EH_Type, host);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    char *text = uti_strndup((const char *)data + 1, size - 1);
    switch (data[0] % 5) {
    case 0:
        try_queue(text);
        break;
    case 1:
        try_conf(text, CONF_GLOBAL);
        break;
    case 2:
        try_conf(text, "node1");
        break;
    case 3:
        try_complex(text);
        break;
    default:
        try_host(text);
        break;
    }
    free(text);
    return 0;
}
