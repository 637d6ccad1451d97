/* attack NAME ARGUMENT... - what an ordinary user could try against the cell in the environment;
 * for tests that look what others notice of it. Every act is bounded by its arguments; those that
 * hold something say "ready" and let go when stdin ends. */
#include "attack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "libs/uti/parse.h"

enum { PATIENCE_MS = 120000 };

uint32_t attack_number(const char *text)
{
    uint32_t number;
    if (!parse_u32(text, &number)) {
        fprintf(stderr, "attack: \"%s\" is not a number\n", text);
        exit(2);
    }
    return number;
}

void attack_hold(void)
{
    char c;
    printf("ready\n");
    fflush(stdout);
    while (read(STDIN_FILENO, &c, 1) > 0)
        continue;
}

int attack_ask(const struct GR_Type *request)
{
    struct GA_Type ga = { 0 };
    int rc = peer_ask(request, PATIENCE_MS, &ga);
    const char *text = ga.GA_answers.n > 0 ? ga.GA_answers.v[0].AN_text : "";
    if (rc > 0)
        printf("refused: %.300s\n", text);
    else
        printf(rc == 0 ? "agreed\n" : "lost\n");
    fflush(stdout);
    cull_clear(&cull_GA_Type, &ga);
    return 0;
}

static const struct {
    const char *name, *arguments;
    int n;
    act_fn act;
} acts[] = {
    { "count", "MIB: a request that claims more jobs than it has bytes", 1, attack_count },
    { "fill", "MIB: a request of as many jobs of three bytes", 1, attack_fill },
    { "half", "CONNECTIONS MIB: bodies begun and never ended", 2, attack_half },
    { "unsorted", "FRAMES MIB: frames from a stranger's release, without its tables", 2,
      attack_unsorted },
    { "kinds", "every kind of frame, after a greeting and without one", 0, attack_kinds },
    { "garbage", "CONNECTIONS: each greets twice", 1, attack_garbage },
    { "idle", "CONNECTIONS: greeted, then silent", 1, attack_idle },
    { "pipe", "CONNECTIONS REQUESTS: reads on each, no answer is read", 2, attack_pipe },
    { "empty", "every verb with every list empty, and with one empty element", 0, attack_empty },
    { "words", "COUNT: * as often", 1, attack_words },
    { "pattern", "BYTES: a name of as many [", 1, attack_pattern },
    { "queue_pattern", "BYTES: the same as a queue", 1, attack_queue_pattern },
    { "users", "NAMES USERS: as many of each", 2, attack_users },
    { "ranges", "JOB COUNT: qdel of COUNT ranges with a step", 2, attack_ranges },
    { "context", "JOB COUNT: qalter -ac of as many", 2, attack_context },
    { "barrier", "COUNT: held jobs, each with -hold_jid '*'", 1, attack_barrier },
    { "list", "FIELD COUNT COPIES: a held job with as many empty elements", 3, attack_list },
    { "id", "MIB: a job with such a request id", 1, attack_id },
    { "owner", "UID VERB: a held job that is to be that user's", 2, attack_owner },
    { "script", "MIB COPIES: held jobs with such a script", 2, attack_script },
    { "strings", "COUNT MIB: requests with a text that need not be stored", 2, attack_strings },
    { "readers", "COUNT SECONDS: connections that read all jobs, again and again", 2,
      attack_readers },
    { "leak", "JOB: script and environment", 1, attack_leak },
    { "sessions", "COUNT: as many, called s0 and so on", 1, attack_sessions },
    { "session_array", "KEY TASKS: a held array in that session; prints its number", 2,
      attack_session_array },
    { "watch", "KEY COUNT: as many watch it, and read nothing", 2, attack_watch },
    { "take", "KEY JOB TASKS: their ends, each by itself, the last one first", 3, attack_take },
    { "session", "VERB KEY: one request about it", 2, attack_session },
    { "linger", "SECONDS COUNT: passes TCP sockets whose last close takes as long", 2,
      attack_linger },
    { "edges", "unix|tcp COUNT: closed halves, urgent bytes, resets", 2, attack_edges },
    { "inject", "texts with control characters in every field", 0, attack_inject },
};

static int usage(void)
{
    fprintf(stderr, "usage: attack NAME ARGUMENT...\n");
    for (size_t i = 0; i < ARRAY_LEN(acts); i++)
        fprintf(stderr, "  %s %s\n", acts[i].name, acts[i].arguments);
    return 2;
}

/* as many connections as the system lets us have: how many of them are too many is for the qmaster
 * to say */
static void raise_descriptors(void)
{
    struct rlimit r;
    getrlimit(RLIMIT_NOFILE, &r);
    r.rlim_cur = r.rlim_max;
    setrlimit(RLIMIT_NOFILE, &r);
}

int main(int argc, char **argv)
{
    raise_descriptors();
    for (size_t i = 0; i < ARRAY_LEN(acts); i++)
        if (argc == acts[i].n + 2 && strcmp(argv[1], acts[i].name) == 0)
            return acts[i].act(argv + 2);
    return usage();
}
