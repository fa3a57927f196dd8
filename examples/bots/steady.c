/* A bot in C that speaks Ludotheque's engine protocol: cc -O2 -o steady steady.c
 *
 * It plays the middle one of its legal actions. It needs no JSON library: Ludotheque writes every message on one line,
 * the type first, without spaces between its parts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 65536

static long legal[MOST];

/* Whether a message is of a type. */
static int is(const char *line, const char *type)
{
    char start[64];
    snprintf(start, sizeof start, "{\"type\":\"%s\"", type);
    return strncmp(line, start, strlen(start)) == 0;
}

/* Read the list of legal actions of a `go`; return how many there are. */
static int read_legal(const char *line)
{
    const char *at = strstr(line, "\"legal\":[");
    int count = 0;
    if (!at)
        return 0;
    at += strlen("\"legal\":[");
    while (*at != ']' && count < MOST) {
        char *end;
        legal[count++] = strtol(at, &end, 10);
        if (end == at)
            return 0;
        at = *end == ',' ? end + 1 : end;
    }
    return count;
}

int main(void)
{
    char *line = NULL;
    size_t capacity = 0;
    setvbuf(stdout, NULL, _IOLBF, 0); /* send each line at once */
    while (getline(&line, &capacity, stdin) > 0) {
        if (is(line, "new")) {
            puts("{\"type\":\"ready\",\"name\":\"Steady\"}");
        } else if (is(line, "go")) {
            int count = read_legal(line);
            if (count == 0) {
                puts("{\"type\":\"error\",\"message\":\"no legal action found\"}");
                return 1;
            }
            printf("{\"type\":\"move\",\"action\":%ld}\n", legal[count / 2]);
        } else if (is(line, "quit")) {
            break;
        } /* `did` and `end` change nothing for this bot */
    }
    free(line);
    return 0;
}
