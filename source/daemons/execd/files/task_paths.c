/* The paths of a task's standard files. With staging, each has two: the one that the submitter
 * named, on whichever host, and the copy in TMPDIR that the job reads or writes. The copies have
 * the names of the streams, so that files of one name from several directories do not meet there.
 * Source: captured config files. */
#include "daemons/execd/files/task_paths.h"

#include "daemons/execd/files/task_input.h"
#include "daemons/execd/host/user.h"
#include "libs/config/conf.h"
#include "libs/sgeobj/job_state.h"
#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"

struct stream {
    const char *name, *letter;
    const struct PN_Type_list *paths;
    const char *otherwise; /* where it is without a path */
};

struct path_vars task_path_vars(const struct task_text_input *in)
{
    const struct JB_Type *job = in->job;
    return (struct path_vars){ .home = in->user->home,
                               .user = in->user->name,
                               .host = in->place->host,
                               .job_name = job->JB_job_name,
                               .job_number = job->JB_job_number,
                               .task_id = job_is_array(job) ? in->task->JAT_task_number : 0 };
}

const char *task_cwd(const struct task_text_input *in)
{
    return in->job->JB_cwd != NULL ? in->job->JB_cwd : in->user->home;
}

static void add_line(const char *prefix, const struct stream *s, const char *suffix,
                     const char *value, struct dstr *out)
{
    struct dstr key = DSTR_INIT;
    dstr_addf(&key, "%s%s_%s", prefix, s->name, suffix);
    task_text_add(out, dstr_get(&key), value);
    dstr_free(&key);
}

/* the submitter's path as an absolute one */
static void find_path(const struct task_text_input *in, const struct stream *s,
                      const struct PN_Type *asked, struct dstr *path)
{
    struct path_vars vars = task_path_vars(in);
    if (asked == NULL)
        dstr_add(path, s->otherwise);
    else
        path_expand(asked->PN_path, &vars, task_cwd(in), path);
}

/* A directory gets the name that the file would have in it here, where the shepherd adds it. */
static void complete_path(const struct task_text_input *in, const struct stream *s,
                          struct dstr *path)
{
    struct path_vars vars = task_path_vars(in);
    if (path->len > 0 && dstr_get(path)[path->len - 1] == '/')
        path_default_name(&vars, s->letter, path);
}

static void add_here(const struct task_text_input *in, const struct stream *s,
                     const struct PN_Type *asked, struct dstr *out)
{
    struct dstr path = DSTR_INIT;
    find_path(in, s, asked, &path);
    add_line("", s, "path", dstr_get(&path), out);
    dstr_free(&path);
}

static void add_staged(const struct task_text_input *in, const struct stream *s,
                       const struct PN_Type *asked, const char *copy, struct dstr *out)
{
    struct dstr path = DSTR_INIT;
    find_path(in, s, asked, &path);
    complete_path(in, s, &path);
    add_line("", s, "path", copy, out);
    add_line("fs_", s, "host", asked->PN_file_host != NULL ? asked->PN_file_host : "", out);
    add_line("fs_", s, "path", dstr_get(&path), out);
    add_line("fs_", s, "tmp_path", copy, out);
    add_line("fs_", s, "file_staging", "1", out);
    dstr_free(&path);
}

static void add_unstaged(const char *dir, const struct stream *s, struct dstr *out)
{
    add_line("fs_", s, "host", "", out);
    add_line("fs_", s, "path", "", out);
    add_line("fs_", s, "tmp_path", dir, out);
    add_line("fs_", s, "file_staging", "0", out);
}

static void add_stream(const struct task_text_input *in, const struct stream *s, bool has_staging,
                       struct dstr *out)
{
    const struct PN_Type *asked = path_for_host(s->paths, in->place->host);
    struct dstr copy = DSTR_INIT;
    if (has_staging)
        dstr_addf(&copy, "%s/", in->tmpdir);
    if (has_staging && asked != NULL && asked->PN_file_staging) {
        dstr_add(&copy, s->name);
        add_staged(in, s, asked, dstr_get(&copy), out);
    } else {
        add_here(in, s, asked, out);
        if (has_staging)
            add_unstaged(dstr_get(&copy), s, out);
    }
    dstr_free(&copy);
}

void task_paths_config(const struct task_text_input *in, struct dstr *out)
{
    const struct JB_Type *job = in->job;
    /* the directory that jobs without -o write into is where they run */
    const struct stream streams[] = {
        { "stdin", "i", &job->JB_stdin_path_list, "/dev/null" },
        { "stdout", "o", &job->JB_stdout_path_list, task_cwd(in) },
        { "stderr", "e", &job->JB_stderr_path_list, task_cwd(in) },
    };
    bool has_staging =
        conf_get_bool(in->place->global_conf, in->place->host_conf, "delegated_file_staging");
    for (size_t i = 0; i < ARRAY_LEN(streams); i++)
        add_stream(in, &streams[i], has_staging, out);
}
