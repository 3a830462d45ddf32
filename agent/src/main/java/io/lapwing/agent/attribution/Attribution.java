package io.lapwing.agent.attribution;

import io.lapwing.agent.attribution.Evidence.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Attributes a loss in a portion of the steps to a cause. A cause needs evidence besides the loop's
 * own timing; the first cause with evidence wins.
 */
final class Attribution {

  private record Rule(Cause cause, List<Kind> kinds) {}

  private static final Map<Portion, List<Rule>> RULES =
      Map.of(
          Portion.INPUT,
          List.of(
              new Rule(
                  Cause.INPUT,
                  List.of(Kind.STORAGE, Kind.DISKS, Kind.PROCESSORS, Kind.MEMORY, Kind.IDLE_GPU))),
          Portion.CHECKPOINT,
          List.of(
              new Rule(
                  Cause.CHECKPOINT, List.of(Kind.WRITES, Kind.STORAGE, Kind.DISKS, Kind.IDLE_GPU))),
          Portion.COMMUNICATION,
          List.of(new Rule(Cause.NETWORK, List.of(Kind.NETWORK))),
          Portion.COMPUTE,
          List.of(
              new Rule(Cause.GPU, List.of(Kind.GPU)),
              new Rule(Cause.HOST, List.of(Kind.PROCESSORS, Kind.MEMORY))),
          Portion.REST,
          List.of(new Rule(Cause.HOST, List.of(Kind.PROCESSORS, Kind.MEMORY, Kind.DISKS))));

  /**
   * A cause and the evidence for it.
   *
   * @param evidence empty if the cause is unknown
   */
  record Result(Cause cause, Optional<Evidence> evidence) {

    static final Result UNKNOWN = new Result(Cause.UNKNOWN, Optional.empty());
  }

  private Attribution() {}

  /** The cause of a loss in that portion. */
  static Result of(Portion portion, List<Evidence> available) {
    for (Rule rule : RULES.getOrDefault(portion, List.of())) {
      for (Kind kind : rule.kinds()) {
        Optional<Evidence> evidence =
            available.stream().filter(one -> one.kind() == kind).findFirst();
        if (evidence.isPresent()) {
          return new Result(rule.cause(), evidence);
        }
      }
    }
    return Result.UNKNOWN;
  }
}
