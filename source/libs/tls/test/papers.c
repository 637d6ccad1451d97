#include "libs/tls/test/papers.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"
#include "libs/uti/time.h"

int papers_start(void **state)
{
    struct papers *p = uti_calloc(1, sizeof *p);
    memcpy(p->dir, "/tmp/tls-test-XXXXXX", 21);
    assert_non_null(mkdtemp(p->dir));
    p->authority = path_join(p->dir, "authority");
    assert_int_equal(authority_make(p->authority, NULL), 0);
    *state = p;
    return 0;
}

int papers_stop(void **state)
{
    struct papers *p = *state;
    assert_int_equal(file_rmtree(p->dir, NULL), 0);
    free(p->authority);
    free(p);
    return 0;
}

char *papers_of(struct papers *p, const char *authority, const char *name, enum tls_side side,
                int until_s)
{
    struct answer ans = ANSWER_INIT;
    struct certificate c = { name, side, uti_now_s() - CLOCK_SKEW_S,
                             uti_now_s() + (uint64_t)(int64_t)until_s };
    char *dir = path_join(p->dir, name);
    authority_issue(authority, &c, dir, &ans);
    assert_string_equal(ans_first_error(&ans), "");
    return dir;
}

struct tls_context *papers_context(struct papers *p, const char *name, enum tls_side side)
{
    struct answer ans = ANSWER_INIT;
    char *dir = papers_of(p, p->authority, name, side, 1000);
    struct tls_context *c = tls_context_new(dir, side, &ans);
    assert_string_equal(ans_first_error(&ans), "");
    free(dir);
    return c;
}
