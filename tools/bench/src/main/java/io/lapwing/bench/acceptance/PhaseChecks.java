package io.lapwing.bench.acceptance;

import io.lapwing.bench.MetricsPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Compares one phase: identity, every check, and the GPM metrics under load. */
final class PhaseChecks {

  private static final String SM_ACTIVE = "DCGM_FI_PROF_SM_ACTIVE";
  private static final double IDLE_AT_MOST = 0.05;
  private static final double LOADED_AT_LEAST = 0.9;

  /** GPM, which SM activity comes from, exists from Hopper on. */
  private static final List<String> WITHOUT_GPM =
      List.of("Kepler", "Maxwell", "Pascal", "Volta", "Turing", "Ampere", "Ada Lovelace");

  private final Phase phase;
  private final List<Row> rows = new ArrayList<>();

  private PhaseChecks(Phase phase) {
    this.phase = phase;
  }

  /** {@code loaded}: the UUIDs of GPUs that are kept busy. */
  static List<Row> rows(Phase phase, Set<String> loaded) {
    PhaseChecks checks = new PhaseChecks(phase);
    for (SmiGpu gpu : phase.gpus()) {
      checks.identity(gpu);
      Checks.all().forEach(check -> checks.value(gpu, check));
      checks.rows.addAll(FabricChecks.rows(phase, gpu));
      checks.smActive(gpu, loaded.contains(uuid(gpu)));
    }
    return checks.rows;
  }

  private void identity(SmiGpu gpu) {
    Optional<MetricsPage.Series> temperature = phase.page().of("DCGM_FI_DEV_GPU_TEMP", uuid(gpu));
    Map<String, String> labels = temperature.map(MetricsPage.Series::labels).orElse(Map.of());
    label(gpu, labels, "UUID", gpu.text("uuid"));
    label(gpu, labels, "gpu", Optional.of(String.valueOf(gpu.index())));
    label(gpu, labels, "pci_bus_id", Optional.of(gpu.pciBusId()));
    label(gpu, labels, "modelName", gpu.text("product_name"));
    label(gpu, labels, "device", Optional.of("nvidia" + gpu.index()));
  }

  private void label(SmiGpu gpu, Map<String, String> labels, String name, Optional<String> wanted) {
    String ours = labels.getOrDefault(name, "(absent)");
    String theirs = wanted.orElse("");
    rows.add(
        Row.of(
            phase.name(),
            gpu.index(),
            "label " + name,
            ours,
            theirs,
            "exact",
            ours.equals(theirs)));
  }

  private void value(SmiGpu gpu, Check check) {
    List<Double> theirs = phase.observed(gpu.index(), check.reference());
    OptionalDouble ours = phase.page().value(check.metric(), uuid(gpu));
    if (theirs.isEmpty()) {
      String shown = ours.isPresent() ? Row.number(ours.getAsDouble()) : "(absent)";
      rows.add(
          Row.skipped(phase.name(), gpu.index(), check.metric(), shown, "nvidia-smi shows none"));
      return;
    }
    if (ours.isEmpty() && phase.page().isOfInstances(check.metric(), uuid(gpu))) {
      rows.add(
          Row.skipped(
              phase.name(), gpu.index(), check.metric(), "", "MIG instances have it, the GPU not"));
      return;
    }
    rows.add(
        new Row(
            phase.name(),
            gpu.index(),
            check.metric(),
            ours.isPresent() ? Row.number(ours.getAsDouble()) : "(absent)",
            Row.range(theirs),
            check.closeness().describe(),
            verdict(check, ours, theirs)));
  }

  /** A value that nvidia-smi has and Lapwing does not is a mismatch too. */
  private static Row.Verdict verdict(Check check, OptionalDouble ours, List<Double> theirs) {
    boolean agrees = ours.isPresent() && check.closeness().agrees(ours.getAsDouble(), theirs);
    return agrees ? Row.Verdict.OK : Row.Verdict.MISMATCH;
  }

  /** A GPU with a job is neither idle nor loaded; an idle one has no process that computes. */
  private void smActive(SmiGpu gpu, boolean loaded) {
    OptionalDouble ours = phase.page().value(SM_ACTIVE, uuid(gpu));
    String wanted = loaded ? "> " + LOADED_AT_LEAST : "< " + IDLE_AT_MOST;
    Optional<String> unknown = withoutActivity(gpu, ours, loaded);
    if (unknown.isPresent()) {
      rows.add(Row.skipped(phase.name(), gpu.index(), SM_ACTIVE, "", unknown.get()));
      return;
    }
    double active = ours.orElse(Double.NaN);
    boolean ok = loaded ? active > LOADED_AT_LEAST : active < IDLE_AT_MOST;
    String shown = ours.isPresent() ? Row.number(active) : "(absent)";
    rows.add(Row.of(phase.name(), gpu.index(), SM_ACTIVE, shown, "", wanted, ok));
  }

  /** Why the GPU has no activity of its own. */
  private static Optional<String> withoutActivity(SmiGpu gpu, OptionalDouble ours, boolean loaded) {
    if (gpu.flag("mig_mode/current_mig", "Enabled").orElse(0) == 1) {
      return Optional.of("MIG instances have it");
    }
    if (!loaded && gpu.isBusy()) {
      return Optional.of("a job computes on it");
    }
    return ours.isEmpty()
            && gpu.text("product_architecture").filter(WITHOUT_GPM::contains).isPresent()
        ? Optional.of("no GPM")
        : Optional.empty();
  }

  private static String uuid(SmiGpu gpu) {
    return gpu.text("uuid").orElse("");
  }
}
