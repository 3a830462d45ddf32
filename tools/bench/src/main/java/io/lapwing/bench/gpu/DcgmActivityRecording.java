package io.lapwing.bench.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.dcgm.DcgmEngine;
import io.lapwing.dcgm.DcgmEntity;
import io.lapwing.dcgm.DcgmFieldId;
import io.lapwing.dcgm.DcgmInstance;
import io.lapwing.dcgm.DcgmValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The profiling fields of GPUs without GPM, and of their MIG instances. */
final class DcgmActivityRecording {

  private static final String WHAT = "DCGM activity";
  private static final int SECONDS = 4;
  private static final double PERCENT = 100;
  private static final double MEBIBYTE = 1024 * 1024;

  private static final Map<DcgmFieldId, String> KEYS =
      new EnumMap<>(
          Map.ofEntries(
              Map.entry(DcgmFieldId.PROF_GR_ENGINE_ACTIVE, "gpm.graphics"),
              Map.entry(DcgmFieldId.PROF_SM_ACTIVE, "gpm.sm_active"),
              Map.entry(DcgmFieldId.PROF_SM_OCCUPANCY, "gpm.sm_occupancy"),
              Map.entry(DcgmFieldId.PROF_PIPE_TENSOR_ACTIVE, "gpm.tensor"),
              Map.entry(DcgmFieldId.PROF_DRAM_ACTIVE, "gpm.dram"),
              Map.entry(DcgmFieldId.PROF_PIPE_FP64_ACTIVE, "gpm.fp64"),
              Map.entry(DcgmFieldId.PROF_PIPE_FP32_ACTIVE, "gpm.fp32"),
              Map.entry(DcgmFieldId.PROF_PIPE_FP16_ACTIVE, "gpm.fp16"),
              Map.entry(DcgmFieldId.PROF_PIPE_TENSOR_IMMA_ACTIVE, "gpm.imma"),
              Map.entry(DcgmFieldId.PROF_PIPE_TENSOR_HMMA_ACTIVE, "gpm.hmma"),
              Map.entry(DcgmFieldId.PROF_PIPE_TENSOR_DFMA_ACTIVE, "gpm.dfma"),
              Map.entry(DcgmFieldId.PROF_PIPE_INT_ACTIVE, "gpm.integer"),
              Map.entry(DcgmFieldId.PROF_PCIE_TX_BYTES, "pcie.tx"),
              Map.entry(DcgmFieldId.PROF_PCIE_RX_BYTES, "pcie.rx"),
              Map.entry(DcgmFieldId.PROF_NVLINK_TX_BYTES, "nvlink.tx"),
              Map.entry(DcgmFieldId.PROF_NVLINK_RX_BYTES, "nvlink.rx")));

  private static final List<DcgmFieldId> FIELDS =
      Arrays.stream(DcgmFieldId.values()).filter(KEYS::containsKey).toList();

  /** Bytes are not known of an instance. */
  private static final List<DcgmFieldId> RATIOS =
      FIELDS.stream().filter(DcgmActivityRecording::isRatio).toList();

  private final DcgmEngine engine;
  private final DcgmSampling sampling;
  private final StateLines recorded;
  private final StateLines lines;

  /** {@code recorded}: the answers of NVML, with the instances of divided GPUs. */
  DcgmActivityRecording(
      DcgmEngine engine, DcgmSampling sampling, StateLines recorded, StateLines lines) {
    this.engine = engine;
    this.sampling = sampling;
    this.recorded = recorded;
    this.lines = lines;
  }

  private static boolean isRatio(DcgmFieldId field) {
    return KEYS.getOrDefault(field, "").startsWith("gpm.");
  }

  /** {@code gpus}: those of the engine by NVML's index. */
  void read(Map<Integer, DcgmEntity> gpus, Set<Integer> withoutGpm) throws InterruptedException {
    if (withoutGpm.isEmpty()) {
      lines.absent(WHAT, "NVML has that of all GPUs (GPM), and the agent does not ask DCGM");
      return;
    }
    Map<Integer, DcgmEntity> asked = new TreeMap<>(gpus);
    asked.keySet().retainAll(withoutGpm);
    withoutGpm.stream()
        .filter(index -> !gpus.containsKey(index))
        .forEach(
            index -> lines.absent(WHAT + " of GPU " + index, "the host engine has no such GPU"));
    if (asked.isEmpty()) {
      return;
    }
    if (engine.profilingPaused().toOptional().orElse(false)) {
      lines.put("dcgm.paused", "1");
      lines.absent(WHAT, "another client has paused profiling");
      return;
    }
    Optional<DcgmValues> values = sampling.of(WHAT, List.copyOf(asked.values()), FIELDS, SECONDS);
    if (values.isPresent()) {
      asked.forEach((index, gpu) -> write(index, gpu, FIELDS, values.get()));
      lines.has(WHAT + " of " + asked.size() + " GPUs without GPM");
    }
    instances(asked);
  }

  private void write(int index, DcgmEntity entity, List<DcgmFieldId> fields, DcgmValues values) {
    for (DcgmFieldId field : fields) {
      String key = KEYS.getOrDefault(field, "");
      double scale = isRatio(field) ? PERCENT : 1 / MEBIBYTE;
      lines.answerOfMany(
          "gpu." + index + ".",
          key,
          values.get(entity, field),
          sample -> StateLines.number(sample.value() * scale));
    }
  }

  private void instances(Map<Integer, DcgmEntity> gpus) throws InterruptedException {
    Reading<List<DcgmInstance>> listed = engine.instances();
    if (listed.toOptional().isEmpty()) {
      lines.absent(WHAT + " of MIG instances", DcgmSampling.reason(listed));
    }
    List<DcgmInstance> all = new ArrayList<>(listed.toOptional().orElse(List.of()));
    all.removeIf(instance -> !gpus.containsValue(instance.gpu()));
    if (all.isEmpty()) {
      return;
    }
    Optional<DcgmValues> values =
        sampling.of(
            WHAT + " of MIG instances",
            all.stream().map(DcgmInstance::entity).toList(),
            RATIOS,
            SECONDS);
    if (values.isPresent()) {
      gpus.forEach(
          (index, gpu) ->
              divided(
                  index,
                  all.stream().filter(instance -> instance.gpu().equals(gpu)).toList(),
                  values.get()));
      lines.has(WHAT + " of " + all.size() + " MIG instances");
    }
  }

  /**
   * The simulator has one activity for all instances, and each instance's share of it. The busiest
   * one has all of it.
   */
  private void divided(int index, List<DcgmInstance> instances, DcgmValues values) {
    Optional<DcgmInstance> busiest =
        instances.stream().max(Comparator.comparingDouble(one -> active(one, values)));
    double most = busiest.map(one -> active(one, values)).orElse(0.0);
    busiest.ifPresent(one -> write(index, one.entity(), RATIOS, values));
    if (most > 0) {
      String key = "gpu." + index + ".mig.instances";
      lines.put(
          key,
          Arrays.stream(recorded.get(key).split(" ", -1))
              .map(text -> text + share(text, instances, values, most))
              .collect(Collectors.joining(" ")));
    }
  }

  /** {@code text}: {@code 7:1g.5gb@0}. */
  private static String share(
      String text, List<DcgmInstance> instances, DcgmValues values, double most) {
    return instances.stream()
        .filter(one -> text.startsWith(one.id() + ":"))
        .findFirst()
        .map(one -> "*" + StateLines.number(active(one, values) / most))
        .orElse("");
  }

  private static double active(DcgmInstance instance, DcgmValues values) {
    return values
        .get(instance.entity(), DcgmFieldId.PROF_SM_ACTIVE)
        .toOptional()
        .map(DcgmValues.Sample::value)
        .orElse(0.0);
  }
}
