/* What users may say of a job: rows for libs/cli, the qmaster and what commands show. A reader defines the macros of the rows
 * that it wants and includes this file; the others vanish. Adding an option: doc/developing/3-changing-things.md 3.2.
 *
 * 1. OPTION     every option of qsub, qalter, qresub, qhold, qrls, qdel and qmod, in the order of -help (libs/cli/option.h)
 * 2. ATTRIBUTE  what of a job users set, in the order of qalter's answers (libs/sgeobj/job_attribute.h)
 * 3. LINE       what `qstat -j` shows of a job, in its order, also what no option sets (clients/common/job_detail.c) */
#ifndef OPTION
#define OPTION(option, argument, sets, parser, where, documented)
#define HELP(words)
#define HIDDEN()
#define LATER(words)
#define WAITS(words)
#endif
#ifndef ATTRIBUTE
#define ATTRIBUTE(field, noun, flags, most)
#define ATTRIBUTE_LIST(field, noun, flags, most, entries, entry)
#endif
#ifndef LINE
#define LINE(label, field, how)
#define LINE_OF_SUBMITTER(label, variable)
#endif

/* Behind a row: HELP = it works; LATER = stored and shown, one warning; WAITS = refused as "not supported yet";
 * HIDDEN = not in -help. The string is its line there.
 *
 *     option          argument        sets                   parser           where                    documented */
OPTION("-a", "date_time", JB_execution_time, parse_date, QSUB | QALTER | QRESUB | SCRIPT,
       "submit(1)")
HELP("request a start time")
OPTION("-ac", "context_list", JB_context, parse_context, QSUB | QALTER | SCRIPT, "submit(1)")
HELP("add context variable(s)")
OPTION("-ar", "ar_id", JB_ar, parse_number, QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
HELP("bind job to advance reservation")
OPTION("-A", "account_string", JB_account, parse_text, QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
HELP("account string in accounting record")
OPTION("-b", "yes_no", JB_type, parse_is_binary, QSUB | SCRIPT, "submit(1)")
HELP("handle command as binary")
OPTION("-binding", "[env|pe|set] binding", JB_binding, parse_binding,
       QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
LATER("binds job to processor cores")
OPTION("-c", "ckpt_selector", JB_checkpoint_attr, parse_checkpoint_when,
       QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
LATER("define type of checkpointing for job")
OPTION("-ckpt", "ckpt_name", JB_checkpoint_name, parse_text, QSUB | QALTER | QRESUB | SCRIPT,
       "submit(1)")
LATER("request checkpoint method")
OPTION("-clear", "", OPTION_SETS_NOTHING, parse_nothing, QSUB | SCRIPT, "submit(1)")
HELP("skip previous definitions for job")
OPTION("-cwd", "", JB_cwd, parse_cwd, QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
HELP("use current working directory")
OPTION("-C", "directive_prefix", JB_directive_prefix, parse_text, QSUB | SCRIPT, "submit(1)")
HELP("define command prefix for job script")
OPTION("-dc", "simple_context_list", JB_context, parse_context, QSUB | QALTER | SCRIPT, "submit(1)")
HELP("delete context variable(s)")
OPTION("-dl", "date_time", JB_deadline, parse_date, QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
LATER("request a deadline initiation time")
OPTION("-e", "path_list", JB_stderr_path_list, parse_paths, QSUB | QALTER | QRESUB | SCRIPT,
       "submit(1)")
HELP("specify standard error stream path(s)")
OPTION("-f", "", OPTION_SETS_NOTHING, parse_force, QDEL, "qdel(1)")
HELP("force action")
OPTION("-fj", "", OPTION_SETS_NOTHING, parse_force, QDEL, "qdel(1)")
HELP("force action (the same as -f)")
OPTION("-h", "", JB_ja_u_h_ids, parse_user_hold, QSUB | SCRIPT, "submit(1)")
HELP("place user hold on job")
OPTION("-h", "hold_list", OPTION_SETS_NOTHING, parse_holds, QALTER | QRESUB | QHOLD | QRLS,
       "submit(1)")
HELP("list of hold types concerned")
OPTION("-hard", "", OPTION_SETS_NOTHING, parse_hard, QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
HELP("consider following requests \"hard\"")
OPTION("-he", "-yes_no", JB_hard_error_handling, parse_yes_no, QSUB | QALTER | SCRIPT, "submit(1)")
LATER("enable/disable hard error handling")
OPTION("-help", "", OPTION_SETS_NOTHING, parse_help, QSUB | QALTER | QRESUB | QHOLD | QRLS | QDEL,
       "submit(1)")
HELP("print this help")
OPTION("-hold_jid", "wc_job_list", JB_jid_request_list, parse_jid_list,
       QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
HELP("define jobnet interdependencies")
OPTION("-hold_jid_ad", "wc_job_list", JB_ja_ad_request_list, parse_jid_list,
       QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
HELP("define jobnet array interdependencies")
OPTION("-i", "file_list", JB_stdin_path_list, parse_paths, QSUB | QALTER | QRESUB | SCRIPT,
       "submit(1)")
HELP("specify standard input stream file(s)")
OPTION("-j", "yes_no", JB_merge_stderr, parse_yes_no, QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
HELP("merge stdout and stderr stream of job")
OPTION("-js", "job_share", JB_jobshare, parse_job_share, QSUB | QALTER | QRESUB | SCRIPT,
       "submit(1)")
LATER("share tree or functional job share")
OPTION("-jsv", "jsv_url", OPTION_SETS_NOTHING, NULL, QSUB | SCRIPT, "submit(1)")
WAITS("job submission verification script to be used")
OPTION("-l", "resource_list", JB_hard_resource_list, parse_resources,
       QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
HELP("request the given resources")
OPTION("-M", "mail_list", JB_mail_list, parse_mail_list, QSUB | QALTER | QRESUB | SCRIPT,
       "submit(1)")
LATER("notify these e-mail addresses")
OPTION("-m", "mail_options", JB_mail_options, parse_mail_when, QSUB | QALTER | QRESUB | SCRIPT,
       "submit(1)")
LATER("define mail notification events")
OPTION("-masterq", "wc_queue_list", JB_master_hard_queue_list, parse_queues,
       QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
HELP("bind master task to queue(s)")
OPTION("-N", "name", JB_job_name, parse_job_name, QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
HELP("specify job name")
OPTION("-notify", "", JB_notify, parse_yes, QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
HELP("notify job before killing/suspending it")
OPTION("-now", "yes_no", JB_is_immediate, parse_now, QSUB | SCRIPT, "submit(1)")
HELP("start job immediately or not at all")
OPTION("-o", "path_list", JB_stdout_path_list, parse_paths, QSUB | QALTER | QRESUB | SCRIPT,
       "submit(1)")
HELP("specify standard output stream path(s)")
OPTION("-ot", "tickets", JB_override_tickets, parse_number, QSUB | QALTER | SCRIPT, "submit(1)")
LATER("set job's override tickets")
OPTION("-P", "project_name", JB_project, parse_project, QSUB | QALTER | QRESUB | SCRIPT,
       "submit(1)")
HELP("set job's project")
OPTION("-p", "priority", JB_priority, parse_priority, QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
HELP("define job's relative priority")
OPTION("-pe", "wc_pe_name slot_range", JB_pe, parse_pe, QSUB | QALTER | QRESUB | SCRIPT,
       "submit(1)")
HELP("request slot range for parallel jobs")
OPTION("-q", "wc_queue_list", JB_hard_queue_list, parse_queues, QSUB | QALTER | QRESUB | SCRIPT,
       "submit(1)")
HELP("bind job to queue(s)")
OPTION("-R", "yes_no", JB_reserve, parse_yes_no, QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
LATER("reservation desired")
OPTION("-r", "yes_no", JB_restart, parse_restart, QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
HELP("define job as (not) restartable")
OPTION("-sc", "context_list", JB_context, parse_context, QSUB | QALTER | SCRIPT, "submit(1)")
HELP("set job context (replaces old context)")
OPTION("-shell", "yes_no", JB_type, parse_shell_use, QSUB | SCRIPT, "submit(1)")
HELP("start command with or without wrapping <loginshell> -c")
OPTION("-soft", "", OPTION_SETS_NOTHING, parse_soft, QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
HELP("consider following requests as soft")
OPTION("-sync", "yes_no", OPTION_SETS_NOTHING, parse_sync, QSUB | SCRIPT, "submit(1)")
HELP("wait for job to end and return exit code")
OPTION("-S", "path_list", JB_shell_list, parse_paths, QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
HELP("command interpreter to be used")
OPTION("-t", "task_id_range", JB_ja_first, parse_tasks, QSUB | SCRIPT, "submit(1)")
HELP("create a job-array with these tasks")
OPTION("-t", "task_id_range", OPTION_SETS_NOTHING, parse_lonely_tasks, QALTER | QHOLD | QRLS | QDEL,
       "submit(1)")
HIDDEN()
OPTION("-tc", "max_running_tasks", JB_ja_task_concurrency, parse_task_concurrency, QSUB | SCRIPT,
       "submit(1)")
HELP("throttle the number of concurrent tasks")
OPTION("-tc", "max_running_tasks", JB_ja_task_concurrency, parse_task_concurrency, QALTER | QRESUB,
       "submit(1)")
HIDDEN()
OPTION("-terse", "", OPTION_SETS_NOTHING, parse_terse, QSUB | QRESUB | SCRIPT, "submit(1)")
HELP("tersed output, print only the job-id")
OPTION("-u", "user_list", OPTION_SETS_NOTHING, parse_users, QALTER | QHOLD | QRLS, "submit(1)")
HELP("specify a list of users\n(not allowed in combination with job_task_list)")
OPTION("-u", "user_list", OPTION_SETS_NOTHING, parse_users, QDEL, "qdel(1)")
HELP("delete all jobs of users specified in list")
OPTION("-u", "user_list", OPTION_SETS_NOTHING, parse_no_users, QSUB, "submit(1)")
HIDDEN()
OPTION("-v", "variable_list", JB_env_list, parse_variables, QSUB | QALTER | QRESUB | SCRIPT,
       "submit(1)")
HELP("export these environment variables")
OPTION("-verify", "", OPTION_SETS_NOTHING, parse_verify, QSUB | QALTER | SCRIPT, "submit(1)")
HELP("do not submit, just verify")
OPTION("-V", "", JB_env_list, parse_all_variables, QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
HELP("export all environment variables")
OPTION("-w", "verify_mode", JB_verify_suitable_queues, parse_verify_mode,
       QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
HELP("verify mode (error|warning|none|just verify|poke) for jobs")
OPTION("-wd", "working_directory", JB_cwd, parse_wd, QSUB | QALTER | QRESUB | SCRIPT, "submit(1)")
HELP("use working_directory")
OPTION("-@", "file", OPTION_SETS_NOTHING, parse_nothing, QSUB | QALTER | QRESUB, "submit(1)")
HELP("read commandline input from file")

OPTION("-c", "job_wc_queue_list ...", OPTION_SETS_NOTHING, parse_action, QMOD, "qmod(1)")
HELP("clear error state")
OPTION("-cj", "job_list ...", OPTION_SETS_NOTHING, parse_action, QMOD, "qmod(1)")
HELP("clear job error state")
OPTION("-cq", "wc_queue_list ...", OPTION_SETS_NOTHING, parse_action, QMOD, "qmod(1)")
HELP("clear queue error state")
OPTION("-d", "wc_queue_list ...", OPTION_SETS_NOTHING, parse_action, QMOD, "qmod(1)")
HELP("disable")
OPTION("-e", "wc_queue_list ...", OPTION_SETS_NOTHING, parse_action, QMOD, "qmod(1)")
HELP("enable")
OPTION("-f", "", OPTION_SETS_NOTHING, parse_force, QMOD, "qmod(1)")
HELP("force action")
OPTION("-help", "", OPTION_SETS_NOTHING, parse_help, QMOD, "qmod(1)")
HELP("print this help")
OPTION("-r", "job_wc_queue_list ...", OPTION_SETS_NOTHING, parse_action, QMOD, "qmod(1)")
HELP("reschedule jobs (running in queue)")
OPTION("-rj", "job_list ...", OPTION_SETS_NOTHING, parse_action, QMOD, "qmod(1)")
HELP("reschedule jobs")
OPTION("-rq", "wc_queue_list ...", OPTION_SETS_NOTHING, parse_action, QMOD, "qmod(1)")
HELP("reschedule all jobs in a queue")
OPTION("-s", "job_wc_queue_list ...", OPTION_SETS_NOTHING, parse_action, QMOD, "qmod(1)")
HELP("suspend")
OPTION("-sj", "job_list ...", OPTION_SETS_NOTHING, parse_action, QMOD, "qmod(1)")
HELP("suspend jobs")
OPTION("-sq", "wc_queue_list ...", OPTION_SETS_NOTHING, parse_action, QMOD, "qmod(1)")
HELP("suspend queues")
OPTION("-us", "job_wc_queue_list ...", OPTION_SETS_NOTHING, parse_action, QMOD, "qmod(1)")
HELP("unsuspend")
OPTION("-usj", "job_list ...", OPTION_SETS_NOTHING, parse_action, QMOD, "qmod(1)")
HELP("unsuspend jobs")
OPTION("-usq", "wc_queue_list ...", OPTION_SETS_NOTHING, parse_action, QMOD, "qmod(1)")
HELP("unsuspend queues")
OPTION("-t", "task_id_range", OPTION_SETS_NOTHING, parse_action_tasks, QMOD, "qmod(1)")
HIDDEN()

/* A field without a row is the qmaster's alone: what a submit says of it is dropped.
 * most: of a number, of the bytes of a text, of those of each text in a list; entries: of a list, and what they are called.
 *
 *             field                      noun                        flags                        most     entries */
ATTRIBUTE(JB_priority, "priority", JOB_ALTERED, 2 * JOB_PRIORITY_BASE)
ATTRIBUTE(JB_jobshare, "job share", JOB_ALTERED, UINT32_MAX)
ATTRIBUTE_LIST(JB_jid_request_list, "list of jobs to wait for", JOB_ALTERED_APART, NAME_MOST, 10000,
               "jobs to wait for")
ATTRIBUTE_LIST(JB_ja_ad_request_list, "list of jobs to wait for", JOB_ALTERED_APART, NAME_MOST,
               10000, "arrays to wait for")
ATTRIBUTE(JB_execution_time, "start time", JOB_ALTERED, TIME_MOST)
ATTRIBUTE(JB_account, "account", JOB_ALTERED, NAME_MOST)
ATTRIBUTE(JB_is_immediate, "immediate start", JOB_FIXED, 1)
ATTRIBUTE(JB_cwd, "working directory", JOB_ALTERED, PATH_MOST)
ATTRIBUTE_LIST(JB_stderr_path_list, "stderr path list", JOB_ALTERED, PATH_MOST, 1000,
               "error output paths")
ATTRIBUTE_LIST(JB_stdin_path_list, "stdin path list", JOB_ALTERED, PATH_MOST, 1000, "input paths")
ATTRIBUTE_LIST(JB_stdout_path_list, "stdout path list", JOB_ALTERED, PATH_MOST, 1000,
               "output paths")
ATTRIBUTE(JB_merge_stderr, "merge behaviour", JOB_ALTERED, 1)
ATTRIBUTE_LIST(JB_hard_resource_list, "hard resource list", JOB_ALTERED, PATH_MOST, 1000,
               "hard resource requests")
ATTRIBUTE_LIST(JB_soft_resource_list, "soft resource list", JOB_ALTERED, PATH_MOST, 1000,
               "soft resource requests")
ATTRIBUTE(JB_mail_options, "mail options", JOB_ALTERED, MAIL_OPTIONS_MOST)
ATTRIBUTE_LIST(JB_mail_list, "mail list", JOB_ALTERED, NAME_MOST, 1000, "mail addresses")
ATTRIBUTE(JB_job_name, "job name", JOB_ALTERED, NAME_MOST)
ATTRIBUTE(JB_notify, "notify behaviour", JOB_ALTERED, 1)
ATTRIBUTE(JB_pe, "parallel environment", JOB_ALTERED, NAME_MOST)
ATTRIBUTE(JB_pe_range, "slot range", JOB_ALTERED_ALONG, ANY)
ATTRIBUTE(JB_project, "project", JOB_ALTERED, NAME_MOST)
ATTRIBUTE_LIST(JB_hard_queue_list, "hard queue list", JOB_ALTERED, NAME_MOST, 1000,
               "hard queue requests")
ATTRIBUTE_LIST(JB_soft_queue_list, "soft queue list", JOB_ALTERED, NAME_MOST, 1000,
               "soft queue requests")
ATTRIBUTE_LIST(JB_master_hard_queue_list, "master hard queue list", JOB_ALTERED, NAME_MOST, 1000,
               "master queue requests")
ATTRIBUTE(JB_restart, "restart behaviour", JOB_ALTERED, RESTART_NO)
ATTRIBUTE_LIST(JB_shell_list, "shell list", JOB_ALTERED, PATH_MOST, 1000, "shells")
ATTRIBUTE_LIST(JB_job_args, "job arguments", JOB_ALTERED | JOB_FREE_TEXT, ANY, 16384, "arguments")
ATTRIBUTE_LIST(JB_env_list, "environment", JOB_ALTERED | JOB_FREE_TEXT, ANY, 16384,
               "environment variables")
ATTRIBUTE_LIST(JB_context, "context", JOB_ALTERED, ANY, 10000, "context variables")
ATTRIBUTE(JB_checkpoint_name, "checkpointing environment", JOB_ALTERED, NAME_MOST)
ATTRIBUTE(JB_checkpoint_attr, "checkpoint attributes", JOB_ALTERED, CHECKPOINT_ATTR_MOST)
ATTRIBUTE(JB_checkpoint_interval, "checkpoint interval", JOB_ALTERED, UINT32_MAX)
ATTRIBUTE(JB_deadline, "deadline initiation time", JOB_ALTERED, TIME_MOST)
ATTRIBUTE(JB_override_tickets, "override tickets", JOB_ALTERED, UINT32_MAX)
ATTRIBUTE(JB_reserve, "reservation behaviour", JOB_ALTERED, 1)
ATTRIBUTE(JB_hard_error_handling, "hard error handling", JOB_ALTERED, 1)
ATTRIBUTE(JB_ja_task_concurrency, "task concurrency", JOB_ALTERED | JOB_OF_ARRAYS, UINT32_MAX)
ATTRIBUTE_LIST(JB_binding, "binding", JOB_ALTERED, NAME_MOST, 1, "bindings")
/* of a submit alone */
ATTRIBUTE(JB_ar, "advance reservation", JOB_FIXED, UINT32_MAX)
ATTRIBUTE(JB_directive_prefix, "directive prefix", JOB_FIXED, NAME_MOST)
ATTRIBUTE(JB_script_file, "command", JOB_FREE_TEXT, ANY)
ATTRIBUTE(JB_script_size, "size of the script", JOB_FIXED, JOB_SCRIPT_MOST)
ATTRIBUTE(JB_script_ptr, "script", JOB_FREE_TEXT, ANY)
ATTRIBUTE(JB_type, "type", JOB_FIXED, JOB_TYPE_MOST)
ATTRIBUTE(JB_verify_suitable_queues, "verify mode", JOB_FIXED, VERIFY_POKE)
ATTRIBUTE(JB_ja_first, "first task id", JOB_FIXED, UINT32_MAX)
ATTRIBUTE(JB_ja_last, "last task id", JOB_FIXED, UINT32_MAX)
ATTRIBUTE(JB_ja_step, "step of the task ids", JOB_FIXED, UINT32_MAX)
ATTRIBUTE(JB_ja_u_h_ids, "user hold", JOB_FIXED, ANY)
ATTRIBUTE(JB_ja_o_h_ids, "operator hold", JOB_FIXED, ANY)
ATTRIBUTE(JB_ja_s_h_ids, "system hold", JOB_FIXED, ANY)

/* A label that ends with a blank or a new line is printed as it is, others in a column.
 *
 *   label                             field                      how: shown_... of clients/common/job_detail.c */
LINE("job_number:", JB_job_number, job_number)
LINE("exec_file:", JB_exec_file, exec_file)
LINE("submission_time:", JB_submission_time, time)
LINE("deadline:", JB_deadline, time)
LINE("owner:", JB_owner, any_text)
LINE("uid:", JB_uid, any_number)
LINE("group:", JB_group, any_text)
LINE("gid:", JB_gid, any_number)
LINE_OF_SUBMITTER("sge_o_home:", "O_HOME")
LINE_OF_SUBMITTER("sge_o_log_name:", "O_LOGNAME")
LINE_OF_SUBMITTER("sge_o_path:", "O_PATH")
LINE_OF_SUBMITTER("sge_o_shell:", "O_SHELL")
LINE_OF_SUBMITTER("sge_o_tz:", "O_TZ")
LINE_OF_SUBMITTER("sge_o_workdir:", "O_WORKDIR")
LINE_OF_SUBMITTER("sge_o_host:", "O_HOST")
LINE("execution_time:", JB_execution_time, time)
LINE("account:", JB_account, account)
LINE("checkpoint_object:", JB_checkpoint_name, text)
LINE("checkpoint_attr:", JB_checkpoint_attr, checkpoint_when)
LINE("cwd:", JB_cwd, text)
LINE("directive_prefix:", JB_directive_prefix, text)
LINE("stderr_path_list:", JB_stderr_path_list, paths)
LINE("reserve:", JB_reserve, yes)
LINE("merge:", JB_merge_stderr, yes)
LINE("hard resource_list:", JB_hard_resource_list, resources)
LINE("soft resource_list:", JB_soft_resource_list, resources)
LINE("mail_options:", JB_mail_options, mail_when)
LINE("mail_list:", JB_mail_list, addresses)
LINE("notify:", JB_notify, truth)
LINE("job_name:", JB_job_name, text)
LINE("stdout_path_list:", JB_stdout_path_list, paths)
LINE("stdin_path_list:", JB_stdin_path_list, paths)
LINE("priority:", JB_priority, priority)
LINE("jobshare:", JB_jobshare, any_number)
LINE("hard_queue_list:", JB_hard_queue_list, queues)
LINE("soft_queue_list:", JB_soft_queue_list, queues)
LINE("master_hard_queue_list:", JB_master_hard_queue_list, queues)
LINE("restart:", JB_restart, restart)
LINE("hard_error_handling:", JB_hard_error_handling, yes)
LINE("shell_list:", JB_shell_list, shells)
LINE("verify:", JB_job_number, verify)
LINE("env_list:", JB_env_list, environment)
LINE("job_args:", JB_job_args, words)
LINE("script_size:", JB_script_size, script_size)
LINE("script_file:", JB_script_file, text)
LINE("script_ptr:            \n", JB_script_ptr, script)
LINE("parallel environment:  ", JB_pe, pe)
LINE("jid_predecessor_list (req):", JB_jid_request_list, requested_jobs)
LINE("jid_predecessor_list:", JB_jid_predecessor_list, jobs)
LINE("jid_sucessor_list:", JB_jid_sucessor_list, jobs)
LINE("ja_ad_predecessor_list (req):", JB_ja_ad_request_list, requested_jobs)
LINE("ja_ad_predecessor_list:", JB_ja_ad_predecessor_list, jobs)
LINE("ja_ad_sucessor_list:", JB_ja_ad_sucessor_list, jobs)
LINE("verify_suitable_queues:", JB_verify_suitable_queues, number)
LINE("version:", JB_version, number)
LINE("project:", JB_project, text)
LINE("job-array tasks:", JB_ja_first, array)
LINE("maximum concurrency:", JB_ja_task_concurrency, number)
LINE("context:", JB_context, context)
LINE("binding:", JB_binding, binding)
LINE("job_type:", JB_type, type)

#undef OPTION
#undef HELP
#undef HIDDEN
#undef LATER
#undef WAITS
#undef ATTRIBUTE
#undef ATTRIBUTE_LIST
#undef LINE
#undef LINE_OF_SUBMITTER
