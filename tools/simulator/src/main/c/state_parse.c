/* The reader of the state file: `key = value`, `#` comments, `gpu.*.key` and `gpu.3.key`; later lines win. */
#include "state_dcgm.h"
#include "state_gpu.h"
#include "state_values.h"

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* event.N = GPU xid NUMBER, GPU xid NUMBER gi INSTANCE, or GPU type MASK DATA */
static bool read_event(struct state *state, const char *key, const char *value) {
  struct event event = {.type = 0x8, .instance = NO_INSTANCE};
  unsigned long long number;
  char rest;
  if (!read_unsigned(key, &number) || number == 0 || state->events == EVENTS_MAX) {
    return false;
  }
  event.number = number;
  bool read = sscanf(value, "%d xid %llu %c", &event.gpu, &event.data, &rest) == 2 ||
              sscanf(value, "%d xid %llu gi %u %c", &event.gpu, &event.data, &event.instance, &rest) == 3 ||
              sscanf(value, "%d type %lli %llu %c", &event.gpu, (long long *)&event.type, &event.data, &rest) == 3;
  if (!read || event.gpu < 0 || event.gpu >= GPUS_MAX) {
    return false;
  }
  state->event[state->events++] = event;
  return true;
}

static bool read_system_line(struct state *state, const char *key, const char *value) {
  unsigned long long number;
  if (strcmp(key, "driver.version") == 0) {
    return read_text(value, state->driver_version, sizeof state->driver_version);
  }
  if (strcmp(key, "nvml.version") == 0) {
    return read_text(value, state->nvml_version, sizeof state->nvml_version);
  }
  if (strcmp(key, "cuda.version") == 0) {
    return read_cuda_version(value, &state->cuda_version);
  }
  if (strcmp(key, "driver.loaded") == 0) {
    return read_flag(value, &state->driver_loaded);
  }
  if (strcmp(key, "driver.mismatch") == 0) {
    return read_flag(value, &state->driver_mismatch);
  }
  if (strcmp(key, "driver.generation") == 0) {
    return read_generation(value, &state->generation);
  }
  if (strcmp(key, "gpu.count") == 0) {
    bool read = read_up_to(value, GPUS_MAX, &number);
    state->gpus = read ? (int)number : state->gpus;
    return read;
  }
  if (strcmp(key, "time") == 0) {
    return read_time(value, state);
  }
  if (strcmp(key, "epoch") == 0) {
    return read_seconds(value, &state->epoch);
  }
  if (strcmp(key, "check.seconds") == 0) {
    return read_seconds(value, &state->check_seconds);
  }
  return false;
}

static bool read_line(struct state *state, char *line) {
  char *comment = strchr(line, '#');
  if (comment != NULL) {
    *comment = '\0';
  }
  char *key = trimmed(line);
  if (*key == '\0') {
    return true;
  }
  char *equals = strchr(key, '=');
  if (equals == NULL) {
    return false;
  }
  *equals = '\0';
  key = trimmed(key);
  char *value = trimmed(equals + 1);
  if (strncmp(key, "event.", 6) == 0) {
    return read_event(state, key + 6, value);
  }
  if (strncmp(key, "system.", 7) == 0) {
    return read_fault(key + 7, value, state->fault);
  }
  if (strncmp(key, "dcgm.", 5) == 0) {
    return read_dcgm_line(&state->dcgm, key + 5, value);
  }
  if (strncmp(key, "efa.", 4) == 0 || strncmp(key, "pci.", 4) == 0 || strncmp(key, "lustre.", 7) == 0 ||
      strncmp(key, "lnet.", 5) == 0 || strncmp(key, "training.", 9) == 0 || strncmp(key, "filesystem.", 11) == 0 ||
      strncmp(key, "ena.", 4) == 0 || strncmp(key, "pressure.", 9) == 0) {
    return true; /* source of /sys, /proc and a job's records; not used by this library */
  }
  if (strncmp(key, "gpu.", 4) == 0 && strcmp(key, "gpu.count") != 0) {
    return read_gpu_lines(state, key + 4, value);
  }
  return read_system_line(state, key, value);
}

/* Reports a garbled line once per process, because the file is read again at every change. */
static void report(const char *path, int number, const char *line) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static unsigned reported[256];
  static int count;
  unsigned hash = 5381u + (unsigned)number;
  for (const char *at = line; *at != '\0'; at++) {
    hash = hash * 33u + (unsigned char)*at;
  }
  pthread_mutex_lock(&lock);
  bool known = count == 256;
  for (int i = 0; i < count && !known; i++) {
    known = reported[i] == hash;
  }
  if (!known) {
    reported[count++] = hash;
    fprintf(stderr, "lapwing simulator: %s:%d: ignored, cannot read: %.120s\n", path, number, line);
  }
  pthread_mutex_unlock(&lock);
}

static int by_number(const void *left, const void *right) {
  const struct event *a = left;
  const struct event *b = right;
  return (a->number > b->number) - (a->number < b->number);
}

static void read_lines(struct state *state, char *text, const char *path) {
  char original[121];
  int number = 0;
  for (char *next = text; next != NULL;) {
    char *line = next;
    char *end = strchr(line, '\n');
    next = end == NULL ? NULL : end + 1;
    if (end != NULL) {
      *end = '\0';
    }
    snprintf(original, sizeof original, "%s", line);
    number++;
    if (!read_line(state, line)) {
      state->ignored_lines++;
      report(path, number, original);
    }
  }
}

static struct state *parse(char *text, const char *path) {
  struct state *state = calloc(1, sizeof *state);
  if (state == NULL) {
    return NULL;
  }
  atomic_init(&state->references, 1);
  state->driver_loaded = true;
  state->check_seconds = 0.02;
  state->epoch = 1767225600; /* 2026-01-01 */
  state->cuda_version = 13000;
  read_text("580.95.05", state->driver_version, sizeof state->driver_version);
  read_text("13.580.95.05", state->nvml_version, sizeof state->nvml_version);
  preset_dcgm(&state->dcgm);
  for (int i = 0; i < GPUS_MAX; i++) {
    preset_gpu(&state->gpu[i], i);
  }
  read_lines(state, text, path);
  for (int i = 0; i < GPUS_MAX; i++) {
    settle_gpu(state, i);
  }
  for (int i = 0; i < state->overrides; i++) {
    settle_expression(&state->override[i], state->epoch, (unsigned)i, QUANTITIES);
  }
  qsort(state->event, (size_t)state->events, sizeof state->event[0], by_number);
  return state;
}

/* A JVM sets the locale of its environment, in which a decimal point may be a comma. */
struct state *state_parse(char *text, const char *path) {
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0) {
    return NULL;
  }
  locale_t before = uselocale(plain);
  struct state *state = parse(text, path);
  uselocale(before);
  freelocale(plain);
  return state;
}
