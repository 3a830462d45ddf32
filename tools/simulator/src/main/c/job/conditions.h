#ifndef CONDITIONS_H
#define CONDITIONS_H

#include <stdbool.h>
#include <stddef.h>

enum { MOST_RANKS = 64 };

/* Properties of steps, as in training_job.py. */
struct conditions {
  bool known; /* whether it was set */
  bool stopped;
  double data, compute, communication, checkpoint, durable; /* seconds */
  double uneven; /* one rank computes longer by this share, another one in each step */
  unsigned long every, tokens;
  double slower[MOST_RANKS];
};

/* Reads "data=0.01 compute=0.4 ... slower=1,1.4,1"; changes the line. */
void conditions_read(struct conditions *conditions, char *line);

/* Properties of one step of a rank; it saves before the step that follows a multiple of `every`. */
void conditions_of_step(const struct conditions *conditions, unsigned long number, int rank, int ranks, char *text,
                        size_t size);

#endif
