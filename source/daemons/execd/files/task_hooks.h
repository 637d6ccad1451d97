#ifndef EXECD_FILES_TASK_HOOKS_H
#define EXECD_FILES_TASK_HOOKS_H

#include "daemons/execd/files/task_input.h"

/* The commands of queue, configuration, parallel and checkpointing environment that a shepherd runs
 * for a task, and the users that stand in front of them ("user@/path arguments"). The shepherd has
 * no name service: it gets the ids of such a user as "KEY_as=uid:gid:group,group". Pure. */
struct answer;
struct dstr;

enum { TASK_HOOKS = 14, HOOK_USERS_MOST = TASK_HOOKS };
/* What this host knows of the users in front of hooks, each once. */
struct hook_user {
    char *name;  /* owned */
    char *ids;   /* owned, "uid:gid:group,group"; NULL: see error */
    char *error; /* owned: why nothing may, or can, run as this user; NULL: nothing is wrong */
};
struct hook_users {
    struct hook_user v[HOOK_USERS_MOST];
    uint32_t n;
};

/* task_hook - key and command of hook I; the command is NULL if none is configured */
const char *task_hook_key(unsigned i);
const char *task_hook(const struct task_text_input *in, unsigned i);
/* task_session_daemon - what is configured to serve the client of the job; NULL: builtin, or no
 * session */
const char *task_session_daemon(const struct task_text_input *in);
/* task_hooks_users - the users in front of hooks of a task: new, hook_users_free; NULL: there are
 * none, which is nearly always so */
struct hook_users *task_hooks_users(const struct task_text_input *in);
void hook_users_free(struct hook_users *users); /* NULL is fine */
/* hook_users_have - are all of OTHERS among USERS? NULL is fine for both */
bool hook_users_have(const struct hook_users *users, const struct hook_users *others);
/* hook_user_is_listed - does LIST, "hook_users" of bootstrap(5) or NULL, have NAME? */
bool hook_user_is_listed(const char *list, const char *name);
/* hook_user_resolved - HOOK gets ids or error from USER, the answer of the name service. OWNER of
 * the job is always permitted; others must be in LIST, "hook_users" of bootstrap(5), NULL: there
 * are none. EUID: of this execd */
void hook_user_resolved(struct hook_user *hook, const struct user *user, const char *owner,
                        const char *list, uid_t euid);

/* task_hooks_config - append hooks that queue and configuration name; task_hooks_as - append the
 * ids of users in front of any, and set_token_cmd, which is root's. Returns 0, or -1 with ans
 * naming the hook whose user cannot be used */
void task_hooks_config(const struct task_text_input *in, struct dstr *out);
int task_hooks_as(const struct task_text_input *in, struct dstr *out, struct answer *ans);

#endif
