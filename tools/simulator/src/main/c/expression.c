#include "expression.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void skip_space(const char **at) {
  while (isspace((unsigned char)**at)) {
    (*at)++;
  }
}

static bool take(const char **at, const char *word) {
  skip_space(at);
  size_t length = strlen(word);
  if (strncmp(*at, word, length) != 0) {
    return false;
  }
  *at += length;
  return true;
}

/* As take, but "max" must not be found in "maximum". */
static bool take_word(const char **at, const char *word) {
  const char *start = *at;
  if (take(at, word) && !isalnum((unsigned char)**at) && **at != '_' && **at != '.') {
    return true;
  }
  *at = start;
  return false;
}

static bool take_number(const char **at, double *number) {
  skip_space(at);
  if (!isdigit((unsigned char)**at) && !(**at == '-' && isdigit((unsigned char)(*at)[1]))) {
    return false;
  }
  char *end;
  *number = strtod(*at, &end);
  if (end > *at && end[-1] == '.' && *end == '.') {
    end--; /* "75.. 650": the dot is the range's */
  }
  *at = end;
  return isfinite(*number);
}

/* A quantity's key, which must be listed before the quantity that the expression is for. */
static bool take_quantity(const char **at, int quantity, int *found) {
  skip_space(at);
  char key[64];
  size_t length = 0;
  while (isalnum((unsigned char)(*at)[length]) || (*at)[length] == '_' || (*at)[length] == '.') {
    if (length + 1 == sizeof key) {
      return false;
    }
    key[length] = (*at)[length];
    length++;
  }
  key[length] = '\0';
  *found = quantity_named(key);
  if (*found == NOT_A_QUANTITY || *found >= quantity) {
    return false;
  }
  *at += length;
  return true;
}

static bool follow(struct expression *into, int quantity, double factor) {
  if (into->follows != NOT_A_QUANTITY) {
    return false;
  }
  into->follows = quantity;
  into->factor = factor;
  return true;
}

/* number | number/s | number * quantity | number .. number | quantity */
static bool take_term(const char **at, int quantity, double sign, struct expression *into) {
  double number;
  int followed;
  if (!take_number(at, &number)) {
    return take_quantity(at, quantity, &followed) && follow(into, followed, sign);
  }
  if (take(at, "/s")) {
    into->rate += sign * number;
    return true;
  }
  if (take(at, "*")) {
    return take_quantity(at, quantity, &followed) && follow(into, followed, sign * number);
  }
  into->base += sign * number;
  double busy;
  if (take(at, "..")) {
    return quantity > Q_LOAD && take_number(at, &busy) && follow(into, Q_LOAD, sign * (busy - number));
  }
  return true;
}

static bool take_qualifier(const char **at, struct expression *into) {
  if (take(at, "~")) {
    return take_number(at, &into->wobble);
  }
  if (take_word(at, "since")) {
    return take_number(at, &into->since);
  }
  if (take_word(at, "max")) {
    return take_number(at, &into->high);
  }
  return take_word(at, "min") && take_number(at, &into->low);
}

static const struct expression NOTHING = {
    .since = NAN, .low = -INFINITY, .high = INFINITY, .follows = NOT_A_QUANTITY};

bool expression_parse(const char *text, int quantity, struct expression *expression) {
  struct expression read = NOTHING;
  const char *at = text;
  if (take_word(&at, "unsupported")) {
    read.unsupported = true;
  } else if (take_word(&at, "derived")) {
    read.derived = true;
  } else {
    if (!take_term(&at, quantity, 1, &read)) {
      return false;
    }
    for (;;) {
      if (take(&at, "+")) {
        if (!take_term(&at, quantity, 1, &read)) {
          return false;
        }
      } else if (take(&at, "-")) {
        if (!take_term(&at, quantity, -1, &read)) {
          return false;
        }
      } else {
        skip_space(&at);
        if (*at == '\0') {
          break;
        }
        if (!take_qualifier(&at, &read)) {
          return false;
        }
      }
    }
  }
  skip_space(&at);
  if (*at != '\0' || read.low > read.high) {
    return false;
  }
  *expression = read;
  return true;
}

static double clamped(const struct expression *e, double value) { return fmin(fmax(value, e->low), e->high); }

/* The ramp has its base value before its start, and stops at max or min. */
static double ramp(const struct expression *e, double seconds) {
  if (e->rate == 0 || seconds <= e->since) {
    return e->base;
  }
  return clamped(e, e->base + e->rate * (seconds - e->since));
}

/* Area under the ramp from its start on; before the start the area is negative, as an antiderivative's is. */
static double ramp_integral(const struct expression *e, double seconds) {
  double elapsed = seconds - e->since;
  if (e->rate == 0 || elapsed <= 0) {
    return e->base * elapsed;
  }
  double limit = e->rate > 0 ? e->high : e->low;
  double until_limit = (limit - e->base) / e->rate;
  if (until_limit < 0) {
    return limit * elapsed;
  }
  double rising = fmin(elapsed, until_limit);
  double area = e->base * rising + e->rate * rising * rising / 2;
  return elapsed > rising ? area + limit * (elapsed - rising) : area;
}

double expression_value(const struct expression *e, const struct expression *all, double seconds) {
  double value = ramp(e, seconds);
  if (e->follows != NOT_A_QUANTITY) {
    value += e->factor * expression_value(&all[e->follows], all, seconds);
  }
  if (e->wobble != 0) {
    value += e->wobble * wave_at(&e->wave, seconds);
  }
  return clamped(e, value);
}

double expression_integral(const struct expression *e, const struct expression *all, double seconds) {
  if (e->unsupported) {
    return 0;
  }
  double area = ramp_integral(e, seconds);
  if (e->follows != NOT_A_QUANTITY) {
    area += e->factor * expression_integral(&all[e->follows], all, seconds);
  }
  if (e->wobble != 0) {
    area += e->wobble * wave_integral(&e->wave, seconds);
  }
  return area;
}
