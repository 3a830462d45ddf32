#define LAPWING_STEPS_IMPLEMENTATION
#include "lapwing_steps.h"

#include "rank.h"

#include "line.h"

#include <math.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const double WARM_UP = 100; /* steps */

struct step {
  unsigned long number, tokens;
  double checkpoint, data, compute, communication, durable;
};

/* A checkpoint that the loop no longer waits for and that is not durable yet. */
static struct {
  bool open;
  unsigned long step;
  double due;
} saving;

static double about(double share) { return 1 + share * (2 * drand48() - 1); }

static bool hear(const struct rank *self, char text[LINE_BYTES]) {
  struct pollfd line = {self->line, POLLIN, 0};
  return line_wait(&line, 1, -1) > 0 && line_hear(self->line, text);
}

/* The program never writes first, so readable input means the end. */
static bool let_pass(const struct rank *self, double seconds, double *part) {
  struct pollfd line = {self->line, POLLIN, 0};
  double began = lapwing_steps_now();
  bool passed = line_wait(&line, 1, seconds) == 0;
  *part = lapwing_steps_now() - began;
  return passed;
}

/* Returns when every rank has arrived. */
static bool meet(const struct rank *self) {
  char text[LINE_BYTES];
  return line_say(self->line, "arrived") && hear(self, text);
}

static void learn(struct lapwing_steps_record *record, double number) {
  record->loss = (2.0 + 9.76 * pow(1 + number / 30, -0.55)) * about(0.005);
  record->gradient_norm = (0.4 + 6.0 * exp(-number / 80)) * about(0.08);
  record->learning_rate = 3e-4 * fmin(1.0, number / WARM_UP);
}

/* A checkpoint of the work up to that step becomes durable some time after the loop has gone on. */
static void saved(const struct step *step) {
  saving.open = true;
  saving.step = step->number - 1;
  saving.due = lapwing_steps_now() + step->durable;
}

static void settle(struct lapwing_steps *steps) {
  if (saving.open && lapwing_steps_now() >= saving.due) {
    lapwing_steps_checkpointed(steps, saving.step);
    saving.open = false;
  }
}

static bool take_step(const struct rank *self, struct lapwing_steps *steps, const struct step *step) {
  struct lapwing_steps_record record = LAPWING_STEPS_RECORD;
  double exchange;
  if (step->checkpoint > 0) {
    lapwing_steps_phase(steps, LAPWING_STEPS_CHECKPOINT);
    if (!let_pass(self, step->checkpoint, &record.checkpoint)) {
      return false;
    }
    saved(step);
    settle(steps);
    lapwing_steps_phase(steps, LAPWING_STEPS_TRAINING);
  }
  double began = lapwing_steps_now();
  if (!let_pass(self, step->data * about(0.1), &record.data_wait) ||
      !let_pass(self, step->compute * about(0.01), &record.compute)) {
    return false;
  }
  double arrived = lapwing_steps_now();
  if (!meet(self) || !let_pass(self, step->communication, &exchange)) {
    return false;
  }
  double now = lapwing_steps_now();
  record.communication_wait = now - arrived;
  record.duration = now - began;
  record.step = step->number;
  record.tokens = step->tokens;
  record.samples = 1;
  learn(&record, (double)step->number);
  lapwing_steps_record(steps, &record);
  settle(steps);
  return line_say(self->line, "done");
}

static struct lapwing_steps *open_steps(const struct rank *self) {
  struct lapwing_steps_options options = LAPWING_STEPS_OPTIONS;
  options.job = self->job;
  options.run = "llama-8b";
  options.rank = options.local_rank = options.parallel_rank[0] = self->rank;
  options.world_size = options.parallel_size[0] = self->world_size;
  options.gpu_uuid = self->gpu_uuid;
  options.model_flops_per_token = self->flops_per_token;
  options.precision = "bf16";
  options.framework = "simulated";
  options.simulated = 1;
  return lapwing_steps_open(&options);
}

void rank_run(const struct rank *self) {
  char text[LINE_BYTES];
  struct step step;
  srand48(self->rank);
  if (!hear(self, text)) {
    return;
  }
  struct lapwing_steps *steps = open_steps(self);
  bool goes_on = line_say(self->line, "ready");
  while (goes_on && hear(self, text) &&
         sscanf(text, "%lu %lu %lf %lf %lf %lf %lf", &step.number, &step.tokens, &step.checkpoint, &step.data, &step.compute,
                &step.communication, &step.durable) == 7) {
    goes_on = take_step(self, steps, &step);
  }
  lapwing_steps_close(steps);
}
