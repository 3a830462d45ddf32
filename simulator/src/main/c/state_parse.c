/* The reader of the state file: `key = value`, `#` comments, `gpu.*.key` and `gpu.3.key`; later lines win. */
#include "state.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANY_GPU = -1 };

static char *trimmed(char *text) {
  while (isspace((unsigned char)*text)) {
    text++;
  }
  char *end = text + strlen(text);
  while (end > text && isspace((unsigned char)end[-1])) {
    *--end = '\0';
  }
  return text;
}

static bool read_unsigned(const char *text, unsigned long long *number) {
  if (!isdigit((unsigned char)*text)) {
    return false;
  }
  char *end;
  errno = 0;
  *number = strtoull(text, &end, 0);
  return errno == 0 && *end == '\0';
}

static bool read_up_to(const char *text, unsigned long long most, unsigned long long *number) {
  return read_unsigned(text, number) && *number <= most;
}

static bool read_flag(const char *text, bool *flag) {
  unsigned long long number;
  if (!read_up_to(text, 1, &number)) {
    return false;
  }
  *flag = number == 1;
  return true;
}

static bool read_seconds(const char *text, double *seconds) {
  if (!isdigit((unsigned char)*text)) {
    return false;
  }
  char *end;
  *seconds = strtod(text, &end);
  return *end == '\0' && isfinite(*seconds);
}

static bool read_text(const char *text, char *into, size_t size) {
  if (strlen(text) >= size) {
    return false;
  }
  memcpy(into, text, strlen(text) + 1);
  return true;
}

/* "forever", seconds, or 0 for a call that does not block. */
static bool read_block(const char *text, float *seconds) {
  if (strcmp(text, "forever") == 0) {
    *seconds = INFINITY;
    return true;
  }
  double number;
  if (!read_seconds(text, &number)) {
    return false;
  }
  *seconds = (float)number;
  return true;
}

/* kind.function or kind.* , where kind is "return" or "block". */
static bool read_fault(const char *key, const char *value, struct fault *faults) {
  bool blocks = strncmp(key, "block.", 6) == 0;
  if (!blocks && strncmp(key, "return.", 7) != 0) {
    return false;
  }
  const char *name = strchr(key, '.') + 1;
  struct fault fault = {0};
  if (blocks) {
    if (!read_block(value, &fault.seconds)) {
      return false;
    }
  } else {
    unsigned long long code;
    if (!read_up_to(value, 999, &code)) {
      return false;
    }
    fault.code = (uint16_t)code;
  }
  bool all = strcmp(name, "*") == 0;
  int only = all ? NOT_A_FUNCTION : function_named(name);
  if (!all && only == NOT_A_FUNCTION) {
    return false;
  }
  for (int i = all ? 0 : only; i < (all ? FUNCTIONS : only + 1); i++) {
    if (blocks) {
      faults[i].seconds = fault.seconds;
    } else {
      faults[i].code = fault.code;
    }
  }
  return true;
}

/* "0000:53:00.0", as lspci writes it. */
static bool read_bus_id(struct gpu *gpu) {
  unsigned function;
  char rest;
  return sscanf(gpu->text[T_BUS_ID], "%x:%x:%x.%x%c", &gpu->pci_domain, &gpu->pci_bus, &gpu->pci_device, &function,
                &rest) == 4;
}

/* "pid:MiB pid:MiB", or nothing for an idle GPU. */
static bool read_processes(const char *text, struct gpu *gpu) {
  gpu->processes = 0;
  while (*text != '\0') {
    int length = 0;
    struct process *next = &gpu->process[gpu->processes];
    if (gpu->processes == PROCESSES_MAX ||
        sscanf(text, "%u:%llu%n", &next->pid, &next->mebibytes, &length) != 2) {
      return false;
    }
    gpu->processes++;
    text += length;
    text += strspn(text, " ,");
  }
  return true;
}

/* "5 7": the links that are down. */
static bool read_links(const char *text, uint64_t *links) {
  *links = 0;
  while (*text != '\0') {
    char *end;
    unsigned long link = strtoul(text, &end, 10);
    if (end == text || link >= LINKS_MAX) {
      return false;
    }
    *links |= 1ull << link;
    text = end + strspn(end, " ,");
  }
  return true;
}

static bool read_gpm(const char *text, enum gpm_mode *mode) {
  static const char *const words[] = {"by-architecture", "nan", "unsupported"};
  for (int i = 0; i < 3; i++) {
    if (strcmp(text, words[i]) == 0) {
      *mode = (enum gpm_mode)i;
      return true;
    }
  }
  return false;
}

static bool read_field_id(const char *text, unsigned long long *id) {
  return read_up_to(text, FIELDS_MAX - 1, id) && *id > 0;
}

static bool read_override(struct state *state, struct gpu *gpu, const char *id, const char *value) {
  unsigned long long field;
  if (!read_field_id(id, &field)) {
    return false;
  }
  uint8_t place = gpu->field_override[field];
  if (place == 0) {
    if (state->overrides == OVERRIDES_MAX) {
      return false;
    }
    place = (uint8_t)(state->overrides + 1);
  }
  if (!expression_parse(value, QUANTITIES, &state->override[place - 1])) {
    return false;
  }
  if (place > state->overrides) {
    state->overrides = place;
  }
  gpu->field_override[field] = place;
  return true;
}

static bool read_field_return(struct gpu *gpu, const char *id, const char *value) {
  unsigned long long field;
  unsigned long long code;
  if (!read_field_id(id, &field) || !read_up_to(value, 999, &code)) {
    return false;
  }
  gpu->field_return[field] = (uint16_t)code;
  return true;
}

static bool read_gpu_line(struct state *state, struct gpu *gpu, const char *key, const char *value) {
  int named = quantity_named(key);
  if (named != NOT_A_QUANTITY) {
    return expression_parse(value, named, &gpu->quantity[named]);
  }
  named = text_named(key);
  if (named == T_BUS_ID) {
    return read_text(value, gpu->text[named], TEXT_SIZE) && read_bus_id(gpu);
  }
  if (named != NOT_A_QUANTITY) {
    return read_text(value, gpu->text[named], TEXT_SIZE);
  }
  if (strcmp(key, "lost") == 0) {
    return read_flag(value, &gpu->lost);
  }
  if (strcmp(key, "missing") == 0) {
    return read_flag(value, &gpu->missing);
  }
  if (strcmp(key, "gpm") == 0) {
    return read_gpm(value, &gpu->gpm);
  }
  if (strcmp(key, "processes") == 0) {
    return read_processes(value, gpu);
  }
  if (strcmp(key, "nvlink.inactive") == 0) {
    return read_links(value, &gpu->inactive_links);
  }
  if (strncmp(key, "field.", 6) == 0) {
    return read_override(state, gpu, key + 6, value);
  }
  if (strncmp(key, "fieldreturn.", 12) == 0) {
    return read_field_return(gpu, key + 12, value);
  }
  return read_fault(key, value, gpu->fault);
}

/* gpu.SELECTOR.KEY; GPUs beyond gpu.count are read as well, so that lines may stand in any order. */
static bool read_selected(struct state *state, const char *rest, const char *value) {
  const char *dot = strchr(rest, '.');
  if (dot == NULL) {
    return false;
  }
  int first = 0;
  int last = GPUS_MAX - 1;
  if (strncmp(rest, "*.", 2) != 0) {
    char *end;
    unsigned long selected = strtoul(rest, &end, 10);
    if (!isdigit((unsigned char)*rest) || end != dot || selected >= GPUS_MAX) {
      return false;
    }
    first = last = (int)selected;
  }
  for (int i = first; i <= last; i++) {
    if (!read_gpu_line(state, &state->gpu[i], dot + 1, value)) {
      return false;
    }
  }
  return true;
}

/* event.N = GPU xid NUMBER, or GPU type MASK DATA */
static bool read_event(struct state *state, const char *key, const char *value) {
  struct event event = {.type = 0x8};
  unsigned long long number;
  char rest;
  if (!read_unsigned(key, &number) || number == 0 || state->events == EVENTS_MAX) {
    return false;
  }
  event.number = number;
  bool read = sscanf(value, "%d xid %llu %c", &event.gpu, &event.data, &rest) == 2 ||
              sscanf(value, "%d type %lli %llu %c", &event.gpu, (long long *)&event.type, &event.data, &rest) == 3;
  if (!read || event.gpu < 0 || event.gpu >= GPUS_MAX) {
    return false;
  }
  state->event[state->events++] = event;
  return true;
}

/* "12.8" is 12080, as NVML has it. */
static bool read_cuda_version(const char *text, int *version) {
  int major;
  int minor;
  char rest;
  if (sscanf(text, "%d.%d%c", &major, &minor, &rest) != 2) {
    return false;
  }
  *version = major * 1000 + minor * 10;
  return true;
}

static bool read_time(const char *text, double *seconds) {
  if (strcmp(text, "live") == 0) {
    *seconds = 0;
    return true;
  }
  return read_seconds(text, seconds);
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
    bool read = read_up_to(value, 1000000, &number);
    state->generation = read ? (unsigned)number : state->generation;
    return read;
  }
  if (strcmp(key, "gpu.count") == 0) {
    bool read = read_up_to(value, GPUS_MAX, &number);
    state->gpus = read ? (int)number : state->gpus;
    return read;
  }
  if (strcmp(key, "time") == 0) {
    return read_time(value, &state->fixed_time);
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
  if (strncmp(key, "gpu.", 4) == 0 && strcmp(key, "gpu.count") != 0) {
    return read_selected(state, key + 4, value);
  }
  return read_system_line(state, key, value);
}

/* A garbled line is reported once in the life of the library: the file is read again at every change. */
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

/* Every quantity at its preset, read once: the file is read often. */
static const struct expression *presets(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static struct expression preset[QUANTITIES];
  static bool ready;
  pthread_mutex_lock(&lock);
  for (int q = 0; q < QUANTITIES && !ready; q++) {
    if (!expression_parse(quantity_preset(q), q, &preset[q])) {
      fprintf(stderr, "lapwing simulator: preset of %s is garbled\n", quantity_key(q));
      abort();
    }
  }
  ready = true;
  pthread_mutex_unlock(&lock);
  return preset;
}

static void preset_gpu(struct gpu *gpu, int index) {
  memcpy(gpu->quantity, presets(), sizeof gpu->quantity);
  gpu->quantity[Q_INDEX_MINOR].base = index;
  for (int t = 0; t < TEXTS; t++) {
    read_text(text_preset(t), gpu->text[t], TEXT_SIZE);
  }
  snprintf(gpu->text[T_UUID], TEXT_SIZE, "GPU-00000000-0000-4000-8000-0000000000%02x", (unsigned)index);
  snprintf(gpu->text[T_BUS_ID], TEXT_SIZE, "0000:%02x:00.0", 0x10u + (unsigned)index);
  read_bus_id(gpu);
}

/* The wobble must not push the load out of 0..1: totals would then no longer be the integral of what is shown. */
static void settle_load(struct expression *load) {
  load->low = fmax(load->low, 0);
  load->high = fmin(load->high, 1);
  load->base = fmin(fmax(load->base, 0), 1);
  if (load->rate == 0) {
    load->wobble = fmin(load->wobble, fmin(load->base, 1 - load->base));
  }
}

static void settle(struct expression *e, double epoch, unsigned gpu, unsigned key) {
  if (isnan(e->since)) {
    e->since = epoch;
  }
  if (e->wobble != 0) {
    e->wave = wave_of(gpu, key);
  }
}

/* What could not be known before the last line: the epoch, and what follows something unsupported. */
static void settle_gpu(struct state *state, int index) {
  struct gpu *gpu = &state->gpu[index];
  settle_load(&gpu->quantity[Q_LOAD]);
  for (int q = 0; q < QUANTITIES; q++) {
    struct expression *e = &gpu->quantity[q];
    settle(e, state->epoch, (unsigned)index, (unsigned)q);
    e->unsupported |= e->follows != NOT_A_QUANTITY && gpu->quantity[e->follows].unsupported;
  }
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
      report(path, number, original);
    }
  }
}

struct state *state_parse(char *text, const char *path) {
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
  for (int i = 0; i < GPUS_MAX; i++) {
    preset_gpu(&state->gpu[i], i);
  }
  read_lines(state, text, path);
  for (int i = 0; i < GPUS_MAX; i++) {
    settle_gpu(state, i);
  }
  for (int i = 0; i < state->overrides; i++) {
    settle(&state->override[i], state->epoch, (unsigned)i, QUANTITIES);
  }
  qsort(state->event, (size_t)state->events, sizeof state->event[0], by_number);
  return state;
}
