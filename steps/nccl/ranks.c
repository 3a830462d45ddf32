/*
 * Simulates the ranks of a node: one process each, which calls the plugin as NCCL does. All enter each collective
 * at once, except the late rank; the kernel of a rank runs from its entry to the common end.
 *
 * usage: ranks PLUGIN VERSION RANKS COMMUNICATORS STEPS COLLECTIVES STEPS_PER_SECOND LATE_RANK LATE_US HANGING_RANK
 *
 * 0 steps per second: as fast as possible. Late rank -1: none, -2: another one in each step. A hanging rank (-1: none) does not enter the last collective, whose kernels the
 * others start. Prints "ready" when all have ended their steps, and exits at the end of its standard input.
 */
#include "driver.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define TRANSFER_NS 100000u
#define CHANNELS 4

struct play {
  const char *plugin;
  int version, ranks, communicators, steps, collectives, rate, late, late_us, hanging;
};

static void sleep_until(struct timespec *at, long ns) {
  at->tv_nsec += ns;
  while (at->tv_nsec >= 1000000000) at->tv_nsec -= 1000000000, at->tv_sec++;
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, at, NULL);
}

static void play_rank(const struct play *play, int rank, int ready) {
  struct plugin one;
  void *contexts[32];
  struct timespec at;
  uint64_t clock = 1000000000u;
  int step, i, c;
  char number[16];
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  snprintf(number, sizeof number, "%d", rank);
  setenv("RANK", number, 1);
  setenv("LOCAL_RANK", number, 1);
  if (!plugin_open(&one, play->plugin, play->version)) _exit(1);
  for (c = 0; c < play->communicators; c++)
    plugin_init(&one, &contexts[c], 0xae94423cfbb2ef4aull + (uint64_t)c, c == 0 ? "world" : "group", play->ranks, rank);
  clock_gettime(CLOCK_MONOTONIC, &at);
  for (step = 0; step < play->steps; step++) {
    int late = play->late == -2 ? step % play->ranks : play->late;
    for (i = 0; i < play->collectives; i++) {
      uint64_t number_of = (uint64_t)step * (uint64_t)play->collectives + (uint64_t)i, own;
      uint64_t delay = late >= 0 && i / play->communicators == 0 ? (uint64_t)play->late_us * 1000 : 0;
      c = i % play->communicators;
      own = rank == late ? delay : 0;
      plugin_run(&one, contexts[c], 0xae94423cfbb2ef4aull + (uint64_t)c, rank, number_of / (uint64_t)play->communicators,
                 i % 2 == 0 ? "AllGather" : "ReduceScatter", 1 << 20, CHANNELS, clock + own, delay - own + TRANSFER_NS);
      clock += delay + TRANSFER_NS;
    }
    if (play->rate > 0) sleep_until(&at, 1000000000L / play->rate);
  }
  if (play->hanging >= 0 && rank != play->hanging) {
    void *parent = plugin_collective(&one, contexts[0], 0xae94423cfbb2ef4aull, rank, 7000000, "AllReduce", 1, "ncclInt8", 1);
    plugin_channel(&one, contexts[0], parent, 0, clock);
  }
  if (write(ready, "r", 1) != 1) _exit(1);
  for (;;) pause();
}

int main(int count, char **arguments) {
  struct play play;
  int *numbers = &play.version, i, ready[2];
  pid_t ranks[64];
  char one;
  if (count != 11) {
    fprintf(stderr, "usage: see ranks.c\n");
    return 2;
  }
  play.plugin = arguments[1];
  for (i = 0; i < 9; i++) numbers[i] = atoi(arguments[i + 2]);
  if (play.ranks > 64 || play.communicators > 32 || play.communicators < 1 || pipe(ready) != 0) return 2;
  for (i = 0; i < play.ranks; i++) {
    ranks[i] = fork();
    if (ranks[i] == 0) play_rank(&play, i, ready[1]);
  }
  for (i = 0; i < play.ranks; i++)
    if (read(ready[0], &one, 1) != 1) return 1;
  puts("ready");
  fflush(stdout);
  while (read(0, &one, 1) > 0) continue;
  for (i = 0; i < play.ranks; i++) kill(ranks[i], SIGTERM); /* without a finalize */
  while (wait(NULL) > 0) continue;
  return 0;
}
