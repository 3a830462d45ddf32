#include "state.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static double real_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double state_now(const struct state *state) {
  if (state->fixed_time <= 0) {
    return real_now();
  }
  if (state->time_rate <= 0) {
    return state->fixed_time;
  }
  return state->fixed_time + state->time_rate * fmax(0, real_now() - state->time_since);
}

void state_free(struct state *state) {
  for (int i = 0; i < GPUS_MAX; i++) {
    free(state->gpu[i].answer);
  }
  free(state);
}

double state_pace(const struct state *state) { return state->time_rate > 0 ? state->time_rate : 1; }

double gpu_value(const struct gpu *gpu, enum quantity quantity, double seconds) {
  return expression_value(&gpu->quantity[quantity], gpu->quantity, seconds);
}

double gpu_total(const struct gpu *gpu, enum quantity quantity, double seconds) {
  return gpu->total_offset[quantity] +
         expression_integral(&gpu->quantity[quantity], gpu->quantity, seconds);
}

/* The total at a moment is what came before plus the integral since then; both constants go into one offset. */
static void totals_from(struct gpu *gpu, const struct gpu *before, double seconds) {
  for (int q = 0; q < INTEGRATED_QUANTITIES; q++) {
    double carried = before == NULL ? 0 : gpu_total(before, (enum quantity)q, seconds);
    gpu->total_offset[q] =
        carried - expression_integral(&gpu->quantity[q], gpu->quantity, seconds);
  }
}

void state_continue(struct state *state, const struct state *before) {
  bool restarted = before == NULL || before->generation != state->generation;
  state->since = before == NULL ? state->epoch : state_now(state);
  for (int i = 0; i < state->gpus; i++) {
    bool known = !restarted && i < before->gpus && before->gpu[i].generation == state->gpu[i].generation;
    totals_from(&state->gpu[i], known ? &before->gpu[i] : NULL, state->since);
  }
}
