/*
 * Measures the cost of a collective for its threads. usage: bench PLUGIN
 *
 * The time of the same calls of empty functions, the overhead of the test driver, is subtracted.
 */
#include "driver.h"

#define KEPT __attribute__((noinline, noipa))

KEPT static int start_2(void *context, void **handle, struct nccl_descriptor_2 *event) {
  *handle = context;
  (void)event;
  return 0;
}
KEPT static int start_4(void *context, void **handle, struct nccl_descriptor_4 *event) {
  *handle = context;
  (void)event;
  return 0;
}
KEPT static int start_5(void *context, void **handle, struct nccl_descriptor_5 *event) {
  *handle = context;
  (void)event;
  return 0;
}
KEPT static int stop(void *handle) {
  (void)handle;
  return 0;
}
KEPT static int record(void *handle, int state, union nccl_state *arguments) {
  (void)handle, (void)state, (void)arguments;
  return 0;
}

static const struct nccl_profiler_2 idle_2 = {"idle", NULL, start_2, stop, record, NULL};
static const struct nccl_profiler_4 idle_4 = {"idle", NULL, start_4, stop, record, NULL};
static const struct nccl_profiler_5 idle_5 = {"idle", NULL, start_5, stop, record, NULL};

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int in_order(const void *a, const void *b) {
  double difference = *(const double *)a - *(const double *)b;
  return difference < 0 ? -1 : difference > 0;
}

/* Nanoseconds of a collective: the fastest of many rounds, since other processes can only slow it down. */
static double measure(struct plugin *one, void *context, int channels) {
  enum { ROUNDS = 200, COLLECTIVES = 2000 };
  double rounds[ROUNDS];
  int round, i;
  uint64_t sequence = 0;
  for (round = 0; round < ROUNDS; round++) {
    uint64_t begin = now_ns();
    for (i = 0; i < COLLECTIVES; i++) plugin_run(one, context, 1, 0, sequence++, "AllReduce", 1000, channels, 1000, 500);
    rounds[round] = (double)(now_ns() - begin) / COLLECTIVES;
  }
  qsort(rounds, ROUNDS, sizeof *rounds, in_order);
  return rounds[0];
}

int main(int count, char **arguments) {
  static const int channels[] = {1, 2, 8, 24};
  struct plugin one, idle;
  void *context;
  size_t i;
  int version;
  if (count != 2) return 2;
  for (version = 2; version <= 6; version++) {
    if (!plugin_open(&one, arguments[1], version)) return 2;
    idle = one;
    if (one.old) idle.old = &idle_2;
    if (one.middle) idle.middle = &idle_4;
    if (one.new) idle.new = &idle_5;
    plugin_init(&one, &context, 1, "bench", 8, 0);
    for (i = 0; i < sizeof channels / sizeof *channels; i++) {
      /* NCCL does not report channels to a plugin of version 2. */
      int called = version == 2 ? 0 : channels[i];
      double driver = measure(&idle, context, called), all = measure(&one, context, called);
      printf("version %d, %2d channels: %6.1f ns a collective, and %5.1f ns the driver\n", version, called, all - driver, driver);
      if (version == 2) break;
    }
    plugin_finalize(&one, context);
  }
  return 0;
}
