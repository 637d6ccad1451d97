/* Objects as files have them: a line for each attribute, of some kinds in braces, so that a file
 * may have several. */
#include "libs/config/object_text.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/attr_text.h"
#include "libs/config/msg_config.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* ---- printing ---- */

static void print_entry(const struct object_rules *rules, const struct VA_Type *va, bool is_single,
                        struct dstr *out)
{
    const char *name = va->VA_variable != NULL ? va->VA_variable : "";
    unsigned width = rules->column != 0 ? rules->column : (unsigned)strlen(name) + 1;
    if (rules->has_braces)
        dstr_add(out, "   ");
    attr_print(out, width, name, va->VA_value != NULL ? va->VA_value : "NONE",
               is_single || rules->has_braces);
}

void object_text(const struct object_rules *rules, const struct TX_Type *tx, bool is_single,
                 struct dstr *out)
{
    if (rules->own->print != NULL) {
        rules->own->print(tx, out);
        return;
    }
    if (rules->has_braces)
        dstr_add(out, "{\n");
    for (uint32_t i = 0; i < tx->TX_entries.n; i++)
        print_entry(rules, &tx->TX_entries.v[i], is_single, out);
    if (rules->has_braces)
        dstr_add(out, "}\n");
}

/* ---- reading ---- */

/* bytes up to the brace that closes the one before FROM; braces within count in pairs; -1 if it
 * is not closed */
static long block_len(const char *from)
{
    int depth = 1;
    for (const char *at = from; *at != '\0'; at++) {
        depth += (*at == '{') - (*at == '}');
        if (depth == 0)
            return at - from;
    }
    return -1;
}

static int parse_one(const struct object_rules *rules, const char *text, size_t len,
                     struct TX_Type_list *list, struct answer *ans)
{
    char *block = uti_strndup(text, len);
    int ret = object_parse(rules, block, cull_push(list), ans);
    free(block);
    return ret;
}

static int parse_blocks(const struct object_rules *rules, const char *text,
                        struct TX_Type_list *list, struct answer *ans)
{
    static const char blanks[] = " \t\r\n";
    int ret = 0;
    for (const char *at = text + strspn(text, blanks); ret == 0 && *at != '\0';
         at += strspn(at, blanks)) {
        if (*at == '#') { /* a comment line */
            at += strcspn(at, "\n");
            continue;
        }
        long len = *at == '{' ? block_len(at + 1) : -1;
        if (len < 0)
            return ans_fail(ans, STATUS_ESYNTAX, MSG_OBJECT_BRACES_S, rules->words.noun);
        ret = parse_one(rules, at + 1, (size_t)len, list, ans);
        at += len + 2;
    }
    return ret;
}

int object_parse_all(const struct object_rules *rules, const char *text, struct TX_Type_list *list,
                     struct answer *ans)
{
    int ret = rules->has_braces ? parse_blocks(rules, text, list, ans)
                                : parse_one(rules, text, strlen(text), list, ans);
    if (ret < 0)
        cull_list_clear(&cull_TX_Type, list);
    return ret;
}
