package io.lapwing.agent.health;

import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;

/**
 * One part of the node at one moment: a GPU, an EFA device, a Lustre target.
 *
 * @param kind what it is a part of, such as {@code efa}
 * @param name of this one among its kind; empty for the kind as a whole
 * @param labels that its series start with
 * @param reason why it does not answer, a word or a sentence; empty where it does
 * @param values by the labels after its own; empty while it does not answer
 * @param key the part in {@link Trends#increase}
 */
public record PartStatus(
    String kind,
    String name,
    Labels labels,
    State state,
    String reason,
    Values values,
    String key) {

  public PartStatus(
      String kind, String name, Labels labels, State state, String reason, Values values) {
    this(kind, name, labels, state, reason, values, name.isEmpty() ? kind : kind + ":" + name);
  }

  public PartStatus(String kind, String name, State state, String reason, Values values) {
    this(kind, name, Labels.NONE, state, reason, values);
  }

  public enum State {
    ANSWERS,
    /** Its last read returned after the deadline, so that it no longer hangs is not certain. */
    ANSWERS_LATE,
    /** This node has no such thing. */
    NOTHING_HERE,
    /** A read has not returned within the deadline. */
    HUNG,
    /** It is there and cannot be read. */
    DOWN,
    /** It no longer exists: the driver counts fewer GPUs, for example. */
    GONE;

    public boolean answers() {
      return this == ANSWERS || this == ANSWERS_LATE;
    }
  }

  public Subject subject() {
    return name.isEmpty() ? Subject.NODE : Subject.of(kind, name);
  }

  public boolean answers() {
    return state.answers();
  }

  /**
   * Whether it was read, even without a result: then a rule's earlier detection may be outdated.
   */
  public boolean isRead() {
    return answers() || state == State.NOTHING_HERE;
  }

  /** The same of one family: its collector may be switched off. */
  public boolean isRead(Metric family) {
    return answers() ? values.has(family) : isRead();
  }

  /** Whether it was read in time, even if nothing was found. */
  boolean readable() {
    return state == State.ANSWERS || state == State.NOTHING_HERE;
  }
}
