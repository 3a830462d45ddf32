package io.lapwing.agent.attribution;

import io.lapwing.agent.attribution.Evidence.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The losses of a rank in one window. Waiting for data and checkpoints are always losses, the rest
 * above the baseline (computing: or the siblings). Less than 5 % of the window is normal variation.
 */
final class Losses {

  /** Smaller shares of the window are normal variation. */
  private static final double MIN_SHARE = 0.05;

  /** Compute time above this multiple of the siblings' median is a loss. */
  private static final double SIBLING_RATIO = 1.15;

  private Losses() {}

  /** The inputs besides the timing of the rank. */
  record Context(
      Baseline baseline,
      Map<Portion, Double> siblings,
      List<Evidence> evidence,
      Optional<Loss> peer) {

    /**
     * {@code siblings}: median seconds per step of the ranks of its stage here, without those of
     * too few ranks; {@code peer}: the loss of a straggler that the others wait for.
     */
    Context {
      siblings = Map.copyOf(siblings);
      evidence = List.copyOf(evidence);
    }

    /**
     * The evidence that may explain a loss. That of the node explains no loss of one rank. A clock
     * that is lower than the siblings' explains no loss that the siblings have too, unless they may
     * have waited for this rank while they seemed to compute.
     *
     * @param share of the time of the steps that was lost
     */
    List<Evidence> evidenceOf(Portion portion, double took, double expected, double share) {
      double median = siblings.getOrDefault(portion, Double.NaN);
      boolean compared = portion != Portion.COMMUNICATION && !Double.isNaN(median);
      boolean ownLoss = compared && took - median > (took - expected) / 2;
      boolean toldApart = compared && siblings.containsKey(Portion.COMMUNICATION);
      Evidence.Excess excess = new Evidence.Excess(took / expected, share);
      return evidence.stream()
          .filter(one -> !(ownLoss && one.kind().isOfNode()))
          .filter(one -> ownLoss || !toldApart || one.kind() != Kind.SLOW_CLOCK)
          .filter(one -> one.strength().accountsFor(excess))
          .toList();
    }
  }

  static List<Loss> of(RankTime time, Context context) {
    List<Loss> losses = new ArrayList<>();
    for (Portion portion : Portion.values()) {
      loss(portion, time, context).ifPresent(losses::add);
    }
    return losses;
  }

  private static Optional<Loss> loss(Portion portion, RankTime time, Context context) {
    OptionalDouble took = time.each(portion);
    OptionalDouble expected = expected(portion, took, context);
    if (took.isEmpty() || expected.isEmpty()) {
      return Optional.empty();
    }
    double seconds = (took.getAsDouble() - expected.getAsDouble()) * time.steps();
    if (seconds <= MIN_SHARE * time.seconds()) {
      return Optional.empty();
    }
    Attribution.Result result =
        Attribution.of(
            portion,
            context.evidenceOf(
                portion, took.getAsDouble(), expected.getAsDouble(), seconds / time.seconds()));
    String timing = timing(portion, took.getAsDouble(), expected.getAsDouble(), time);
    if (result.cause() == Cause.UNKNOWN && portion == Portion.COMMUNICATION) {
      return Optional.of(waiting(seconds, timing, context.peer()));
    }
    return Optional.of(
        new Loss(portion, result.cause(), seconds, timing, result.evidence().map(Evidence::text)));
  }

  /** Attributes waiting for a slow rank to the cause of that slowness. */
  private static Loss waiting(double seconds, String timing, Optional<Loss> peer) {
    return new Loss(
        Portion.COMMUNICATION,
        peer.map(Loss::cause).orElse(Cause.UNKNOWN),
        seconds,
        timing,
        peer.flatMap(Loss::evidence),
        peer.flatMap(Loss::waitedFor));
  }

  private static OptionalDouble expected(Portion portion, OptionalDouble took, Context context) {
    return switch (portion) {
      case INPUT, CHECKPOINT -> OptionalDouble.of(0);
      case COMPUTE -> compute(took, context);
      case COMMUNICATION, REST -> context.baseline().of(portion);
    };
  }

  private static OptionalDouble compute(OptionalDouble took, Context context) {
    OptionalDouble baseline = context.baseline().of(Portion.COMPUTE);
    double siblings = context.siblings().getOrDefault(Portion.COMPUTE, Double.NaN);
    boolean behind = took.orElse(0) > SIBLING_RATIO * siblings;
    return behind && (baseline.isEmpty() || siblings < baseline.getAsDouble())
        ? OptionalDouble.of(siblings)
        : baseline;
  }

  private static String timing(Portion portion, double took, double expected, RankTime time) {
    double share = 100 * took * time.steps() / time.seconds();
    return expected > 0
        ? String.format(
            Locale.ROOT,
            "%s took %s a step instead of %s",
            portion.words(),
            text(took),
            text(expected))
        : String.format(Locale.ROOT, "%s took %.0f %% of its steps", portion.words(), share);
  }

  private static String text(double seconds) {
    return seconds < 1
        ? String.format(Locale.ROOT, "%.0f ms", seconds * 1000)
        : String.format(Locale.ROOT, "%.2f s", seconds);
  }

  static Map<Cause, Double> byCause(List<Loss> losses) {
    Map<Cause, Double> sums = new EnumMap<>(Cause.class);
    losses.forEach(loss -> sums.merge(loss.cause(), loss.seconds(), Double::sum));
    return sums;
  }

  /**
   * Seconds above the expected duration of a portion; {@code timing} is what the loop measured,
   * {@code evidence} is empty if the cause is unknown, {@code waitedFor} the other rank whose cause
   * it is, empty if it is this rank's own.
   */
  record Loss(
      Portion portion,
      Cause cause,
      double seconds,
      String timing,
      Optional<String> evidence,
      Optional<String> waitedFor) {

    Loss(Portion portion, Cause cause, double seconds, String timing, Optional<String> evidence) {
      this(portion, cause, seconds, timing, evidence, Optional.empty());
    }

    /** This loss from the view of the ranks that wait for the given rank. */
    Loss waitingFor(String rank) {
      String reason =
          evidence
              .map(text -> rank + " is slow: " + text)
              .orElse(rank + " is slow for an unknown reason");
      return new Loss(portion, cause, seconds, timing, Optional.of(reason), Optional.of(rank));
    }
  }

  /** Attributes a loss to the first cause with evidence besides the loop's own timing. */
  static final class Attribution {

    private record Rule(Cause cause, List<Kind> kinds) {}

    private static final Map<Portion, List<Rule>> RULES =
        Map.of(
            Portion.INPUT,
            List.of(
                new Rule(
                    Cause.INPUT,
                    List.of(
                        Kind.STORAGE,
                        Kind.DISKS,
                        Kind.OWN_PROCESSOR,
                        Kind.PROCESSORS,
                        Kind.MEMORY,
                        Kind.IDLE_GPU))),
            Portion.CHECKPOINT,
            List.of(
                new Rule(
                    Cause.CHECKPOINT,
                    List.of(Kind.STORAGE, Kind.DISKS, Kind.WRITES, Kind.IDLE_GPU))),
            Portion.COMMUNICATION,
            List.of(new Rule(Cause.NETWORK, List.of(Kind.NETWORK))),
            Portion.COMPUTE,
            List.of(
                new Rule(Cause.GPU, List.of(Kind.SLOW_CLOCK, Kind.GPU)),
                new Rule(Cause.HOST, List.of(Kind.OWN_PROCESSOR, Kind.PROCESSORS, Kind.MEMORY))),
            Portion.REST,
            List.of(
                new Rule(
                    Cause.HOST,
                    List.of(Kind.OWN_PROCESSOR, Kind.PROCESSORS, Kind.MEMORY, Kind.DISKS))));

    /** A cause and its evidence, empty if unknown. */
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
}
