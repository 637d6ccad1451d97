/* What somebody without a certificate may send, and what a torn ledger may hold: any bytes. What
 * was understood lies within the text, and is understood again as the same. */
#include <stdlib.h>
#include <string.h>

#include "libs/tls/joining.h"
#include "libs/tls/ledger.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool are_equal(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static void read_ask(const char *text)
{
    char *copy = uti_strdup(text);
    struct dstr said = DSTR_INIT;
    struct joining asked, again;
    if (joining_parse(copy, &asked)) {
        joining_ask(&said, &asked);
        ASSERT(joining_parse(said.s, &again));
        ASSERT(are_equal(asked.whom, again.whom) && are_equal(asked.token, again.token));
        ASSERT(are_equal(asked.request, again.request));
    }
    dstr_free(&said);
    free(copy);
}

static void read_reply(const char *text)
{
    char *copy = uti_strdup(text);
    struct dstr said = DSTR_INIT;
    struct joined reply, again;
    if (joining_parse_reply(copy, &reply)) {
        if (reply.denied != NULL)
            joining_deny(&said, reply.denied);
        else
            joining_reply(&said, reply.about, reply.certificate);
        ASSERT(joining_parse_reply(said.s, &again));
        ASSERT(are_equal(reply.denied, again.denied) && are_equal(reply.about, again.about));
        ASSERT(are_equal(reply.certificate, again.certificate));
    }
    dstr_free(&said);
    free(copy);
}

static void read_ledger(const uint8_t *data, size_t size)
{
    struct dstr text = DSTR_INIT;
    struct ledger_line line;
    dstr_addn(&text, (const char *)data, size);
    dstr_addc(&text, '\n');
    ledger_mend(&text);
    ASSERT(strlen(text.s) == text.len);
    for (char *at = text.s, *one; (one = joining_line(&at)) != NULL;)
        if (ledger_parse_line(one, &line))
            ASSERT(line.serial >= text.s && line.serial < text.s + text.len);
    dstr_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = uti_strndup((const char *)data, size);
    read_ask(text);
    read_reply(text);
    read_ledger(data, size);
    free(text);
    return 0;
}
