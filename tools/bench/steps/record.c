/*
 * The cost of recording a step in C, call by call: a record, a Unix datagram, a text file that is written and renamed.
 *
 *   record FOLDER SOCKET   one round; a line for each: name, p50 and p99 in nanoseconds
 */
#define LAPWING_STEPS_IMPLEMENTATION
#include "lapwing_steps.h"

#include <sys/socket.h>
#include <sys/un.h>

#define CALLS 20000
#define SLOW_CALLS 500

static uint64_t taken[CALLS];
static struct lapwing_steps *steps;
static struct lapwing_steps_record record = LAPWING_STEPS_RECORD;
static int sender;
static struct sockaddr_un agent;
static char text[2048], hidden[2048];

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void nothing(int n) { (void)n; }

static void mapped(int n) {
  record.step = (uint64_t)n;
  lapwing_steps_record(steps, &record);
}

static void datagram(int n) {
  struct lapwing_slot_ message;
  memset(&message, 0, sizeof message);
  message.step = (uint64_t)n;
  message.duration = record.duration;
  message.tokens = record.tokens;
  message.loss = record.loss;
  /* Does not wait on a full queue; drops the datagram. */
  (void)!sendto(sender, &message, sizeof message, MSG_DONTWAIT, (struct sockaddr *)&agent, sizeof agent);
}

static void text_file(int n) {
  FILE *file = fopen(hidden, "w");
  if (file == NULL) return;
  fprintf(file, "train_step %d\ntrain_step_seconds_sum %g\ntrain_step_seconds_count %d\n", n, n * 0.5, n);
  fprintf(file, "train_tokens_total %d\ntrain_loss %g\ntrain_gradient_norm %g\n", n * 4096, record.loss, 0.5);
  fclose(file);
  rename(hidden, text);
}

static int by_value(const void *one, const void *other) {
  uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
  return a < b ? -1 : a > b;
}

static void measure(const char *name, void (*call)(int), int calls) {
  for (int n = 0; n < calls; n++) {
    uint64_t began = now_ns();
    call(n);
    taken[n] = now_ns() - began;
  }
  qsort(taken, (size_t)calls, sizeof taken[0], by_value);
  printf("%s\t%llu\t%llu\n", name, (unsigned long long)taken[calls / 2], (unsigned long long)taken[calls / 100 * 99]);
}

int main(int count, char **arguments) {
  struct lapwing_steps_options options = LAPWING_STEPS_OPTIONS;
  if (count != 3) return 2;
  options.directory = arguments[1];
  steps = lapwing_steps_open(&options);
  if (steps == NULL) return 1;
  record.duration = 0.5;
  record.tokens = 4096;
  record.loss = 2.5;
  record.data_wait = 0.01;
  record.compute = 0.4;
  record.communication_wait = 0.05;
  sender = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  agent.sun_family = AF_UNIX;
  snprintf(agent.sun_path, sizeof agent.sun_path, "%s", arguments[2]);
  snprintf(text, sizeof text, "%s/steps.prom", arguments[1]);
  snprintf(hidden, sizeof hidden, "%s/steps.prom.tmp", arguments[1]);
  measure("nothing", nothing, CALLS);
  measure("record", mapped, CALLS);
  measure("datagram", datagram, CALLS);
  measure("textfile", text_file, SLOW_CALLS);
  lapwing_steps_close(steps);
  return 0;
}
