/* The newest reading of the state file. */
#ifndef LAPWING_STATE_FILE_H
#define LAPWING_STATE_FILE_H

#include "state.h"

/* A reference to the state as the file has it now, or had it at most check.seconds ago. Never NULL. */
struct state *state_acquire(void);

void state_release(struct state *state);

/* Where the state file is. */
const char *state_path(void);

#endif
