/* What the parts of a shepherd share: made from the files of the task's directory, and the one
 * way in which processes start. */
#include "daemons/shepherd/shepherd.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "daemons/shepherd/msg_shepherd.h"
#include "libs/task/task_dir.h"
#include "libs/uti/answer.h"
#include "libs/uti/time.h"

enum { FORK_AGAIN_US = 1000 * 1000 };
_Static_assert((int)LAUNCHES_AT_ONCE >= (int)SUPERVISE_CHILDREN, "each has a result");

void shepherd_say(struct shepherd *s, uid_t uid, pid_t pid, const char *text)
{
    trace_add(&s->trace, "%s", text);
    task_error(uid, pid, text);
    (void)snprintf(s->last_said, sizeof s->last_said, "%s", text);
}

/* for a starter_method: what would have started the job */
static void set_starter(struct shepherd *s)
{
    static const char *const modes[] = { [SCRIPT_POSIX] = "posix_compliant",
                                         [SCRIPT_UNIX] = "unix_behavior",
                                         [SCRIPT_STDIN] = "script_from_stdin" };
    const struct task_config *conf = &s->conf;
    environment_set(&s->env, "SGE_STARTER_SHELL_PATH", conf->shell);
    environment_set(&s->env, "SGE_STARTER_SHELL_START_MODE", modes[conf->mode]);
    environment_set(&s->env, "SGE_STARTER_USE_LOGIN_SHELL",
                    conf->is_login_shell ? "true" : "false");
}

static void prepare_launches(struct shepherd *s)
{
    if (s->conf.starter != NULL)
        set_starter(s);
    environment_for_hooks(&s->hook_env, &s->env);
    const char *saved_in = environment_get(&s->env, "SGE_CKPT_DIR"); /* maybe the submitter's */
    if (s->conf.checkpoint.is_there && saved_in != NULL)
        environment_set(&s->hook_env, "SGE_CKPT_DIR", saved_in);
    launch_prepare(&s->launch, LAUNCH_JOB, &s->conf, &s->env);
    s->launch.io.session = &s->session;
    launch_prepare(&s->hook_launch, LAUNCH_HOOK, &s->conf, &s->hook_env);
    s->launch.who = s->hook_launch.who = s->pe_launch.who = &s->conf.who;
    const struct plan_row *rows = s->conf.plan.rows;
    if (rows[PLAN_PE_START].command == NULL && rows[PLAN_PE_STOP].command == NULL)
        return;
    environment_for_hooks(&s->pe_env, &s->env);
    launch_prepare(&s->pe_launch, LAUNCH_PE_HOOK, &s->conf, &s->pe_env);
}

int shepherd_launch_as(const struct shepherd *s, const char *key, enum launch_kind kind,
                       struct launch *l, struct job_identity *who, struct environment *env,
                       struct answer *ans)
{
    struct job_identity found;
    if (identity_of_hook(&found, &s->conf.lines, key, ans) != 0)
        return -1;
    bool is_owner = found.uid == s->conf.who.uid;
    if (is_owner && kind == LAUNCH_JOB) {
        identity_free(&found);
        return 0; /* L is so already */
    }
    launch_clear(l);
    identity_free(who);
    environment_free(env);
    *who = found;
    if (is_owner)
        environment_for_hooks(env, &s->env);
    else
        environment_for_others(env, &s->env);
    launch_prepare(l, kind, &s->conf, env);
    l->io.session = kind == LAUNCH_JOB ? &s->session : NULL;
    l->who = who;
    l->files_as = &s->conf.who;
    return 0;
}

unsigned shepherd_read(struct shepherd *s)
{
    struct config lines = { 0 }, variables = { 0 };
    struct answer ans = ANSWER_INIT;
    unsigned failed = TASK_FAILED_NOT;
    if (config_read(&lines, TASK_FILE_CONFIG, &ans) != 0 ||
        config_read(&variables, TASK_FILE_ENVIRONMENT, &ans) != 0 ||
        task_config_from(&s->conf, &lines, &ans) != 0 ||
        (s->page == NULL && (s->page = launch_page_new(&ans)) == NULL)) {
        failed = TASK_FAILED_READING_CONFIG;
        shepherd_say(s, geteuid(), getpid(), ans_first_error(&ans));
    } else {
        s->trace.is_on = s->conf.is_traced;
        environment_from(&s->env, &variables);
        prepare_launches(s);
    }
    config_free(&lines);
    config_free(&variables);
    ans_free(&ans);
    return failed;
}

void shepherd_clear(struct shepherd *s)
{
    struct launch *launches[] = { &s->launch, &s->hook_launch, &s->pe_launch, &s->other_launch };
    struct environment *environments[] = { &s->env, &s->hook_env, &s->pe_env, &s->other_env,
                                           &s->job_other_env };
    for (size_t i = 0; i < ARRAY_LEN(launches); i++)
        launch_clear(launches[i]);
    for (size_t i = 0; i < ARRAY_LEN(environments); i++)
        environment_free(environments[i]);
    identity_free(&s->other);
    identity_free(&s->job_other);
    trace_free(&s->trace);
    task_config_free(&s->conf);
    *s = (struct shepherd){
        .self = s->self, .signal_fd = s->signal_fd, .page = s->page, .is_exposed = s->is_exposed
    };
}

void shepherd_expose(struct shepherd *s)
{
    if (s->conf.who.is_switch && !s->is_exposed)
        privilege_expose();
    s->is_exposed = s->conf.who.is_switch;
}

void shepherd_protect(struct shepherd *s)
{
    if (s->is_exposed)
        privilege_protect();
    s->is_exposed = false;
}

pid_t shepherd_launch(struct shepherd *s, const struct launch *l, struct launch_result *result,
                      struct answer *ans)
{
    pid_t pid;
    while ((pid = launch_start(l, s->page, result, ans)) < 0 &&
           ans->v[0].status == STATUS_ESHORTAGE) {
        trace_add(&s->trace, "%s", ans_first_error(ans));
        int sig = supervise_sleep(&s->supervisor, uti_mono_us() + FORK_AGAIN_US, SUPERVISE_ENDING);
        s->is_terminated = s->is_terminated || (sig != 0 && sig != SIGCHLD);
        if (s->is_terminated)
            break;
        ans_free(ans);
    }
    return pid;
}
