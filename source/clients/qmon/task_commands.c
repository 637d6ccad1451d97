/* What is run to tell of a task. Source: qstat(1), qacct(1). */
#include "clients/qmon/task_commands.h"

#include <string.h>

#include "libs/sgeobj/job_state.h"
#include "libs/uti/dstr.h"

static void add_word(struct words *words, const char *word)
{
    words_add(words, word, strlen(word), 0);
}

static void add_number(struct words *words, uint32_t number)
{
    struct dstr word = DSTR_INIT;
    dstr_addf(&word, "%u", number);
    add_word(words, word.s);
    dstr_free(&word);
}

static void add_qstat(const struct board_job *job, uint32_t ordinal, struct words *words)
{
    struct dstr task = DSTR_INIT;
    dstr_addf(&task, "%u.%u", job->rec.JB_job_number, job_task_id(&job->rec, ordinal));
    add_word(words, "qstat");
    add_word(words, "-j");
    add_word(words, task.s);
    dstr_free(&task);
}

void task_why_words(const struct board_job *job, uint32_t ordinal, struct words *words)
{
    add_qstat(job, ordinal, words);
    add_word(words, "-why");
}

void task_record_words(const struct board_job *job, uint32_t ordinal, struct words *words)
{
    if (!look_is_ended(board_task_look(job, ordinal))) {
        add_qstat(job, ordinal, words);
        return;
    }
    add_word(words, "qacct");
    add_word(words, "-j");
    add_number(words, job->rec.JB_job_number);
    if (!job_is_array(&job->rec))
        return;
    add_word(words, "-t");
    add_number(words, job_task_id(&job->rec, ordinal));
}

void task_output_words(const char *path, const char *name, uint32_t most, struct words *words)
{
    static const char script[] = "f=$1; [ ! -d \"$f\" ] || f=${f%/}/$2; "
                                 "[ ! -e \"$f\" ] || [ -f \"$f\" ] || "
                                 "{ echo \"$f keeps nothing\"; exit 1; }; "
                                 "exec tail -c \"$3\" -- \"$f\"";
    const char *const argv[] = { "/bin/sh", "-c", script, "sh", path, name };
    for (size_t i = 0; i < ARRAY_LEN(argv); i++)
        add_word(words, argv[i]);
    add_number(words, most);
}
