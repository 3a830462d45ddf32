package io.lapwing.bench.acceptance;

import io.lapwing.bench.MetricsPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Whether the agent uses the host engine of DCGM that is there, and agrees with {@code dcgmi} about
 * a handful of values.
 */
final class DcgmChecks {

  private static final String ENGINE = "host engine of DCGM";
  private static final String DCGMI = "values of dcgmi";

  /** A value of {@code dcgmi dmon -e ID}, which has the unit of the family. */
  private record Value(int id, String metric, Closeness closeness) {}

  private static final List<Value> VALUES =
      List.of(
          new Value(100, "DCGM_FI_DEV_SM_CLOCK", Closeness.within(30, 0.1)),
          new Value(150, "DCGM_FI_DEV_GPU_TEMP", Closeness.within(2)),
          new Value(155, "DCGM_FI_DEV_POWER_USAGE", Closeness.within(5, 0.1)),
          new Value(252, "DCGM_FI_DEV_FB_USED", Closeness.within(64, 0.01)),
          new Value(1001, "DCGM_FI_PROF_GR_ENGINE_ACTIVE", Closeness.within(0.05)),
          new Value(1002, "DCGM_FI_PROF_SM_ACTIVE", Closeness.within(0.05)),
          new Value(1003, "DCGM_FI_PROF_SM_OCCUPANCY", Closeness.within(0.05)),
          new Value(1004, "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", Closeness.within(0.05)),
          new Value(1005, "DCGM_FI_PROF_DRAM_ACTIVE", Closeness.within(0.05)));

  private final Phase phase;
  private final List<Row> rows = new ArrayList<>();

  private DcgmChecks(Phase phase) {
    this.phase = phase;
  }

  static List<Integer> fields() {
    return VALUES.stream().map(Value::id).toList();
  }

  /** {@code expected}: where an engine is that the agent has to use. */
  static List<Row> rows(Phase phase, Optional<String> expected) {
    DcgmChecks checks = new DcgmChecks(phase);
    if (expected.isEmpty()) {
      checks.skip(-1, ENGINE, "not compared: none listens on this node");
      return checks.rows;
    }
    checks.engine(expected.get());
    checks.refused();
    checks.compare();
    return checks.rows;
  }

  /** Where the agent has found its engine: {@code localhost:5555}. */
  static Optional<String> engine(MetricsPage page) {
    return page.named("lapwing_dcgm_info")
        .map(info -> info.labels().getOrDefault("engine", ""))
        .filter(where -> !where.isEmpty() && !where.equals("embedded"))
        .findFirst();
  }

  private void skip(int gpu, String what, String why) {
    rows.add(Row.skipped(phase.name(), gpu, what, "", why));
  }

  private void engine(String expected) {
    boolean used = phase.page().named("lapwing_dcgm_up").anyMatch(up -> up.value() == 1);
    rows.add(
        Row.of(
            phase.name(),
            -1,
            ENGINE,
            used ? "used" : "not used, see the log",
            "at " + expected,
            "",
            used));
  }

  /** A GPU without GPM has only what the engine gives. */
  private void refused() {
    phase
        .page()
        .named("lapwing_dcgm_field_rejected")
        .forEach(
            field ->
                refused(
                    -1,
                    field.labels().getOrDefault("field", ""),
                    "refused: " + field.labels().getOrDefault("reason", "")));
    for (SmiGpu gpu : phase.gpus()) {
      phase
          .page()
          .of("lapwing_gpu_activity_info", uuid(gpu))
          .filter(info -> "none".equals(info.labels().get("source")))
          .ifPresent(
              info ->
                  refused(
                      gpu.index(),
                      "activity of a GPU without GPM",
                      "none: " + info.labels().getOrDefault("reason", "")));
    }
  }

  private void refused(int gpu, String what, String ours) {
    rows.add(Row.of(phase.name(), gpu, what, ours, "a value", "", false));
  }

  private void mismatch(int gpu, String what, String ours) {
    rows.add(Row.of(phase.name(), gpu, what, ours, "(absent)", "", false));
  }

  private void compare() {
    DcgmiOutput dcgmi = phase.dcgmi();
    if (dcgmi.problem().isPresent()) {
      skip(-1, DCGMI, "not compared: " + dcgmi.problem().get());
      return;
    }
    for (SmiGpu gpu : phase.gpus()) {
      if (dcgmi.ids().containsKey(uuid(gpu))) {
        VALUES.forEach(value -> compare(gpu, value));
      } else {
        mismatch(gpu.index(), "GPU in dcgmi discovery", uuid(gpu));
      }
    }
  }

  /** Instances of MIG have the activity of a divided GPU. */
  private void compare(SmiGpu gpu, Value value) {
    String what = value.metric() + " (dcgmi)";
    List<Double> theirs = phase.dcgmi().of(uuid(gpu), value.id());
    OptionalDouble ours = phase.page().value(value.metric(), uuid(gpu));
    if (theirs.isEmpty()) {
      skip(gpu.index(), what, "dcgmi shows none");
    } else if (ours.isEmpty() && phase.page().isOfInstances(value.metric(), uuid(gpu))) {
      skip(gpu.index(), what, "MIG instances have it, the GPU not");
    } else {
      boolean agrees = ours.isPresent() && value.closeness().agrees(ours.getAsDouble(), theirs);
      rows.add(
          Row.of(
              phase.name(),
              gpu.index(),
              what,
              ours.isPresent() ? Row.number(ours.getAsDouble()) : "(absent)",
              Row.range(theirs),
              value.closeness().describe(),
              agrees));
    }
  }

  private static String uuid(SmiGpu gpu) {
    return gpu.text("uuid").orElse("");
  }
}
