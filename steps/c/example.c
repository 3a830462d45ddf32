/* A training loop of a hundred steps with step records. `make example && ./build/example` */
#define LAPWING_STEPS_IMPLEMENTATION
#include "lapwing_steps.h"

int main(void) {
  struct lapwing_steps_options options = LAPWING_STEPS_OPTIONS;
  options.job = "c-example";
  options.model_flops_per_token = 6.0 * 8e9;
  options.precision = "bf16";
  struct lapwing_steps *steps = lapwing_steps_open(&options);
  const struct timespec data = {0, 5000000}, compute = {0, 45000000};
  for (uint64_t step = 1; step <= 100; step++) {
    double began = lapwing_steps_now();
    nanosleep(&data, NULL); /* read a batch */
    double ready = lapwing_steps_now();
    nanosleep(&compute, NULL); /* train on it */
    struct lapwing_steps_record record = LAPWING_STEPS_RECORD;
    record.step = step;
    record.duration = lapwing_steps_now() - began;
    record.data_wait = ready - began;
    record.compute = record.duration - record.data_wait;
    record.tokens = 4096;
    record.loss = 8.0 / (double)step;
    lapwing_steps_record(steps, &record);
  }
  lapwing_steps_close(steps);
  return 0;
}
