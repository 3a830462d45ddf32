package io.lapwing.agent.health;

import io.lapwing.metric.Labels;

/**
 * One part of the node at one moment: a GPU, an EFA device, a Lustre target.
 *
 * @param kind what it is a part of, such as {@code efa}
 * @param name of this one among its kind; empty for the kind as a whole
 * @param labels that its own series begin with
 * @param reason why it does not answer, in a word or a sentence; empty where it does
 * @param values what holds of it now, by the labels behind its own; empty while it does not answer
 */
public record PartStatus(
    String kind, String name, Labels labels, State state, String reason, Values values) {

  /** One whose labels nobody asks for. */
  public PartStatus(String kind, String name, State state, String reason, Values values) {
    this(kind, name, Labels.NONE, state, reason, values);
  }

  /** How it stands. */
  public enum State {
    ANSWERS,
    /** This node has no such thing. */
    NOTHING_HERE,
    /** A read of it has not come back within the deadline. */
    HUNG,
    /** It is there and cannot be read. */
    DOWN,
    /** It was there and does not exist any more: the driver counts fewer GPUs, say. */
    GONE
  }

  /** Whom a finding on it is about. */
  public Subject subject() {
    return name.isEmpty() ? Subject.NODE : Subject.of(kind, name);
  }

  /** What {@link Trends#increase} wants. */
  public String key() {
    return name.isEmpty() ? kind : kind + ":" + name;
  }

  public boolean answers() {
    return state == State.ANSWERS;
  }

  /** Whether it was looked at, even if to see that there is nothing. */
  boolean readable() {
    return state == State.ANSWERS || state == State.NOTHING_HERE;
  }
}
