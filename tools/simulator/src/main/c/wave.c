#include "wave.h"

#include <math.h>
#include <stdint.h>

static const double TWO_PI = 6.283185307179586;
static const double FAST_SHARE = 0.4;
static const double SLOW_SHARE = 0.6;

/* Knuth's multiplicative step and xor-shifts: enough to decorrelate adjacent seeds. */
static uint32_t mixed(uint32_t seed) {
  seed = (seed ^ (seed >> 16)) * 0x45d9f3bu;
  seed = (seed ^ (seed >> 16)) * 0x45d9f3bu;
  return seed ^ (seed >> 16);
}

static double fraction(uint32_t seed) { return (double)mixed(seed) / 4294967296.0; }

struct wave wave_of(unsigned gpu, unsigned key) {
  uint32_t seed = gpu * 7919u + key * 104729u + 17u;
  double fast_period = 5.0 + 6.0 * fraction(seed + 1);
  double slow_period = 23.0 + 30.0 * fraction(seed + 2);
  struct wave wave = {
      .fast_frequency = TWO_PI / fast_period,
      .fast_phase = TWO_PI * fraction(seed + 3),
      .slow_frequency = TWO_PI / slow_period,
      .slow_phase = TWO_PI * fraction(seed + 4),
  };
  return wave;
}

double wave_at(const struct wave *wave, double seconds) {
  return FAST_SHARE * sin(wave->fast_frequency * seconds + wave->fast_phase) +
         SLOW_SHARE * sin(wave->slow_frequency * seconds + wave->slow_phase);
}

double wave_integral(const struct wave *wave, double seconds) {
  return -FAST_SHARE / wave->fast_frequency * cos(wave->fast_frequency * seconds + wave->fast_phase) -
         SLOW_SHARE / wave->slow_frequency * cos(wave->slow_frequency * seconds + wave->slow_phase);
}
