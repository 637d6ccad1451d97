/* Who may use a place: one door of it, as its lists say (queue_conf(5)). Names of user sets and of projects, with blanks between; NULL: no list. */
SGE_STRING(AC_user_lists,  CULL_DEFAULT)
SGE_STRING(AC_xuser_lists, CULL_DEFAULT)
SGE_STRING(AC_projects,    CULL_DEFAULT)
SGE_STRING(AC_xprojects,   CULL_DEFAULT)
