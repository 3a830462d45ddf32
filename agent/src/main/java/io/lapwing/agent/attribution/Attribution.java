package io.lapwing.agent.attribution;

import io.lapwing.agent.attribution.Evidence.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a loss in a portion of the steps may be due to, and what has to be seen besides the loop's
 * own clock to say so. The first cause with a sign is the one.
 */
final class Attribution {

  private record Way(Cause cause, List<Kind> signs) {}

  private static final Map<Portion, List<Way>> WAYS =
      Map.of(
          Portion.INPUT,
          List.of(
              new Way(
                  Cause.INPUT,
                  List.of(Kind.STORAGE, Kind.DISKS, Kind.PROCESSORS, Kind.MEMORY, Kind.IDLE_GPU))),
          Portion.CHECKPOINT,
          List.of(
              new Way(
                  Cause.CHECKPOINT, List.of(Kind.WRITES, Kind.STORAGE, Kind.DISKS, Kind.IDLE_GPU))),
          Portion.COMMUNICATION,
          List.of(new Way(Cause.NETWORK, List.of(Kind.NETWORK))),
          Portion.COMPUTE,
          List.of(
              new Way(Cause.GPU, List.of(Kind.GPU)),
              new Way(Cause.HOST, List.of(Kind.PROCESSORS, Kind.MEMORY))),
          Portion.REST,
          List.of(new Way(Cause.HOST, List.of(Kind.PROCESSORS, Kind.MEMORY, Kind.DISKS))));

  /**
   * A cause with its second sign.
   *
   * @param sign empty where there is none, and the cause is not known
   */
  record Verdict(Cause cause, Optional<Evidence> sign) {

    static final Verdict UNKNOWN = new Verdict(Cause.UNKNOWN, Optional.empty());
  }

  private Attribution() {}

  /** Who is to blame for a loss in that portion. */
  static Verdict of(Portion portion, List<Evidence> seen) {
    for (Way way : WAYS.getOrDefault(portion, List.of())) {
      for (Kind kind : way.signs()) {
        Optional<Evidence> sign = seen.stream().filter(one -> one.kind() == kind).findFirst();
        if (sign.isPresent()) {
          return new Verdict(way.cause(), sign);
        }
      }
    }
    return Verdict.UNKNOWN;
  }
}
