/* Lists of jobs to wait for, and the rules for names. The characters that a name may not hold stand
 * in one table with the words users know for them. */
#include "libs/sgeobj/job_select.h"

#include <stdlib.h>
#include <strings.h>

#include "libs/sgeobj/msg_sgeobj.h"
#include "libs/uti/answer.h"
#include "libs/uti/hash.h"

/* ---- dependency lists ---- */
struct seen {
    UT_hash_handle hh;
    const char *text; /* borrowed from the list of entries, whose strings stay where they are */
};

/* true the first time it is asked for LEN bytes of TEXT, which must stay */
static bool is_first(struct seen **all, const char *text, size_t len)
{
    struct seen *s;

    HASH_FIND(hh, *all, text, len, s);
    if (s != NULL)
        return false;
    s = uti_alloc(sizeof *s);
    s->text = text;
    HASH_ADD_KEYPTR(hh, *all, s->text, len, s);
    return true;
}

static void seen_free(struct seen *all)
{
    struct seen *s, *next;

    HASH_ITER(hh, all, s, next) {
        HASH_DEL(all, s);
        free(s);
    }
}

static void append_identifier(struct JB_Type *job, bool is_array, const char *text, size_t len)
{
    struct JRE_Type *e =
        is_array ? cull_append(job, JB_ja_ad_request_list) : cull_append(job, JB_jid_request_list);
    const char *name = cull_string_new(text, len);

    cull_set(e, JRE_job_number, 0);
    cull_share(e, JRE_job_name, name);
    cull_string_drop(name);
}

/* The entry that begins at *AT, without the blanks around it; *AT moves to the comma or the end
 * behind it. Returns its bytes. */
static size_t take_entry(const char **at, const char **begin)
{
    const char *end = *at + strcspn(*at, ",");
    *begin = *at + strspn(*at, " \t");
    *at = end;
    while (end > *begin && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    return end > *begin ? (size_t)(end - *begin) : 0;
}

/* is something between all commas? */
static bool is_well_formed(const char *list)
{
    const char *begin;
    for (const char *at = list;; at++) {
        if (take_entry(&at, &begin) == 0)
            return false;
        if (*at == '\0')
            return true;
    }
}

int job_select_dependencies(const char *list, struct JB_Type *job, bool is_array,
                            struct answer *ans)
{
    const struct JRE_Type_list *had =
        is_array ? &job->JB_ja_ad_request_list : &job->JB_jid_request_list;
    struct seen *seen = NULL;

    if (*list != '\0' && !is_well_formed(list))
        return ans_fail(ans, STATUS_ESYNTAX, is_array ? MSG_JID_AD_LIST_S : MSG_JID_LIST_S, list);
    if (is_array)
        cull_mark(job, JB_ja_ad_request_list);
    else
        cull_mark(job, JB_jid_request_list);
    for (uint32_t i = 0; i < had->n; i++) {
        if (had->v[i].JRE_job_name != NULL)
            is_first(&seen, had->v[i].JRE_job_name, strlen(had->v[i].JRE_job_name));
    }
    for (const char *at = list, *begin; *at != '\0'; at += *at == ',') {
        size_t len = take_entry(&at, &begin);
        if (is_first(&seen, begin, len))
            append_identifier(job, is_array, begin, len);
    }
    seen_free(seen);
    return 0;
}

/* ---- names ---- */
enum { NAME_BYTES_MAX = 512, NAME_BYTES_SHOWN = 32 };

static const struct {
    char c;
    const char *name, *shown;
} refused[] = {
    { '\n', "Newline", "\\n" },    { '\r', "Carriage return", "\\r" },
    { '\t', "Tab", "\\t" },        { '/', "Slash", "/" },
    { ':', "Colon", ":" },         { '@', "At", "@" },
    { '\\', "Backslash", "\\" },   { '*', "Asterisk", "*" },
    { '?', "Question mark", "?" },
};

int object_name_check(const char *name, struct answer *ans)
{
    if (strnlen(name, NAME_BYTES_MAX + 1) > NAME_BYTES_MAX)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_NAME_LONG_ISI, NAME_BYTES_SHOWN, name,
                        NAME_BYTES_MAX);
    for (const char *at = name; *at != '\0'; at++) {
        for (unsigned i = 0; i < ARRAY_LEN(refused); i++) {
            if (*at == refused[i].c)
                return ans_fail(ans, STATUS_ESEMANTIC, MSG_NAME_CHARACTER_SS, refused[i].name,
                                refused[i].shown);
        }
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            return ans_fail(ans, STATUS_ESEMANTIC, MSG_NAME_CONTROL_I, *at);
    }
    return 0;
}

int job_name_check(const char *name, struct answer *ans)
{
    if (name == NULL || *name == '\0')
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_NAME_NONE);
    if (*name >= '0' && *name <= '9')
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_NAME_DIGIT_S, name);
    if (strcasecmp(name, "none") == 0)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_NAME_RESERVED_S, name);
    return object_name_check(name, ans);
}
