package io.lapwing.training;

import io.lapwing.metric.LabelWord;

/** What a loop is doing, as it reports it. The order is that of the numbers in the file. */
enum Phase implements LabelWord {
  UNKNOWN,
  TRAINING,
  EVALUATION,
  CHECKPOINT,
  ENDED,
  STARTING,
  /** The loop is over; its process saves, evaluates, or begins another loop. */
  AFTER_LOOP;

  private static final Phase[] ALL = values();

  /** A number that this version does not know becomes {@link #UNKNOWN}. */
  static Phase of(long number) {
    return number >= 0 && number < ALL.length ? ALL[(int) number] : UNKNOWN;
  }
}
