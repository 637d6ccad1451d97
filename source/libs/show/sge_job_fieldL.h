/* What listings show of a job: a row for each field.
 *
 *   FIELD(ID, any_of, none_of, title, value, needs, is_place, layouts)
 *
 *   any_of, none_of  the options that bring the field and take it away; 0: always, never
 *   title            of its column in windows; NULL: they have none
 *   value            function of job_table.c
 *   needs            field of the job, beside job_row_fields, or of its figures (PF_...), that its
 *                    value is made of
 *   is_place         lines that continue a task show it: the fields before are blank
 *   layouts          LIST: the lines of qstat; HOST: those below a host of qhost. Each has the head
 *                    of its column (that of several columns may be with the first of them) and its
 *                    form in text, XML and JSON (struct doc_field). */
/* clang-format off */
FIELD(KIND, 0, 0, NULL, v_kind, NULL, false, LIST(NULL, { .name = "state", .json = "kind", .only = XML_AND_JSON, .xml = { .place = DOC_ATTRIBUTE } }))
FIELD(NUMBER, 0, 0, "job", v_number, NULL, false, LIST("job-ID  ", BOTH("JB_job_number", 7, 0, 0)),
      HOST("job-ID  ", { .name = "name", .json = "job_number", .text = { .before = "   ", .width = 7, .after = " " }, .xml = { .place = DOC_ATTRIBUTE } }))
FIELD(PRIOR, 0, 0, NULL, v_prior, "PF_prior", false, LIST("prior   ", BOTH("JAT_prio", 7, 0, 5)),
      HOST("prior   ", { .name = "priority", .only = DOC_TEXT | DOC_JSON, .text = TEXT(7, 0, 5) }))
FIELD(PRIOR_QUOTED, 0, 0, NULL, v_prior_quoted, NULL, false, HOST(NULL, { .name = "priority", .only = DOC_XML }))
FIELD(INSTANCE, 0, 0, NULL, v_queue, NULL, false, HOST(NULL, { .name = "qinstance_name", .only = XML_AND_JSON }))
FIELD(NURG_TEXT, TABLE_URG | TABLE_PRI, 0, NULL, v_nurg, "PF_nurg", false, LIST("nurg    ", PAGE("nurg", 7, 0, 5)))
FIELD(NPPRIOR_TEXT, TABLE_PRI, 0, NULL, v_nppri, "PF_npprior", false, LIST("npprior ", PAGE("npprior", 7, 0, 5)))
FIELD(NTIX, TABLE_EXT | TABLE_PRI, 0, NULL, v_ntix, "PF_ntckts", false, LIST("ntckts  ", BOTH("JAT_ntix", 7, 0, 5)))
FIELD(NPPRI, TABLE_PRI, 0, NULL, v_nppri, "PF_npprior", false, LIST(NULL, DATA("JB_nppri")))
FIELD(NURG, TABLE_PRI | TABLE_URG, 0, NULL, v_nurg, "PF_nurg", false, LIST(NULL, DATA("JB_nurg")))
FIELD(URG, TABLE_URG, 0, NULL, v_urg, "PF_urg", false, LIST("urg      rrcontr  wtcontr  dlcontr  ", PAGE("urg", 8, 0, 0)))
FIELD(RRCONTR, TABLE_URG, 0, NULL, v_rrcontr, "PF_rrcontr", false, LIST(NULL, BOTH("JB_rrcontr", 8, 0, 0)))
FIELD(WTCONTR, TABLE_URG, 0, NULL, v_wtcontr, "PF_wtcontr", false, LIST(NULL, BOTH("JB_wtcontr", 8, 0, 0)))
FIELD(DLCONTR, TABLE_URG, 0, NULL, v_dlcontr, "PF_dlcontr", false, LIST(NULL, BOTH("JB_dlcontr", 8, 0, 0)))
FIELD(PRIORITY, TABLE_PRI, 0, "priority", v_posix_priority, "JB_priority", false, LIST(" ppri ", BOTH("JB_priority", 5, 0, 0)))
FIELD(NAME, 0, 0, "name", v_name, NULL, false, LIST("name       ", BOTH("JB_name", -10, 10, 0)),
      HOST("name       ", { .name = "job_name", .text = TEXT(-10, 10, 0) }))
FIELD(OWNER, 0, 0, "owner", v_owner, NULL, false, LIST("user         ", BOTH("JB_owner", -12, 12, 0)),
      HOST("user         ", { .name = "job_owner", .text = TEXT(-12, 12, 0) }))
FIELD(PROJECT_WORD, TABLE_EXT, 0, NULL, v_project_word, "JB_project", false, LIST("project          department ", PAGE("project", -16, 16, 0)))
FIELD(PROJECT, TABLE_EXT, 0, "project", v_project, "JB_project", false, LIST(NULL, DATA("JB_project")))
FIELD(DEPARTMENT, TABLE_EXT, 0, NULL, v_department, "JB_department", false, LIST(NULL, BOTH("JB_department", -10, 10, 0)))
FIELD(STATE, 0, 0, "state", v_state, NULL, false, LIST("state ", BOTH("state", -5, 5, 0)),
      HOST("state ", { .name = "job_state", .text = TEXT(-5, 5, 0) }))
FIELD(TIME, 0, TABLE_EXT | TABLE_URG, NULL, v_time, NULL, false, LIST("submit/start at     ", { DATE(DOC_TEXT) }),
      HOST("submit/start at     ", { .name = "start_time", .text = { .width = 19, .time = DOC_US_DATE, .after = " " } }))
FIELD(TIME_URG, TABLE_URG, 0, NULL, v_time, NULL, false, LIST("submit/start at      ", { DATE(DOC_TEXT) }))
FIELD(STARTED_XML, 0, 0, NULL, v_started_xml, NULL, false, LIST(NULL, { .name = "JAT_start_time", DATE(DOC_XML) }))
FIELD(SUBMITTED_XML, 0, 0, NULL, v_submitted_xml, NULL, false, LIST(NULL, { .name = "JB_submission_time", DATE(DOC_XML) }))
FIELD(STARTED, 0, 0, NULL, v_started, NULL, false, LIST(NULL, { .name = "JAT_start_time", DATE(DOC_JSON) }))
FIELD(SUBMITTED, 0, 0, "submitted", v_submitted, NULL, false, LIST(NULL, { .name = "JB_submission_time", DATE(DOC_JSON) }))
FIELD(DEADLINE, TABLE_URG, 0, NULL, v_deadline, "JB_deadline", false, LIST("deadline           ", { .name = "JB_deadline", DATE(DOC_TEXT | DOC_JSON) }))
FIELD(DEADLINE_XML, TABLE_URG, 0, NULL, v_deadline_xml, "JB_deadline", false, LIST(NULL, { .name = "JB_deadline", DATE(DOC_XML) }))
FIELD(CPU_TEXT, TABLE_EXT, 0, NULL, v_cpu_text, NULL, false, LIST("cpu        mem     io      ", PAGE("cpu", -10, 0, 0)))
FIELD(MEM_TEXT, TABLE_EXT, 0, NULL, v_mem_text, NULL, false, LIST(NULL, PAGE("mem", -7, 0, 5)))
FIELD(IO_TEXT, TABLE_EXT, 0, NULL, v_io_text, NULL, false, LIST(NULL, PAGE("io", -7, 0, 5)))
FIELD(CPU, TABLE_EXT, 0, NULL, v_cpu, NULL, false, LIST(NULL, DATA("cpu_usage")))
FIELD(MEM, TABLE_EXT, 0, NULL, v_mem, NULL, false, LIST(NULL, DATA("mem_usage")))
FIELD(IO, TABLE_EXT, 0, NULL, v_io, NULL, false, LIST(NULL, DATA("io_usage")))
FIELD(TICKETS, TABLE_EXT, 0, NULL, v_tickets, "PF_tickets", false, LIST("tckts ovrts otckt ftckt stckt share ", BOTH("tickets", 5, 0, 0)))
FIELD(OVERRIDE_TICKETS, TABLE_EXT, 0, NULL, v_override_tickets, "JB_override_tickets", false, LIST(NULL, BOTH("JB_override_tickets", 5, 0, 0)))
FIELD(JOBSHARE, TABLE_EXT, 0, NULL, v_jobshare, "JB_jobshare", false, LIST(NULL, DATA("JB_jobshare")))
FIELD(OTICKETS, TABLE_EXT, 0, NULL, v_otickets, "PF_otickets", false, LIST(NULL, BOTH("otickets", 5, 0, 0)))
FIELD(FTICKETS, TABLE_EXT, 0, NULL, v_ftickets, "PF_ftickets", false, LIST(NULL, BOTH("ftickets", 5, 0, 0)))
FIELD(STICKETS, TABLE_EXT, 0, NULL, v_stickets, "PF_stickets", false, LIST(NULL, BOTH("stickets", 5, 0, 0)))
FIELD(SHARE, TABLE_EXT, 0, NULL, v_share, "PF_share", false, LIST(NULL, BOTH("JAT_share", -5, 0, 2)))
FIELD(QUEUE, 0, TABLE_FULL, NULL, v_queue, NULL, true, LIST("queue                          ", BOTH("queue_name", -30, 30, 0)),
      HOST("queue      ", { .name = "queue_name", .text = TEXT(-10, 10, 0) }))
FIELD(SLOTS_TEXT, 0, TABLE_MASTER, NULL, v_slots, NULL, true, LIST("slots ", PAGE("slots", 5, 0, 0)))
FIELD(MASTER, TABLE_MASTER, 0, NULL, v_master, NULL, true, LIST("master ", BOTH("master", -6, 0, 0)),
      HOST("master ", { .name = "pe_master", .text = TEXT(-6, 0, 0) }))
FIELD(SLOTS, 0, 0, NULL, v_slots_each, NULL, true, LIST(NULL, DATA("slots")))
FIELD(TASKS_TEXT, 0, 0, NULL, v_tasks_text, NULL, true, LIST("ja-task-ID ", { .only = DOC_TEXT }), HOST("ja-task-ID ", { .only = DOC_TEXT }))
FIELD(TASKS, 0, 0, "tasks", v_tasks, NULL, true, LIST(NULL, DATA("tasks")), HOST(NULL, { .name = "taskid", .only = XML_AND_JSON }))
FIELD(PETASK, TABLE_TASKS, 0, NULL, v_petask, "JAT_petasks", true, LIST("task-ID ", { .name = "task-ID", .only = DOC_TEXT, .text = { .before = "   ", .width = -12, .after = " " } }))
FIELD(PETASK_STATE, TABLE_TASKS, 0, NULL, v_petask_state, NULL, true, LIST("state ", PAGE("state", -5, 5, 0)))
FIELD(PETASK_CPU, TABLE_TASKS, 0, NULL, v_petask_cpu, NULL, true, LIST("cpu        ", PAGE("cpu", 8, 0, 0)))
FIELD(PETASK_MEM, TABLE_TASKS, 0, NULL, v_petask_mem, NULL, true, LIST("mem     ", PAGE("mem", -7, 0, 5)))
FIELD(PETASK_IO, TABLE_TASKS, 0, NULL, v_petask_io, NULL, true, LIST("io      stat failed ", PAGE("io", -7, 0, 5)))
FIELD(PETASK_ID, TABLE_TASKS, 0, NULL, v_petask_id, "JAT_petasks", true, LIST(NULL, DATA("pe_task_id")))
FIELD(PETASK_CPU_S, TABLE_TASKS, 0, NULL, v_petask_cpu_s, NULL, true, LIST(NULL, DATA("pe_task_cpu")))
FIELD(PETASK_MEM_GB_S, TABLE_TASKS, 0, NULL, v_petask_mem, NULL, true, LIST(NULL, DATA("pe_task_mem")))
FIELD(PETASK_IO_GB, TABLE_TASKS, 0, NULL, v_petask_io, NULL, true, LIST(NULL, DATA("pe_task_io")))
