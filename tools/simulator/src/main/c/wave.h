/* A smooth, repeatable variation between -1 and 1: two sines whose periods and phases come from a seed. */
#ifndef LAPWING_WAVE_H
#define LAPWING_WAVE_H

struct wave {
  double fast_frequency;
  double fast_phase;
  double slow_frequency;
  double slow_phase;
};

struct wave wave_of(unsigned gpu, unsigned key);
double wave_at(const struct wave *wave, double seconds);

/* An antiderivative of wave_at: differences of it are exact integrals, however far apart the moments are. */
double wave_integral(const struct wave *wave, double seconds);

#endif
