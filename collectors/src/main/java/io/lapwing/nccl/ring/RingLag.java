package io.lapwing.nccl.ring;

import io.lapwing.metric.LabelWord;

/**
 * A collective that other ranks on this node wait in, while this one does not take part in it.
 *
 * @param seconds how long the first of them has waited; 0 if this rank is not behind
 * @param sequence NCCL's number of the collective
 */
record RingLag(double seconds, RingOperation operation, State state, long sequence) {

  static final RingLag NONE = new RingLag(0, RingOperation.OTHER, State.NOT_ENTERED, 0);

  /** How far the rank is. */
  enum State implements LabelWord {
    /** Its host has not enqueued it: the process does something else, or is stopped. */
    NOT_ENTERED,
    /** It is enqueued, but its GPU is busy with something before it. */
    NOT_STARTED,
    /** Its process has ended, and the others of the communicator have not. */
    GONE;
  }
}
