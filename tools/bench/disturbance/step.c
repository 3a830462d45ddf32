/* A synthetic CPU part of a training step: constant work, repeated, pinned to one core. Measures the time of each piece.
 * A longer piece has an external cause: another thread on this core, an interrupt, a cache that another process used.
 *
 * With several cores there is a process on each, and all wait for the slowest after each piece, busily as the ranks of a
 * collective do; the time is that of a step, piece and wait, of the first.
 *
 * Usage: step CORE[,CORE...] SECONDS ROUNDS
 * ROUNDS is how often a piece walks its buffer; 0 finds the number that takes a millisecond and prints it.
 * Prints: "ns VALUE" for each piece, then "involuntary N", the switches that others forced, and "cpu_ns N". */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Fits the L2 cache: measures cache eviction by others, not memory bandwidth. */
enum { WORDS = 256 * 1024 / 8, WANTED_NS = 1000000, MOST_PIECES = 1000000 };

static uint64_t buffer[WORDS];
static volatile uint64_t sink;

static uint64_t now_ns(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void piece(long rounds) {
  uint64_t sum = 1;
  for (long r = 0; r < rounds; r++)
    for (int i = 0; i < WORDS; i++) {
      sum = sum * 6364136223846793005u + buffer[i];
      buffer[i] = sum;
    }
  sink = sum;
}

/* The fastest of many, so that disturbances do not count. */
static long rounds_of_a_millisecond(void) {
  uint64_t best = UINT64_MAX;
  for (int i = 0; i < 2000; i++) {
    uint64_t begun = now_ns(CLOCK_MONOTONIC);
    piece(1);
    uint64_t took = now_ns(CLOCK_MONOTONIC) - begun;
    if (took < best) best = took;
  }
  long rounds = (long)(WANTED_NS / best);
  return rounds < 1 ? 1 : rounds;
}

/* What the processes share: how often all of them met, and the meeting after which they end, or 0. */
typedef struct {
  atomic_int members, arrived, met, last;
} Ring;

/* Returns whether it was the last meeting. A process may leave it late, when `last` is already that of the next one. */
static bool wait_for_all(Ring *ring) {
  int met = atomic_load(&ring->met);
  if (atomic_fetch_add(&ring->arrived, 1) + 1 == atomic_load(&ring->members)) {
    atomic_store(&ring->arrived, 0);
    atomic_store(&ring->met, met + 1);
  } else {
    while (atomic_load(&ring->met) == met) {
    }
  }
  return atomic_load(&ring->last) == met + 1;
}

static void pin(int number) {
  cpu_set_t core;
  CPU_ZERO(&core);
  CPU_SET(number, &core);
  if (sched_setaffinity(0, sizeof core, &core) != 0) {
    perror("sched_setaffinity");
    exit(1);
  }
}

static void other(Ring *ring, int core, long rounds) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  pin(core);
  do piece(rounds);
  while (!wait_for_all(ring));
  exit(0);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: step CORE[,CORE...] SECONDS ROUNDS\n");
    return 2;
  }
  char *cores = argv[1];
  pin((int)strtol(cores, &cores, 10));
  long rounds = atol(argv[3]);
  if (rounds == 0) {
    printf("rounds %ld\n", rounds_of_a_millisecond());
    return 0;
  }
  Ring *ring = mmap(NULL, sizeof *ring, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (ring == MAP_FAILED) {
    perror("mmap");
    return 1;
  }
  int others[CPU_SETSIZE], count = 0;
  while (*cores == ',' && count < CPU_SETSIZE) others[count++] = (int)strtol(cores + 1, &cores, 10);
  atomic_store(&ring->members, count + 1);
  for (int i = 0; i < count; i++)
    if (fork() == 0) other(ring, others[i], rounds);
  static uint32_t took[MOST_PIECES];
  long pieces = 0;
  uint64_t begun = now_ns(CLOCK_MONOTONIC), end = begun + (uint64_t)(atof(argv[2]) * 1e9), last = begun;
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  for (;;) {
    piece(rounds);
    /* Before the last wait, so that all end after the same step. */
    if (now_ns(CLOCK_MONOTONIC) >= end || pieces + 1 == MOST_PIECES) atomic_store(&ring->last, (int)pieces + 1);
    if (wait_for_all(ring)) break;
    uint64_t now = now_ns(CLOCK_MONOTONIC);
    took[pieces++] = (uint32_t)(now - last);
    last = now;
  }
  getrusage(RUSAGE_SELF, &after);
  while (wait(NULL) > 0) {
  }
  for (long i = 0; i < pieces; i++) printf("ns %u\n", took[i]);
  printf("involuntary %ld\n", after.ru_nivcsw - before.ru_nivcsw);
  printf("cpu_ns %llu\n", (unsigned long long)now_ns(CLOCK_PROCESS_CPUTIME_ID));
  return 0;
}
