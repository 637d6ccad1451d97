/* The rows that a type has where it is declared (declare.h). No guard on purpose. */
CULL_HERE
