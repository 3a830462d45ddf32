package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.RecordedSink;
import io.lapwing.nvml.Nvml.DriverVersions;
import io.lapwing.nvml.NvmlGpu;
import io.lapwing.nvml.StillNode;
import java.time.Instant;

/** One subject on one GPU, round after round, without a source around it. */
final class Probe {

  static final DriverVersions VERSIONS = new DriverVersions("570.1", "12.570.1", "12.8");
  static final GpuView VIEW = new GpuView(GpuView.FieldSelection.ALL, GpuLabelling.dcgm("node-1"));

  private final GpuSubject subject;
  private final GpuSource.OpenGpu gpu;

  Probe(GpuSubject subject, NvmlGpu gpu) {
    this.subject = subject;
    GpuIdentity identity = StillNode.present(GpuIdentity.read(gpu));
    LabelField.Facts facts = new LabelField.Facts(identity, VERSIONS, gpu);
    this.gpu = new GpuSource.OpenGpu(gpu, identity, VIEW.labelling().labels(identity, facts), 1);
  }

  /** The wall clock was set meanwhile. */
  RecordedSink at(double seconds, double wallSeconds) {
    return round(wallSeconds, seconds);
  }

  /** What one round makes; each sample of a GPU has the labels that the catalogue promises. */
  RecordedSink at(double seconds) {
    return round(seconds, seconds);
  }

  private RecordedSink round(double wallSeconds, double seconds) {
    RecordedSink sink = new RecordedSink();
    Instant now = Instant.ofEpochSecond(StillNode.EPOCH).plusNanos(nanos(wallSeconds));
    subject.collect(
        new GpuRound(
            gpu, gpu.gpu().fields(subject.fields()), VIEW.selection(), now, nanos(seconds), sink));
    assertThat(sink.samples())
        .filteredOn(sample -> !sample.labels().names().contains(MigMetrics.ID))
        .allSatisfy(
            sample -> assertThat(sample.labels().names()).isEqualTo(sample.metric().labels()));
    return sink;
  }

  private static long nanos(double seconds) {
    return Math.round(seconds * 1e9);
  }
}
