/* Writes eleven known records into a ring of eight and exits without closing, for tests in Python and Java. */
#define LAPWING_STEPS_IMPLEMENTATION
#include "lapwing_steps.h"

int main(int count, char **arguments) {
  struct lapwing_steps_options options = LAPWING_STEPS_OPTIONS;
  if (count != 2) return 2;
  options.directory = arguments[1];
  options.job = "recorded";
  options.run = "c";
  options.host = "node-1";
  options.gpu_uuid = "GPU-00000000-0000-0000-0000-000000000001";
  options.precision = "bf16";
  options.framework = "none";
  options.rank = 3;
  options.local_rank = 1;
  options.world_size = 16;
  options.parallel_rank[0] = 1;
  options.parallel_size[0] = 8;
  options.parallel_rank[1] = 1;
  options.parallel_size[1] = 2;
  options.model_flops_per_token = 4.2e10;
  options.capacity = 8;
  options.pid = 4242;
  options.start_ticks = 123456;
  options.created_ns = 1700000000000000000u;
  struct lapwing_steps *steps = lapwing_steps_open(&options);
  if (steps == NULL) return 1;
  for (uint64_t n = 0; n < 11; n++) {
    struct lapwing_steps_record record = LAPWING_STEPS_RECORD;
    record.step = 100 + n;
    record.start_ns = 1700000000000000000u + n * 500000000u;
    record.duration = 0.5;
    record.tokens = 4096;
    record.samples = 2;
    record.loss = 2.5 - 0.125 * (double)n;
    record.gradient_norm = 0.75;
    record.learning_rate = 0.0001;
    record.data_wait = 0.0625;
    record.compute = 0.25;
    record.communication_wait = 0.125;
    if (n == 10) record.checkpoint = 1.5;
    lapwing_steps_record(steps, &record);
  }
  puts(lapwing_steps_path(steps));
  return 0;
}
