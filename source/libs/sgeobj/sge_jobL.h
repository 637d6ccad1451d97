/* The only list of what a job is. Sets of tasks (RN_Type) hold ordinals: 0 is the first task of the array.
 * JB_env_list and JB_script_ptr travel with the submit, then live in spool records of their own.
 * The order is that of the XML and JSON of `qstat -j`, which users know. Flags: cull.h and rows.h. */
SGE_ULONG  (JB_job_number,                        CULL_PRIMARY_KEY | CULL_SPOOL | JOB_TO_SCHEDD | JOB_ALWAYS_SHOWN)
SGE_ULONG  (JB_ar,                                CULL_SPOOL | JOB_IN_CATEGORY | JOB_ALWAYS_SHOWN)
SGE_STRING (JB_exec_file,                         CULL_SPOOL)                                /* job_scripts/<id> */
SGE_ULONG64(JB_submission_time,                   CULL_SPOOL | JOB_TO_SCHEDD | JOB_ALWAYS_SHOWN) /* seconds since 1970 */
SGE_STRING (JB_owner,                             CULL_SPOOL | CULL_INTERN | JOB_TO_SCHEDD)
SGE_ULONG  (JB_uid,                               CULL_SPOOL | JOB_ALWAYS_SHOWN)
SGE_STRING (JB_group,                             CULL_SPOOL | CULL_INTERN)
SGE_ULONG  (JB_gid,                               CULL_SPOOL | JOB_ALWAYS_SHOWN)
SGE_ULONG  (JB_round,                             CULL_SPOOL | CULL_OWN | JOB_NOT_TO_HOSTS)  /* how often numbers had begun again from 1 when it got its own */
SGE_STRING (JB_account,                           CULL_SPOOL | CULL_INTERN)                  /* -A; default "sge" */
SGE_STRING (JB_project,                           CULL_SPOOL | CULL_INTERN | JOB_IN_CATEGORY) /* -P */
SGE_STRING (JB_user_sets,                         CULL_INTERN | CULL_OWN | JOB_IN_CATEGORY | JOB_NOT_TO_HOSTS) /* that its owner is in, with blanks between: made by the qmaster */
SGE_STRING (JB_department,                        CULL_SPOOL | CULL_INTERN | JOB_TO_SCHEDD)
SGE_STRING (JB_cwd,                               CULL_SPOOL | CULL_INTERN)                  /* -cwd, -wd; NULL = home directory */
SGE_STRING (JB_directive_prefix,                  CULL_SPOOL | CULL_INTERN)                  /* -C; NULL = "#$" */
SGE_BOOL   (JB_merge_stderr,                      CULL_SPOOL | JOB_ALWAYS_SHOWN)             /* -j */
SGE_LIST   (JB_mail_list,               MR_Type,  CULL_SPOOL | CULL_INTERN)                  /* -M */
SGE_BOOL   (JB_notify,                            CULL_SPOOL | JOB_ALWAYS_SHOWN)
SGE_STRING (JB_job_name,                          CULL_SPOOL)
SGE_LIST   (JB_stdout_path_list,        PN_Type,  CULL_SPOOL | CULL_INTERN)                  /* -o */
SGE_LIST   (JB_stdin_path_list,         PN_Type,  CULL_SPOOL | CULL_INTERN)                  /* -i */
SGE_ULONG  (JB_jobshare,                          CULL_SPOOL | JOB_TO_SCHEDD | JOB_ALWAYS_SHOWN) /* -js */
SGE_LIST   (JB_hard_resource_list,      CE_Type,  CULL_SPOOL | CULL_INTERN | JOB_IN_CATEGORY) /* -hard -l */
SGE_LIST   (JB_soft_resource_list,      CE_Type,  CULL_SPOOL | CULL_INTERN | JOB_IN_CATEGORY)
SGE_LIST   (JB_hard_queue_list,         QR_Type,  CULL_SPOOL | CULL_INTERN | JOB_IN_CATEGORY) /* -q */
SGE_LIST   (JB_soft_queue_list,         QR_Type,  CULL_SPOOL | CULL_INTERN | JOB_IN_CATEGORY)
SGE_LIST   (JB_master_hard_queue_list,  QR_Type,  CULL_SPOOL | CULL_INTERN | JOB_IN_CATEGORY) /* -masterq */
SGE_LIST   (JB_shell_list,              PN_Type,  CULL_SPOOL | CULL_INTERN)                  /* -S */
SGE_LIST   (JB_env_list,                VA_Type,  CULL_DEFAULT)                              /* -v, -V and __SGE_PREFIX__O_... */
SGE_LIST   (JB_job_args,                ST_Type,  CULL_SPOOL)
SGE_STRING (JB_script_file,                       CULL_SPOOL)                                /* as given on the command line; STDIN */
SGE_LIST   (JB_context,                 VA_Type,  CULL_SPOOL)                                /* -ac, -dc, -sc */
SGE_LIST   (JB_stderr_path_list,        PN_Type,  CULL_SPOOL | CULL_INTERN)                  /* -e */
/* dependencies between jobs */
SGE_LIST   (JB_jid_request_list,        JRE_Type, CULL_DEFAULT | CULL_SPOOL | JOB_NOT_TO_HOSTS)
SGE_LIST   (JB_jid_predecessor_list,    JRE_Type, CULL_DEFAULT | CULL_SPOOL | JOB_NOT_TO_HOSTS)
SGE_LIST   (JB_jid_sucessor_list,       JRE_Type, CULL_DEFAULT | JOB_NOT_TO_HOSTS)
/* dependencies between the tasks of array jobs */
SGE_LIST   (JB_ja_ad_request_list,      JRE_Type, CULL_DEFAULT | CULL_SPOOL | JOB_NOT_TO_HOSTS)
SGE_LIST   (JB_ja_ad_predecessor_list,  JRE_Type, CULL_DEFAULT | CULL_SPOOL | JOB_TO_SCHEDD | JOB_NOT_TO_HOSTS)
SGE_LIST   (JB_ja_ad_sucessor_list,     JRE_Type, CULL_DEFAULT | JOB_NOT_TO_HOSTS)
/* what policies and hosts receive */
SGE_ULONG64(JB_deadline,                          CULL_SPOOL | JOB_TO_SCHEDD | JOB_ALWAYS_SHOWN) /* -dl */
SGE_ULONG64(JB_execution_time,                    CULL_SPOOL | JOB_TO_SCHEDD | JOB_ALWAYS_SHOWN) /* -a; 0 = at once */
SGE_STRING (JB_checkpoint_name,                   CULL_SPOOL | JOB_IN_CATEGORY)              /* -ckpt */
SGE_ULONG  (JB_checkpoint_attr,                   CULL_SPOOL | JOB_ALWAYS_SHOWN)             /* -c letters as bits */
SGE_ULONG  (JB_checkpoint_interval,               CULL_SPOOL | JOB_ALWAYS_SHOWN)
SGE_BOOL   (JB_reserve,                           CULL_SPOOL | JOB_IN_CATEGORY | JOB_ALWAYS_SHOWN) /* -R */
SGE_BOOL   (JB_is_immediate,                      CULL_SPOOL | CULL_OWN | JOB_IN_CATEGORY)   /* -now y, until all its tasks have started */
SGE_BOOL   (JB_hard_error_handling,               CULL_SPOOL)                                /* -he */
SGE_ULONG  (JB_mail_options,                      CULL_SPOOL | JOB_ALWAYS_SHOWN)             /* -m: MAIL_AT_... bits */
SGE_ULONG  (JB_priority,                          CULL_SPOOL | JOB_TO_SCHEDD | JOB_ALWAYS_SHOWN) /* -p + 1024: 0..2048 */
SGE_ULONG  (JB_restart,                           CULL_SPOOL | JOB_ALWAYS_SHOWN)             /* -r: 0 = as the queue says, 1 = yes, 2 = no */
SGE_ULONG  (JB_script_size,                       CULL_SPOOL | JOB_ALWAYS_SHOWN)
SGE_STRING (JB_script_ptr,                        CULL_LONG)                                 /* the script itself */
SGE_STRING (JB_pe,                                CULL_SPOOL | CULL_INTERN | JOB_IN_CATEGORY) /* -pe */
SGE_LIST   (JB_pe_range,                RN_Type,  CULL_SPOOL | JOB_IN_CATEGORY)              /* slots asked for, as numbers */
SGE_ULONG  (JB_verify_suitable_queues,            CULL_SPOOL | JOB_ALWAYS_SHOWN)             /* -w */
SGE_ULONG  (JB_override_tickets,                  CULL_SPOOL | JOB_TO_SCHEDD | JOB_ALWAYS_SHOWN)
SGE_ULONG  (JB_version,                           CULL_SPOOL | JOB_ALWAYS_SHOWN)             /* counts the alters */
/* the array and its tasks */
SGE_ULONG  (JB_ja_first,                          CULL_SPOOL | JOB_TO_SCHEDD)                /* -t as submitted: 1-10:4 is 1, 10, 4 */
SGE_ULONG  (JB_ja_last,                           CULL_SPOOL | JOB_TO_SCHEDD)
SGE_ULONG  (JB_ja_step,                           CULL_SPOOL | JOB_TO_SCHEDD)
SGE_LIST   (JB_ja_pending_ids,          RN_Type,  CULL_DEFAULT | JOB_NOT_TO_HOSTS)           /* neither started nor ended, whatever holds them */
SGE_LIST   (JB_ja_u_h_ids,              RN_Type,  CULL_SPOOL | JOB_NOT_TO_HOSTS)             /* tasks with a user hold ... */
SGE_LIST   (JB_ja_o_h_ids,              RN_Type,  CULL_SPOOL | JOB_NOT_TO_HOSTS)             /* ... operator hold */
SGE_LIST   (JB_ja_s_h_ids,              RN_Type,  CULL_SPOOL | JOB_NOT_TO_HOSTS)             /* ... system (manager) hold */
SGE_LIST   (JB_ja_a_h_ids,              RN_Type,  CULL_DEFAULT | CULL_SPOOL | JOB_NOT_TO_HOSTS)
SGE_ULONG  (JB_type,                              CULL_SPOOL | JOB_TO_SCHEDD | JOB_ALWAYS_SHOWN) /* JOB_TYPE_... bits */
SGE_LIST   (JB_limit_list,              ST_Type,  CULL_OWN | JOB_NOT_TO_HOSTS)               /* "TASK words": the last tasks that a limit has ended; made by the qmaster */
SGE_LIST   (JB_binding,                 BN_Type,  CULL_SPOOL)
SGE_ULONG  (JB_ja_task_concurrency,               CULL_SPOOL | JOB_TO_SCHEDD | JOB_ALWAYS_SHOWN) /* -tc; 0 = no limit */
SGE_BOOL   (JB_pty,                               CULL_SPOOL | CULL_OWN)                     /* interactive: its client gives it a terminal */
SGE_STRING (JB_session_digest,                    CULL_SPOOL | CULL_OWN)                     /* interactive: SHA-256 of the secret of its client, as text */
SGE_ULONG64(JB_files_bytes,                       CULL_SPOOL | CULL_OWN)                     /* what JB_env_list and JB_script_ptr have in the spool */
SGE_ULONG64(JB_session,                           CULL_SPOOL | CULL_OWN | JOB_NOT_TO_HOSTS)  /* SN_number of the session that keeps the ends of its tasks; 0: none does */
SGE_STRING (JB_request_id,                        CULL_SPOOL | CULL_OWN | JOB_NOT_TO_HOSTS)  /* the client's: a retry cannot submit twice */
