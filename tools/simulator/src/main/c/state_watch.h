/* Waits for the state file to change, without polling. */
#ifndef LAPWING_STATE_WATCH_H
#define LAPWING_STATE_WATCH_H

/* A watch on the state file's folder. Open it before reading the state, so that no change in between is missed. */
int watch_open(void);

/* Returns after a change, once the new state can be read, or after the time, or a little earlier. */
void watch_wait(int watch, long long milliseconds);

void watch_close(int watch);

#endif
