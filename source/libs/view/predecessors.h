#ifndef VIEW_PREDECESSORS_H
#define VIEW_PREDECESSORS_H

#include "libs/mir/board.h"
#include "libs/sgeobj/ja_dependency.h"

/* What a job that is to be would wait for (-hold_jid, -hold_jid_ad), while the user is typing it,
 * and which of its tasks for which. Pure. */
struct dstr;

/* predecessors_why_not - append what is wrong with LIST: numbers and names of jobs with commas
 * between
 *   array  for -hold_jid_ad: the tasks of the job that is to be; NULL: for -hold_jid
 * False, and nothing in WHY, if nothing is, as far as the board knows. O(jobs x words) */
bool predecessors_why_not(const struct board *b, const char *list, const struct ja_shape *array,
                          struct dstr *why);
/* predecessors_first - the array that the first word of LIST means; false if it means none */
bool predecessors_first(const struct board *b, const char *list, struct ja_shape *out);
/* predecessors_complete - append the jobs of OWNER (NULL: of everybody) that have not ended and
 * whose number or name begins with the last word of LIST, a line each: "12 render"; MOST of them
 * at most, the newest first. O(jobs) */
void predecessors_complete(const struct board *b, const char *list, const char *owner,
                           uint32_t most, struct dstr *out);

/* chunks_text - append which tasks of B wait for which of A, a line for each run of tasks of B that
 * wait for the same: "1-4: 1-2"; LINES of them at most, and how many tasks are left
 * O(LINES) */
void chunks_text(const struct ja_shape *a, const struct ja_shape *b, uint32_t lines,
                 struct dstr *out);

/* Where tasks stand in a picture of which tasks of B wait for which of A: both arrays are as wide
 * as the picture, a task as wide as its step. Pure; the cost follows the picture, not the tasks. */
struct chunk_block {
    int x, width;         /* pixels */
    uint32_t first, last; /* ordinals of the tasks that it shows */
};

/* chunk_blocks - the tasks of S side by side over WIDTH pixels (at least 1), into OUT, which has
 * room for MOST (at least 1); tasks that would be narrower than LEAST share a block with those
 * beside them. Returns how many blocks there are. O(blocks) */
uint32_t chunk_blocks(const struct ja_shape *s, int width, int least, struct chunk_block *out,
                      uint32_t most);

/* chunk_waited - the tasks of A that any task of BLOCK, one of B, waits for, as a block over the
 * same WIDTH; O(1) */
struct chunk_block chunk_waited(const struct ja_shape *a, const struct ja_shape *b,
                                const struct chunk_block *block, int width);

/* chunk_at - the first of N blocks that ends right of X; N if there is none. O(n) */
uint32_t chunk_at(const struct chunk_block *v, uint32_t n, int x);

#endif
