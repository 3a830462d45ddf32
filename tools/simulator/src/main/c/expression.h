/*
 * The value of one line of the state file, as a function of time.
 *
 *   54                     a constant
 *   75 .. 650              from the first at load 0 to the second at load 1
 *   54 ~ 3                 varies by at most 3
 *   1000 + 5/s             ramps since the state's epoch, or "since SECONDS"
 *   60 + 2/s max 92        a ramp that ends; "min" likewise
 *   87 - temperature       follows another quantity, which is listed above this one
 *   power ~ 2, 2*load      likewise
 *   unsupported            the call answers NOT_SUPPORTED
 */
#ifndef LAPWING_EXPRESSION_H
#define LAPWING_EXPRESSION_H

#include "quantity.h"
#include "wave.h"

#include <stdbool.h>

struct expression {
  double base;
  double rate;
  double since; /* NAN until the epoch is known */
  double low;
  double high;
  double factor;
  int follows; /* NOT_A_QUANTITY if independent */
  double wobble;
  struct wave wave;
  bool unsupported;
  bool derived; /* computed by the call that answers it */
};

/* Reads text into expression; quantity is its owner, which limits what it may follow. False if malformed. */
bool expression_parse(const char *text, int quantity, struct expression *expression);

/* The value at a moment, given the values of all quantities as expressions. */
double expression_value(const struct expression *expression, const struct expression *all, double seconds);

/* An antiderivative of expression_value; meaningful for integrated quantities. */
double expression_integral(const struct expression *expression, const struct expression *all, double seconds);

#endif
