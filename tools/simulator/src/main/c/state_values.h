/* Readers of single values in a state file. Each returns false for garbled text, without side effects. */
#ifndef LAPWING_STATE_VALUES_H
#define LAPWING_STATE_VALUES_H

#include "state.h"

#include <stddef.h>

/* The text without the space around it; the end is cut off in place. */
char *trimmed(char *text);

/* Decimal, or hexadecimal after 0x. */
bool read_unsigned(const char *text, unsigned long long *number);
bool read_up_to(const char *text, unsigned long long most, unsigned long long *number);

bool read_flag(const char *text, bool *flag);
bool read_generation(const char *text, unsigned *generation);
bool read_seconds(const char *text, double *seconds);
bool read_text(const char *text, char *into, size_t size);

/* "live", a moment, or "MOMENT + RATE/s since MOMENT". */
bool read_time(const char *text, struct state *state);

/* "12.8" is 12080, as NVML has it. */
bool read_cuda_version(const char *text, int *version);

/* KIND.FUNCTION or KIND.*, where KIND is "return" or "block"; into an array with one fault for every function. */
bool read_fault(const char *key, const char *value, struct fault *faults);

#endif
