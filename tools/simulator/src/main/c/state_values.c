#include "state_values.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *trimmed(char *text) {
  while (isspace((unsigned char)*text)) {
    text++;
  }
  char *end = text + strlen(text);
  while (end > text && isspace((unsigned char)end[-1])) {
    *--end = '\0';
  }
  return text;
}

bool read_unsigned(const char *text, unsigned long long *number) {
  if (!isdigit((unsigned char)*text)) {
    return false;
  }
  char *end;
  errno = 0;
  *number = strtoull(text, &end, 0);
  return errno == 0 && *end == '\0';
}

bool read_up_to(const char *text, unsigned long long most, unsigned long long *number) {
  return read_unsigned(text, number) && *number <= most;
}

bool read_flag(const char *text, bool *flag) {
  unsigned long long number;
  if (!read_up_to(text, 1, &number)) {
    return false;
  }
  *flag = number == 1;
  return true;
}

bool read_generation(const char *text, unsigned *generation) {
  unsigned long long number;
  if (!read_up_to(text, 1000000, &number)) {
    return false;
  }
  *generation = (unsigned)number;
  return true;
}

bool read_seconds(const char *text, double *seconds) {
  if (!isdigit((unsigned char)*text)) {
    return false;
  }
  char *end;
  *seconds = strtod(text, &end);
  return *end == '\0' && isfinite(*seconds);
}

bool read_text(const char *text, char *into, size_t size) {
  if (strlen(text) >= size) {
    return false;
  }
  memcpy(into, text, strlen(text) + 1);
  return true;
}

/* "forever", seconds, or 0 for a call that does not block. */
static bool read_block(const char *text, float *seconds) {
  if (strcmp(text, "forever") == 0) {
    *seconds = INFINITY;
    return true;
  }
  double number;
  if (!read_seconds(text, &number)) {
    return false;
  }
  *seconds = (float)number;
  return true;
}

bool read_fault(const char *key, const char *value, struct fault *faults) {
  bool blocks = strncmp(key, "block.", 6) == 0;
  bool crashes = strncmp(key, "crash.", 6) == 0;
  if (!blocks && !crashes && strncmp(key, "return.", 7) != 0) {
    return false;
  }
  const char *name = strchr(key, '.') + 1;
  struct fault fault = {0};
  if (blocks) {
    if (!read_block(value, &fault.seconds)) {
      return false;
    }
  } else if (crashes) {
    if (!read_flag(value, &fault.crashes)) {
      return false;
    }
  } else {
    unsigned long long code;
    if (!read_up_to(value, 999, &code)) {
      return false;
    }
    fault.code = (uint16_t)code;
  }
  bool all = strcmp(name, "*") == 0;
  int only = all ? NOT_A_FUNCTION : function_named(name);
  if (!all && only == NOT_A_FUNCTION) {
    return false;
  }
  for (int i = all ? 0 : only; i < (all ? FUNCTIONS : only + 1); i++) {
    if (blocks) {
      faults[i].seconds = fault.seconds;
    } else if (crashes) {
      faults[i].crashes = fault.crashes;
    } else {
      faults[i].code = fault.code;
    }
  }
  return true;
}

bool read_cuda_version(const char *text, int *version) {
  int major;
  int minor;
  char rest;
  if (sscanf(text, "%d.%d%c", &major, &minor, &rest) != 2) {
    return false;
  }
  *version = major * 1000 + minor * 10;
  return true;
}

bool read_time(const char *text, struct state *state) {
  double moment = 0;
  double rate = 0;
  double since = 0;
  char rest;
  if (strcmp(text, "live") != 0 && !read_seconds(text, &moment) &&
      (sscanf(text, "%lf + %lf/s since %lf%c", &moment, &rate, &since, &rest) != 3 || !(rate > 0) ||
       !isfinite(moment + rate + since))) {
    return false;
  }
  state->fixed_time = moment;
  state->time_rate = rate;
  state->time_since = since;
  return true;
}
