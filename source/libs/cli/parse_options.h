#ifndef CLI_PARSE_OPTIONS_H
#define CLI_PARSE_OPTIONS_H

#include "libs/sgeobj/rows.h"

/* The parsers that sge_optionL.h names, one per syntax; see option_fn. Source: submit(1),
 * sge_types(1), qdel(1), qmod(1). */
struct answer;
struct option_call; /* option.h */
#define OPTION_PARSER(name) int name(const struct option_call *call, struct answer *ans)

/* parse_basic.c: words, numbers, yes and no; the first four suit any field of their kind */
OPTION_PARSER(parse_text);
OPTION_PARSER(parse_project);
OPTION_PARSER(parse_number);
OPTION_PARSER(parse_yes_no);
OPTION_PARSER(parse_yes);     /* an option without an argument */
OPTION_PARSER(parse_nothing); /* -clear, -@: obeyed while the options are gathered */
OPTION_PARSER(parse_cwd);
OPTION_PARSER(parse_force);
OPTION_PARSER(parse_hard);
OPTION_PARSER(parse_help);
OPTION_PARSER(parse_is_binary);
OPTION_PARSER(parse_job_name);
OPTION_PARSER(parse_job_share);
OPTION_PARSER(parse_now);
OPTION_PARSER(parse_priority);
OPTION_PARSER(parse_restart);
OPTION_PARSER(parse_shell_use);
OPTION_PARSER(parse_soft);
OPTION_PARSER(parse_sync);
OPTION_PARSER(parse_terse);
OPTION_PARSER(parse_display);
OPTION_PARSER(parse_no_shell);
OPTION_PARSER(parse_no_stdin);
OPTION_PARSER(parse_detach);
OPTION_PARSER(parse_suspend_remote);
OPTION_PARSER(parse_pty);
OPTION_PARSER(parse_verbose);
OPTION_PARSER(parse_user_hold);
OPTION_PARSER(parse_verify);
OPTION_PARSER(parse_wd);

/* parse_basic.c: points in time and letters that name events */
OPTION_PARSER(parse_date);
OPTION_PARSER(parse_duration);
OPTION_PARSER(parse_end);
OPTION_PARSER(parse_checkpoint_when);
OPTION_PARSER(parse_mail_when);
OPTION_PARSER(parse_verify_mode);

/* parse_lists.c: lists of paths, queues, resources, addresses, users */
OPTION_PARSER(parse_mail_list);
OPTION_PARSER(parse_paths);
OPTION_PARSER(parse_queues);
OPTION_PARSER(parse_resources);
OPTION_PARSER(parse_users);
OPTION_PARSER(parse_no_users);

/* parse_lists.c: environment and context */
OPTION_PARSER(parse_all_variables);
OPTION_PARSER(parse_context);
OPTION_PARSER(parse_variables);

/* parse_slots.c: parallel environments and core binding */
OPTION_PARSER(parse_binding);
OPTION_PARSER(parse_pe);

/* parse_jobs.c: jobs, tasks, holds */
OPTION_PARSER(parse_action);
OPTION_PARSER(parse_action_tasks);
OPTION_PARSER(parse_holds);
OPTION_PARSER(parse_jid_list);
OPTION_PARSER(parse_lonely_tasks);
OPTION_PARSER(parse_task_concurrency);
OPTION_PARSER(parse_tasks);

/* job_env_set - variable NAME (LEN bytes) of the job's environment gets VALUE (NULL: named without
 * a value); copied */
void job_env_set(struct JB_Type *job, const char *name, size_t len, const char *value);

#endif
