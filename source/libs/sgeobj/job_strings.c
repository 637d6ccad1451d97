/* The rule that what users name holds no control characters: it is printed on terminals of others and read by scripts line by line.
 * Walks the descriptors, so that a new attribute is checked without a word here. Source: submit(1) "What texts may hold". */
#include "libs/sgeobj/job_strings.h"

#include "libs/sgeobj/msg_sgeobj.h"
#include "libs/uti/answer.h"

enum { DELETE = 0x7f, C1_LEAD = 0xc2, C1_FIRST = 0x80, C1_LAST = 0x9f };

/* the job's own business */
static const unsigned free_fields[] = { JB_env_list, JB_job_args, JB_script_file, JB_script_ptr };

static const struct {
    unsigned field;
    const char *what;
} words[] = {
    { JB_job_name, "the job name" },
    { JB_account, "the account" },
    { JB_project, "the project" },
    { JB_cwd, "the working directory" },
    { JB_directive_prefix, "the directive prefix" },
    { JB_mail_list, "the mail list" },
    { JB_stdin_path_list, "the stdin path list" },
    { JB_stdout_path_list, "the stdout path list" },
    { JB_stderr_path_list, "the stderr path list" },
    { JB_shell_list, "the shell list" },
    { JB_hard_resource_list, "the resource list" },
    { JB_soft_resource_list, "the resource list" },
    { JB_hard_queue_list, "the queue list" },
    { JB_soft_queue_list, "the queue list" },
    { JB_master_hard_queue_list, "the queue list" },
    { JB_pe, "the parallel environment" },
    { JB_checkpoint_name, "the checkpointing environment" },
    { JB_context, "the name of a context variable" },
    { JB_jid_request_list, "the list of jobs to wait for" },
    { JB_ja_ad_request_list, "the list of jobs to wait for" },
};

static bool is_free(unsigned field)
{
    for (size_t i = 0; i < ARRAY_LEN(free_fields); i++)
        if (free_fields[i] == field)
            return true;
    return false;
}

/* the first control character of TEXT as Unicode counts them, 0 if there is none */
static int control_of(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    for (; *at != '\0'; at++) {
        if (*at < ' ' || *at == DELETE)
            return *at;
        if (*at == C1_LEAD && at[1] >= C1_FIRST && at[1] <= C1_LAST)
            return at[1];
    }
    return 0;
}

static int control_in_record(const struct cull_type *t, const void *record);

/* of a string, or of all elements of a list */
static int control_in_field(const struct cull_type *t, const void *record, unsigned f)
{
    const struct cull_field *field = &t->fields[f];
    if (field->kind == CULL_STRING) {
        const char *text = *(const char *const *)cull_member(t, record, f);
        return text == NULL ? 0 : control_of(text);
    }
    if (field->kind != CULL_LIST)
        return 0;
    const struct cull_list *l = cull_member(t, record, f);
    int code = 0;
    for (uint32_t i = 0; code == 0 && i < l->n; i++)
        code = control_in_record(field->element, cull_list_at(field->element, l, i));
    return code;
}

static int control_in_record(const struct cull_type *t, const void *record)
{
    int code = 0;
    for (unsigned f = 0; code == 0 && f < t->n_fields; f++)
        if (t != &cull_VA_Type || f != VA_value)
            code = control_in_field(t, record, f);
    return code;
}

static const char *word_of(unsigned field)
{
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (words[i].field == field)
            return words[i].what;
    return cull_JB_Type.fields[field].name;
}

int job_strings_check(const struct JB_Type *job, struct answer *ans)
{
    for (unsigned f = 0; f < cull_JB_Type.n_fields; f++) {
        int code = is_free(f) ? 0 : control_in_field(&cull_JB_Type, job, f);
        if (code != 0)
            return ans_fail(ans, STATUS_ESEMANTIC, MSG_STRING_CONTROL_IS, code, word_of(f));
    }
    return 0;
}
