/*
 * training_job.py for machines without Python: the same arguments, input and output, and ranks that write with the C writer.
 *
 *     training-job JOB FLOPS_PER_TOKEN NODES GPU_UUID...
 */
#include "conditions.h"
#include "line.h"
#include "rank.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const int ENDS_WITHIN = 200; /* hundredths of a second, after which a rank is killed */

static int ranks;
static pid_t pids[MOST_RANKS];
static int lines[MOST_RANKS];
static char said[MOST_RANKS][LINE_BYTES]; /* last message of each; "gone" after its exit */
static struct conditions conditions;

static void start_rank(int rank, char *const uuids[], const char *job, double flops, int nodes) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) {
    exit(1);
  }
  pids[rank] = fork();
  if (pids[rank] < 0) {
    exit(1);
  }
  if (pids[rank] == 0) {
    /* Otherwise the sockets would stay open after the end of this program. */
    close(ends[0]);
    for (int other = 0; other < rank; other++) {
      close(lines[other]);
    }
    int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, 0);
    dup2(nowhere, 1);
    const struct rank self = {rank, ranks, nodes * ranks, job, uuids[rank], flops, ends[1]};
    rank_run(&self);
    _exit(0);
  }
  close(ends[1]);
  lines[rank] = ends[0];
}

/* False at the end of the input. */
static bool take_in(void) {
  static char text[8192];
  static size_t length;
  ssize_t more = read(0, text + length, sizeof text - 1 - length);
  if (more <= 0) {
    return false;
  }
  length += (size_t)more;
  text[length] = '\0';
  char *begin = text;
  for (char *end = strchr(begin, '\n'); end != NULL; end = strchr(begin, '\n')) {
    *end = '\0';
    conditions_read(&conditions, begin);
    begin = end + 1;
  }
  length -= (size_t)(begin - text);
  memmove(text, begin, length);
  return true;
}

static void hear(int rank) {
  if (!line_hear(lines[rank], said[rank])) {
    strcpy(said[rank], "gone");
    waitpid(pids[rank], NULL, 0);
    printf("gone %d\n", (int)pids[rank]);
    fflush(stdout);
  }
}

/* Reads messages of the ranks and the input of this program; false if it has to exit. */
static bool listen_once(void) {
  struct pollfd open[MOST_RANKS + 1] = {{0, POLLIN, 0}};
  for (int rank = 0; rank < ranks; rank++) {
    open[rank + 1].fd = strcmp(said[rank], "gone") == 0 ? -1 : lines[rank];
    open[rank + 1].events = POLLIN;
  }
  if (line_wait(open, (size_t)ranks + 1, -1) < 0) {
    return false;
  }
  for (int rank = 0; rank < ranks; rank++) {
    if (open[rank + 1].revents != 0) {
      hear(rank);
    }
  }
  return open[0].revents == 0 || take_in();
}

/* A rank that has ended never answers, and the others wait for it, as in a real job. */
static bool await_all(const char *answer) {
  for (int rank = 0; rank < ranks; rank++) {
    while (strcmp(said[rank], answer) != 0) {
      if (!listen_once()) {
        return false;
      }
    }
  }
  return true;
}

static bool all(const char *word, const char *answer) {
  for (int rank = 0; rank < ranks; rank++) {
    line_say(lines[rank], word);
  }
  return await_all(answer);
}

static bool take_step(unsigned long number) {
  char text[LINE_BYTES];
  for (int rank = 0; rank < ranks; rank++) {
    conditions_of_step(&conditions, number, rank, ranks, text, sizeof text);
    line_say(lines[rank], text);
  }
  if (!await_all("arrived")) {
    return false;
  }
  while (conditions.stopped) {
    if (!listen_once()) {
      return false;
    }
  }
  return all("go", "done");
}

static void run(void) {
  for (int rank = 0; rank < ranks; rank++) {
    printf("rank %d %d\n", rank, (int)pids[rank]);
  }
  fflush(stdout);
  while (!conditions.known) {
    if (!listen_once()) {
      return;
    }
  }
  if (all("begin", "ready")) {
    for (unsigned long number = 1; take_step(number); number++) {
    }
  }
}

static void end_ranks(void) {
  for (int rank = 0; rank < ranks; rank++) {
    close(lines[rank]);
  }
  for (int hundredths = 0; waitpid(-1, NULL, WNOHANG) >= 0; hundredths++) {
    if (hundredths == ENDS_WITHIN) {
      for (int rank = 0; rank < ranks; rank++) {
        if (strcmp(said[rank], "gone") != 0) {
          kill(pids[rank], SIGKILL);
        }
      }
    }
    usleep(10000);
  }
}

int main(int count, char *arguments[]) {
  if (count < 5 || count - 4 > MOST_RANKS) {
    fprintf(stderr, "training-job JOB FLOPS_PER_TOKEN NODES GPU_UUID...\n");
    return 2;
  }
  ranks = count - 4;
  line_take_signals();
  for (int rank = 0; rank < ranks; rank++) {
    start_rank(rank, arguments + 4, arguments[1], strtod(arguments[2], NULL), atoi(arguments[3]));
  }
  run();
  end_ranks();
  return 0;
}
