#ifndef LINE_H
#define LINE_H

#include <stdbool.h>
#include <stddef.h>

/* Messages between a rank and the program that runs the ranks, one packet each. */

enum { LINE_BYTES = 256 };

/* False when the other end is closed. */
bool line_say(int line, const char *text);
bool line_hear(int line, char text[LINE_BYTES]);

/* Signals that end a job are received only while waiting; `ended` reports them. */
extern volatile int ended;
void line_take_signals(void);

struct pollfd;

/* As poll, but negative once a signal has come; seconds below 0 are forever. */
int line_wait(struct pollfd *lines, size_t count, double seconds);

#endif
