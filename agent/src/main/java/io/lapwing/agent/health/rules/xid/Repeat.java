package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Subject;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An apparent application fault in several processes.
 *
 * @param place on the GPU or on its MIG instance: {@code GPC 1, TPC 3}; empty for all of it
 * @param programs the names of the processes, one empty name for those without
 */
record Repeat(
    int number,
    OptionalInt instance,
    String place,
    int processes,
    Set<String> programs,
    Instant first,
    Instant last,
    long times,
    Set<Event.Origin> origins) {

  private static final String DIAGNOSE =
      " points to the hardware: run the field diagnostic, or dcgmi diag -r 4, once the node is free.";

  /** Whether both match the pattern of one program that fails on several GPUs. */
  boolean isLike(Repeat other) {
    return number == other.number && (number == Repeats.PAGE_FAULT || place.equals(other.place));
  }

  /**
   * Whether one program fails on several MIG instances of the GPU. Different programs that fail on
   * one GPU alone point to the GPU, on whichever instances they run.
   *
   * @param gpu all repeats of the GPU, with this one
   */
  boolean isOfOneProgram(List<Repeat> gpu) {
    List<Repeat> same = gpu.stream().filter(one -> one.number == number).toList();
    return same.stream().anyMatch(one -> !one.instance.equals(instance)) && !areSeveral(same);
  }

  /**
   * Whether different programs fail, each perhaps at a place of its own. One without a name may be
   * any of them.
   */
  private static boolean areSeveral(List<Repeat> places) {
    return places.stream()
            .flatMap(one -> one.programs.stream())
            .filter(name -> !name.isEmpty())
            .distinct()
            .count()
        > 1;
  }

  /** One finding of a GPU, of all places with the same number. */
  static Detection detection(String gpu, List<Repeat> places, XidRule.Words words) {
    int number = places.get(0).number;
    boolean hardware = areSeveral(places);
    return new Detection(
            Repeats.name(number),
            new Subject.Gpu(gpu),
            hardware ? Disposition.WATCH : Disposition.info(),
            "XID %s, %s, %s"
                .formatted(
                    number,
                    words.name(number),
                    places.stream().map(Repeat::where).collect(Collectors.joining(" and "))),
            why(places, hardware),
            "NVIDIA XID catalogue, WORKFLOW_XID_" + number,
            places.stream().map(Repeat::first).min(Comparator.naturalOrder()),
            places.stream().map(Repeat::last).max(Comparator.naturalOrder()),
            places.stream().mapToLong(Repeat::times).sum(),
            sources(places))
        .of(instance(places));
  }

  private static OptionalInt instance(List<Repeat> places) {
    List<OptionalInt> all = places.stream().map(Repeat::instance).distinct().toList();
    return all.size() == 1 ? all.get(0) : OptionalInt.empty();
  }

  private String where() {
    return "in %s processes %s"
        .formatted(
            processes, text().isEmpty() ? "on this GPU" : "at the same place (" + text() + ")");
  }

  private String text() {
    if (instance.isEmpty()) {
      return place;
    }
    return place.isEmpty()
        ? "MIG instance " + instance.getAsInt()
        : "GPU-I " + instance.getAsInt() + ", " + place;
  }

  private static String why(List<Repeat> places, boolean hardware) {
    if (!hardware) {
      return "The processes have the same name: a program that crashes and is started again by its job has this on the same GPU each time. Another program on this GPU shows whether the hardware is at fault.";
    }
    return (places.size() > 1 || places.get(0).text().isEmpty()
            ? "One GPU on which several processes fail, while no other GPU has the error,"
            : "One place where several processes fail, while no other place has the error,")
        + DIAGNOSE;
  }

  private static List<String> sources(List<Repeat> places) {
    return places.stream()
        .flatMap(one -> one.origins.stream())
        .distinct()
        .sorted()
        .map(origin -> origin == Event.Origin.KERNEL ? "kernel log" : "NVML event")
        .toList();
  }
}
