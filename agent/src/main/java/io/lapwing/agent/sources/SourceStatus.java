package io.lapwing.agent.sources;

import io.lapwing.collect.Access;
import java.time.Duration;
import java.util.Optional;

/**
 * The result of a source's last round, or a hung call. The /metrics page, rules, {@code
 * /api/v1/node} and {@code /ui} read this type.
 */
public sealed interface SourceStatus {

  /** No round has finished yet. */
  record Starting() implements SourceStatus {}

  /** The last round could read it; {@code late}: it took longer than the deadline. */
  record Answering(boolean late) implements SourceStatus {}

  /** This node has no such thing, which is not an error. */
  record NothingHere(String why) implements SourceStatus {}

  /**
   * It should be here and cannot be read; {@code reason} is a label value, see {@link Access.Down}.
   */
  record Down(String reason, String why) implements SourceStatus {}

  /** A call exceeds the deadline: for how long, and in which collector or the opening. */
  record Hung(Duration since, String doing) implements SourceStatus {}

  static SourceStatus of(SourceActivity activity, Optional<SourceSnapshot> last) {
    return activity.hung()
        ? new Hung(activity.busy().orElse(Duration.ZERO), activity.doing())
        : last.map(seen -> of(seen.access(), activity.late())).orElseGet(Starting::new);
  }

  private static SourceStatus of(Access access, boolean late) {
    if (access instanceof Access.Down down) {
      return new Down(down.reason(), down.why());
    }
    return access instanceof Access.NothingHere nothing
        ? new NothingHere(nothing.why())
        : new Answering(late);
  }

  default boolean answers() {
    return this instanceof Answering;
  }

  /** How long a call has hung; zero while none hangs. */
  default Duration hungFor() {
    return this instanceof Hung hung ? hung.since() : Duration.ZERO;
  }

  default String text() {
    if (this instanceof Starting) {
      return "starting";
    }
    if (this instanceof Answering) {
      return "answering";
    }
    if (this instanceof NothingHere) {
      return "nothing-here";
    }
    return this instanceof Down ? "down" : "hung";
  }

  /** Why it does not answer; empty while it answers or starts. */
  default String why() {
    if (this instanceof Hung hung) {
      return "in " + hung.doing();
    }
    if (this instanceof Down down) {
      return down.why();
    }
    return this instanceof NothingHere nothing ? nothing.why() : "";
  }
}
