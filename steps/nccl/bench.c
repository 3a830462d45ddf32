/* Measures what a collective costs its threads. usage: bench PLUGIN */
#include "driver.h"

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int in_order(const void *a, const void *b) {
  double difference = *(const double *)a - *(const double *)b;
  return difference < 0 ? -1 : difference > 0;
}

/* Nanoseconds of a collective: the fastest of many rounds, since other processes only ever add to one. */
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
  struct plugin one, off;
  void *context, *none;
  size_t i;
  int version;
  if (count != 2 || !plugin_open(&one, arguments[1], 6) || !plugin_open(&off, arguments[1], 6)) return 2;
  for (version = 2; version <= 6; version++) {
    plugin_open(&one, arguments[1], version);
    plugin_init(&one, &context, 1, "bench", 8, 0);
    for (i = 0; i < sizeof channels / sizeof *channels; i++)
      printf("version %d, %2d channels: %6.1f ns a collective\n", version, channels[i], measure(&one, context, channels[i]));
    plugin_finalize(&one, context);
  }
  setenv("LAPWING_STEPS_DIR", "", 1);
  none = NULL;
  plugin_open(&one, arguments[1], 6);
  for (i = 0; i < sizeof channels / sizeof *channels; i++)
    printf("the driver alone, %2d channels: %6.1f ns\n", channels[i], measure(&one, none, channels[i]));
  return 0;
}
