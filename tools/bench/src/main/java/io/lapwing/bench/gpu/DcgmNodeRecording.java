package io.lapwing.bench.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.dcgm.DcgmEngine;
import io.lapwing.dcgm.DcgmEntity;
import io.lapwing.dcgm.DcgmFieldId;
import io.lapwing.dcgm.DcgmHealthWatch;
import io.lapwing.dcgm.DcgmIncident;
import io.lapwing.dcgm.DcgmPolicies;
import io.lapwing.dcgm.DcgmPolicyCondition;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Grace CPUs, IMEX, and the policies and health of GPUs. */
final class DcgmNodeRecording {

  private static final String CPUS = "DCGM Grace CPUs";
  private static final String IMEX = "DCGM IMEX";
  private static final String POLICIES = "DCGM policies";
  private static final String HEALTH = "DCGM health";
  private static final int SECONDS = 3;

  private static final Map<DcgmFieldId, String> OF_CPUS =
      new EnumMap<>(
          Map.of(
              DcgmFieldId.DEV_CPU_UTIL_TOTAL, "utilization",
              DcgmFieldId.DEV_CPU_TEMP_CURRENT, "temperature",
              DcgmFieldId.DEV_CPU_POWER_UTIL_CURRENT, "power",
              DcgmFieldId.DEV_CPU_POWER_LIMIT, "power_limit",
              DcgmFieldId.DEV_SYSIO_POWER_UTIL_CURRENT, "sysio_power",
              DcgmFieldId.DEV_MODULE_POWER_UTIL_CURRENT, "module_power"));

  private final DcgmEngine engine;
  private final DcgmSampling sampling;
  private final StateLines lines;

  DcgmNodeRecording(DcgmEngine engine, DcgmSampling sampling, StateLines lines) {
    this.engine = engine;
    this.sampling = sampling;
    this.lines = lines;
  }

  void cpus() throws InterruptedException {
    Reading<List<DcgmEntity>> listed = engine.entities(DcgmEntity.Kind.CPU);
    List<DcgmEntity> cpus = listed.toOptional().orElse(List.of());
    lines.put("dcgm.cpus", String.valueOf(cpus.size()));
    if (cpus.isEmpty()) {
      lines.absent(
          CPUS,
          listed instanceof Reading.Present
              ? "the host engine sees none"
              : DcgmSampling.reason(listed));
      return;
    }
    sampling
        .of(CPUS, cpus, List.copyOf(OF_CPUS.keySet()), SECONDS)
        .ifPresent(
            values -> {
              for (DcgmEntity cpu : cpus) {
                OF_CPUS.forEach(
                    (field, name) ->
                        lines.put(
                            "dcgm.cpu." + cpu.id() + "." + name,
                            values
                                .get(cpu, field)
                                .toOptional()
                                .map(sample -> StateLines.number(sample.value()))
                                .orElse("blank")));
              }
              lines.has(CPUS + ": " + cpus.size());
            });
  }

  /** Values of the node, which are read at a GPU. */
  void imex(Collection<DcgmEntity> gpus) throws InterruptedException {
    List<DcgmEntity> first =
        gpus.stream().min(Comparator.comparingInt(DcgmEntity::id)).stream().toList();
    if (first.isEmpty()) {
      lines.absent(IMEX, "the host engine has no GPU to ask at");
      return;
    }
    sampling
        .of(
            IMEX,
            first,
            List.of(DcgmFieldId.IMEX_DOMAIN_STATUS, DcgmFieldId.IMEX_DAEMON_STATUS),
            SECONDS)
        .ifPresent(
            values -> {
              imex(
                  "domain",
                  values
                      .get(first.get(0), DcgmFieldId.IMEX_DOMAIN_STATUS)
                      .map(sample -> sample.text()));
              imex(
                  "daemon",
                  values
                      .get(first.get(0), DcgmFieldId.IMEX_DAEMON_STATUS)
                      .map(sample -> StateLines.number(sample.value())));
            });
  }

  private void imex(String what, Reading<String> state) {
    state
        .toOptional()
        .ifPresentOrElse(
            value -> {
              lines.put("dcgm.imex." + what, value);
              lines.has(IMEX + " " + what + ": " + value);
            },
            () -> lines.absent(IMEX + " " + what, DcgmSampling.reason(state)));
  }

  /**
   * {@code gpus}: by NVML's index. Violations are not waited for: the engine would sample for it.
   */
  void policies(Map<Integer, DcgmEntity> gpus) {
    Reading<DcgmPolicies> opened = engine.policies(List.copyOf(gpus.values()));
    if (!(opened instanceof Reading.Present<DcgmPolicies> present)) {
      lines.absent(POLICIES, DcgmSampling.reason(opened));
      return;
    }
    try (DcgmPolicies policies = present.value()) {
      Reading<Map<DcgmEntity, Set<DcgmPolicyCondition>>> set = policies.set();
      if (set.toOptional().isEmpty()) {
        lines.absent(POLICIES, DcgmSampling.reason(set));
        return;
      }
      Map<DcgmEntity, Set<DcgmPolicyCondition>> conditions = set.toOptional().get();
      gpus.forEach(
          (index, gpu) ->
              lines.put(
                  "dcgm.policy." + index,
                  String.format(
                      "0x%x",
                      conditions.getOrDefault(gpu, Set.of()).stream()
                          .mapToInt(DcgmPolicyCondition::bit)
                          .sum())));
      lines.has(
          POLICIES
              + " of "
              + conditions.values().stream().filter(one -> !one.isEmpty()).count()
              + " of "
              + gpus.size()
              + " GPUs");
      lines.absent("violations of DCGM policies", "they are events, as XIDs are");
    }
  }

  /** The incidents of the moment. */
  void health(Map<Integer, DcgmEntity> gpus) {
    Reading<DcgmHealthWatch> begun = engine.watchHealth(List.copyOf(gpus.values()));
    if (!(begun instanceof Reading.Present<DcgmHealthWatch> present)) {
      without("dcgmHealthSet_v2", begun);
      return;
    }
    try (DcgmHealthWatch watch = present.value()) {
      Reading<List<DcgmIncident>> checked = watch.check();
      if (checked.toOptional().isEmpty()) {
        without("dcgmHealthCheck", checked);
        return;
      }
      lines.put("dcgm.incidents.derived", "0");
      List<DcgmIncident> incidents = checked.toOptional().get();
      write(incidents, gpus);
      lines.has(HEALTH + ": " + incidents.size() + " incidents");
      lines.note(
          "dcgm: health is of the moment at which its watches were set: an engine that watched"
              + " nothing before has not judged PCIe, heat and power yet");
    }
  }

  private void without(String call, Reading<?> answer) {
    lines.absent(HEALTH, DcgmSampling.reason(answer));
    DcgmSampling.code(DcgmSampling.reason(answer))
        .ifPresent(code -> lines.put("system.return." + call, String.valueOf(code)));
  }

  /** What concerns no GPU is written with the first, as the simulator has it. */
  private void write(List<DcgmIncident> incidents, Map<Integer, DcgmEntity> gpus) {
    Map<Integer, Integer> count = new HashMap<>();
    for (DcgmIncident incident : incidents) {
      int index =
          gpus.entrySet().stream()
              .filter(gpu -> gpu.getValue().equals(incident.entity()))
              .map(Map.Entry::getKey)
              .findFirst()
              .orElse(gpus.keySet().stream().min(Comparator.naturalOrder()).orElse(0));
      int number = count.merge(index, 1, Integer::sum);
      lines.put(
          "dcgm.incident." + index + "." + number,
          String.format(
              "0x%x %d %d", incident.system().bit(), incident.result().value(), incident.code()));
    }
  }
}
