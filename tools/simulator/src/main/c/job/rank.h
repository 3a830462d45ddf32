#ifndef RANK_H
#define RANK_H

struct rank {
  int rank, ranks, world_size;
  const char *job, *gpu_uuid;
  double flops_per_token;
  int line; /* to the program that runs the ranks */
};

/* Runs a rank until the line is closed. */
void rank_run(const struct rank *self);

#endif
