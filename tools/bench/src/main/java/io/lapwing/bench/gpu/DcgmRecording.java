package io.lapwing.bench.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.dcgm.Dcgm;
import io.lapwing.dcgm.DcgmAddress;
import io.lapwing.dcgm.DcgmEngine;
import io.lapwing.dcgm.DcgmEntity;
import io.lapwing.dcgm.DcgmFieldId;
import io.lapwing.dcgm.DcgmValues;
import io.lapwing.dcgm.DcgmWatch;
import io.lapwing.dcgm.JnaDcgm;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The samples of DCGM's host engine for GPUs without GPM, and the errors of NVSwitches, as lines of
 * a state. Health watches are not recorded.
 */
final class DcgmRecording {

  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final int PERIODS = 4;
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

  private final DcgmEngine engine;
  private final StateLines lines;

  private DcgmRecording(DcgmEngine engine, StateLines lines) {
    this.engine = engine;
    this.lines = lines;
  }

  /**
   * Connects to an engine that runs. None is started: a second one beside the agent's may dead-lock
   * the driver.
   *
   * @param address as of {@code --dcgm.engine}
   * @param withoutGpm UUIDs of GPUs, with their indices
   */
  static void read(
      String address, Optional<String> library, Map<String, Integer> withoutGpm, StateLines lines)
      throws InterruptedException {
    if (address.equals("off") || address.equals("embedded")) {
      if (address.equals("embedded")) {
        lines.note("dcgm: an engine in the agent is not recorded");
      }
      return;
    }
    Reading<DcgmEngine> opened = open(address, library);
    if (!(opened instanceof Reading.Present<DcgmEngine> present)) {
      lines.note("dcgm: " + opened.failure().orElse("not there"));
      return;
    }
    try (DcgmEngine engine = present.value()) {
      DcgmRecording recording = new DcgmRecording(engine, lines);
      lines.put("dcgm.version", engine.version());
      recording.activity(withoutGpm);
      recording.switches();
      lines.note("dcgm: incidents of health watches are not recorded");
    }
  }

  private static Reading<DcgmEngine> open(String address, Optional<String> library) {
    Reading<Dcgm> loaded = JnaDcgm.load(library.map(List::of).orElse(JnaDcgm.DEFAULT_LIBRARIES));
    if (address.equals("auto")) {
      Reading<DcgmEngine> first = loaded.flatMap(dcgm -> dcgm.connect(DcgmAddress.TCP));
      return first instanceof Reading.Present
          ? first
          : loaded.flatMap(dcgm -> dcgm.connect(DcgmAddress.UNIX));
    }
    return loaded.flatMap(dcgm -> dcgm.connect(DcgmAddress.of(address)));
  }

  private void activity(Map<String, Integer> withoutGpm) throws InterruptedException {
    List<DcgmEntity> gpus =
        engine.entities(DcgmEntity.Kind.GPU).toOptional().orElse(List.of()).stream()
            .filter(gpu -> withoutGpm.containsKey(uuid(gpu)))
            .toList();
    if (gpus.isEmpty()) {
      return;
    }
    List<DcgmFieldId> fields =
        Arrays.stream(DcgmFieldId.values()).filter(KEYS::containsKey).toList();
    Reading<DcgmWatch> begun = engine.watch(gpus, fields, PERIOD);
    if (!(begun instanceof Reading.Present<DcgmWatch> present)) {
      lines.note("dcgm: activity: " + begun.failure().orElse("not supported"));
      return;
    }
    try (DcgmWatch watch = present.value()) {
      for (int period = 0; period < PERIODS; period++) {
        watch.latest();
        Thread.sleep(PERIOD.toMillis());
      }
      DcgmValues values = watch.latest().toOptional().orElse(new DcgmValues(Map.of()));
      watch
          .rejected()
          .keySet()
          .forEach(field -> lines.note("dcgm: " + field.title() + " is rejected"));
      for (DcgmEntity gpu : gpus) {
        activity("gpu." + withoutGpm.get(uuid(gpu)) + ".", gpu, values);
      }
    }
  }

  private void activity(String at, DcgmEntity gpu, DcgmValues values) {
    KEYS.forEach(
        (field, key) -> {
          double scale = key.startsWith("gpm.") ? PERCENT : 1 / MEBIBYTE;
          lines.answerOfMany(
              at, key, values.get(gpu, field), sample -> StateLines.number(sample.value() * scale));
        });
  }

  private String uuid(DcgmEntity gpu) {
    return engine.uuid(gpu).toOptional().orElse("");
  }

  private void switches() throws InterruptedException {
    List<DcgmEntity> switches =
        engine.entities(DcgmEntity.Kind.NVSWITCH).toOptional().orElse(List.of());
    lines.put("dcgm.switches", String.valueOf(switches.size()));
    if (switches.isEmpty()) {
      return;
    }
    List<DcgmFieldId> fields =
        List.of(DcgmFieldId.DEV_NVSWITCH_FATAL_ERRORS, DcgmFieldId.DEV_NVSWITCH_NON_FATAL_ERRORS);
    Reading<DcgmWatch> begun = engine.watch(switches, fields, PERIOD);
    if (!(begun instanceof Reading.Present<DcgmWatch> present)) {
      lines.note("dcgm: switches: " + begun.failure().orElse("not supported"));
      return;
    }
    try (DcgmWatch watch = present.value()) {
      Thread.sleep(2 * PERIOD.toMillis());
      DcgmValues values = watch.latest().toOptional().orElse(new DcgmValues(Map.of()));
      for (int i = 0; i < switches.size(); i++) {
        sxid("dcgm.switch." + i + ".fatal", values.get(switches.get(i), fields.get(0)));
        sxid("dcgm.switch." + i + ".non_fatal", values.get(switches.get(i), fields.get(1)));
      }
    }
  }

  private void sxid(String key, Reading<DcgmValues.Sample> sample) {
    sample.toOptional().ifPresent(last -> lines.put(key, StateLines.number(last.value())));
  }
}
