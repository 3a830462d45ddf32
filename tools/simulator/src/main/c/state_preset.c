/* Presets of a GPU, and values derived after the last line of the state file. */
#include "state_gpu.h"
#include "state_values.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void preset_gpu(struct gpu *gpu, int index) {
  memcpy(gpu->quantity, presets(), sizeof gpu->quantity);
  gpu->quantity[Q_INDEX_MINOR].base = index;
  for (int t = 0; t < TEXTS; t++) {
    read_text(text_preset(t), gpu->text[t], TEXT_SIZE);
  }
  snprintf(gpu->text[T_UUID], TEXT_SIZE, "GPU-00000000-0000-4000-8000-0000000000%02x", (unsigned)index);
  snprintf(gpu->text[T_BUS_ID], TEXT_SIZE, "0000:%02x:00.0", 0x10u + (unsigned)index);
  read_bus_id(gpu);
}

/* The variation must keep the load within 0..1; otherwise totals are not the integral of the reported load. */
static void settle_load(struct expression *load) {
  load->low = fmax(load->low, 0);
  load->high = fmin(load->high, 1);
  load->base = fmin(fmax(load->base, 0), 1);
  if (load->rate == 0) {
    load->wobble = fmin(load->wobble, fmin(load->base, 1 - load->base));
  }
}

/* No rate may turn negative, not even by its variation: its running total would decrease, which no counter does. */
static void settle_rate(struct expression *rate) {
  rate->low = fmax(rate->low, 0);
  rate->high = fmax(rate->high, 0);
  if (rate->follows == NOT_A_QUANTITY || rate->follows == Q_LOAD) {
    double least = fmax(rate->base + fmin(rate->factor, 0), 0);
    rate->wobble = fmin(rate->wobble, least);
  }
}

void settle_expression(struct expression *e, double epoch, unsigned gpu, unsigned key) {
  if (isnan(e->since)) {
    e->since = epoch;
  }
  if (e->wobble != 0) {
    e->wave = wave_of(gpu, key);
  }
}

/* Values that depend on all lines: the epoch, and values derived from unsupported ones. */
void settle_gpu(struct state *state, int index) {
  struct gpu *gpu = &state->gpu[index];
  settle_load(&gpu->quantity[Q_LOAD]);
  for (int q = 0; q < QUANTITIES; q++) {
    struct expression *e = &gpu->quantity[q];
    if (q < INTEGRATED_QUANTITIES && q != Q_LOAD) {
      settle_rate(e);
    }
    settle_expression(e, state->epoch, (unsigned)index, (unsigned)q);
    e->unsupported |= e->follows != NOT_A_QUANTITY && gpu->quantity[e->follows].unsupported;
  }
}
