package io.lapwing.agent.attribution;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the steps of one stretch lost, and to what. Waiting for data and saving are always a loss;
 * computing is one where it takes longer than usual or than for the ranks beside it, waiting for
 * other ranks and the rest where they take longer than usual. What is less than a twentieth of the
 * stretch is how steps vary, and none.
 */
final class Losses {

  /** Share of the stretch below which nothing is a loss. */
  private static final double LEAST = 0.05;

  /** How many times the siblings' median a rank may compute before that is a loss. */
  private static final double AS_SIBLINGS = 1.15;

  private Losses() {}

  /** What is known of a rank besides its time. */
  record Known(
      Baseline usual, OptionalDouble siblingsCompute, List<Evidence> signs, Optional<Loss> peer) {

    /**
     * What is known.
     *
     * @param siblingsCompute median seconds a step of the job's ranks on this node; empty where
     *     there are too few
     * @param peer the loss of a straggler for which the others wait; empty where there is none
     */
    Known {
      signs = List.copyOf(signs);
    }
  }

  /** The losses, in the order of the portions. */
  static List<Loss> of(RankTime time, Known known) {
    List<Loss> losses = new ArrayList<>();
    for (Portion portion : Portion.values()) {
      loss(portion, time, known).ifPresent(losses::add);
    }
    return losses;
  }

  private static Optional<Loss> loss(Portion portion, RankTime time, Known known) {
    OptionalDouble took = time.each(portion);
    OptionalDouble should = should(portion, took, known);
    if (took.isEmpty() || should.isEmpty()) {
      return Optional.empty();
    }
    double seconds = (took.getAsDouble() - should.getAsDouble()) * time.steps();
    if (seconds <= LEAST * time.seconds()) {
      return Optional.empty();
    }
    Attribution.Verdict verdict = Attribution.of(portion, known.signs());
    String first = first(portion, took.getAsDouble(), should.getAsDouble(), time);
    if (verdict.cause() == Cause.UNKNOWN && portion == Portion.COMMUNICATION) {
      return Optional.of(waiting(seconds, first, known.peer()));
    }
    return Optional.of(
        new Loss(portion, verdict.cause(), seconds, first, verdict.sign().map(Evidence::text)));
  }

  /** Who waits for a rank that is slow loses time to whatever slows that one. */
  private static Loss waiting(double seconds, String first, Optional<Loss> peer) {
    return new Loss(
        Portion.COMMUNICATION,
        peer.map(Loss::cause).orElse(Cause.UNKNOWN),
        seconds,
        first,
        peer.flatMap(Loss::second));
  }

  private static OptionalDouble should(Portion portion, OptionalDouble took, Known known) {
    return switch (portion) {
      case INPUT, CHECKPOINT -> OptionalDouble.of(0);
      case COMPUTE -> compute(took, known);
      case COMMUNICATION, REST -> known.usual().of(portion);
    };
  }

  private static OptionalDouble compute(OptionalDouble took, Known known) {
    OptionalDouble usual = known.usual().of(Portion.COMPUTE);
    OptionalDouble siblings = known.siblingsCompute();
    boolean behind = siblings.isPresent() && took.orElse(0) > AS_SIBLINGS * siblings.getAsDouble();
    if (behind && (usual.isEmpty() || siblings.getAsDouble() < usual.getAsDouble())) {
      return siblings;
    }
    return usual;
  }

  private static String first(Portion portion, double took, double should, RankTime time) {
    double share = 100 * took * time.steps() / time.seconds();
    return should > 0
        ? String.format(
            Locale.ROOT,
            "%s took %s a step instead of %s",
            portion.words(),
            text(took),
            text(should))
        : String.format(Locale.ROOT, "%s took %.0f %% of its steps", portion.words(), share);
  }

  private static String text(double seconds) {
    return seconds < 1
        ? String.format(Locale.ROOT, "%.0f ms", seconds * 1000)
        : String.format(Locale.ROOT, "%.2f s", seconds);
  }

  /** Seconds by cause. */
  static Map<Cause, Double> byCause(List<Loss> losses) {
    Map<Cause, Double> sums = new EnumMap<>(Cause.class);
    losses.forEach(loss -> sums.merge(loss.cause(), loss.seconds(), Double::sum));
    return sums;
  }
}
