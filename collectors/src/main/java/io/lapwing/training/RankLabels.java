package io.lapwing.training;

import io.lapwing.collect.Part;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The labels of one rank's series, created once: the renderer recognizes series by identity. */
final class RankLabels {

  final Labels base;

  /** Of its GPU; empty if unknown. */
  final String uuid;

  final Labels info;

  /** One for each phase, in their order. */
  final List<Labels> phases;

  private final Map<DurableCheckpoint.Reporter, Labels> reporters =
      new EnumMap<>(DurableCheckpoint.Reporter.class);

  /** One for each bucket of durations; the last is {@code +Inf}. */
  final List<Labels> buckets;

  final Optional<Part> part;

  /** With the pod of its process; empty without one. */
  final Optional<Labels> pod;

  private String frame = "";
  private Labels ofFrame;

  RankLabels(
      StepHeader header, RankWriter writer, String part, Optional<TrainingGpus.RankGpu> gpu) {
    this.base =
        new Labels(
            TrainingMetrics.BASE,
            List.of(
                writer.job(),
                header.run(),
                header.rankText(),
                text(header.localRank()),
                gpuText(header, gpu)));
    this.uuid = gpu.map(TrainingGpus.RankGpu::uuid).orElse(header.gpuUuid());
    OptionalInt instance = gpu.map(TrainingGpus.RankGpu::instance).orElse(OptionalInt.empty());
    this.info = info(base, header, writer, uuid, text(instance));
    List<Labels> ofPhases = new ArrayList<>();
    for (Phase phase : Phase.values()) {
      ofPhases.add(base.with("phase", phase.text()));
    }
    this.phases = List.copyOf(ofPhases);
    this.ofFrame = base;
    List<Labels> ofBuckets = new ArrayList<>();
    StepDurations.BOUNDS.forEach(
        bound -> ofBuckets.add(base.with(Metric.LE, Double.toString(bound))));
    ofBuckets.add(base.with(Metric.LE, "+Inf"));
    this.buckets = List.copyOf(ofBuckets);
    this.part = Optional.of(new Part(TrainingSource.KIND, part, base));
    this.pod = writer.pod().map(uid -> base.with("pod_uid", uid));
  }

  /** With who reports a checkpoint. */
  Labels reporter(DurableCheckpoint.Reporter reporter) {
    return reporters.computeIfAbsent(reporter, one -> base.with("reporter", one.text()));
  }

  /** With the frame of a loop that finishes no step, which changes seldom. */
  Labels frame(String text) {
    if (!frame.equals(text)) {
      frame = text;
      ofFrame = base.with("frame", text);
    }
    return ofFrame;
  }

  /**
   * The index of a rank's GPU; empty if unknown. Loops without a launcher have the same labels but
   * for this one: on a MIG instance it has its id too, {@code 0/5}.
   */
  static String gpuText(StepHeader header, Optional<TrainingGpus.RankGpu> gpu) {
    String index = gpu.map(one -> Integer.toString(one.index())).orElse(text(header.gpuIndex()));
    OptionalInt instance = gpu.map(TrainingGpus.RankGpu::instance).orElse(OptionalInt.empty());
    return instance.isEmpty() || header.hasSiblings() ? index : index + "/" + instance.getAsInt();
  }

  private static Labels info(
      Labels base, StepHeader header, RankWriter writer, String uuid, String instance) {
    List<String> names = new ArrayList<>(base.names());
    names.addAll(TrainingMetrics.INFO_LABELS);
    List<String> values = new ArrayList<>(base.values());
    values.add(uuid);
    values.add(text(header.worldSize()));
    values.addAll(header.parallelRanks());
    values.addAll(header.parallelSizes());
    String pid = Long.toString(writer.pid().orElse(header.pid()));
    values.addAll(
        List.of(
            header.precision(),
            header.framework(),
            pid,
            writer.isVerified() ? "1" : "0",
            instance));
    return new Labels(names, values);
  }

  private static String text(OptionalInt number) {
    return number.isPresent() ? Integer.toString(number.getAsInt()) : "";
  }
}
