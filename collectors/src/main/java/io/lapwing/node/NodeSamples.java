package io.lapwing.node;

import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.util.List;
import java.util.OptionalInt;

/** Identity and expected hardware of a node as samples; unknown values have none. */
final class NodeSamples {

  private static final double MEBIBYTE = 1024.0 * 1024;
  private static final double BYTES_PER_GIGABIT = 1e9 / 8;
  private static final double TERA = 1e12;
  private static final Labels BF16 = Labels.of("precision", "bf16");
  private static final Labels FP8 = Labels.of("precision", "fp8");

  private NodeSamples() {}

  /** The labels of {@code lapwing_node_info}. */
  static Labels info(NodeIdentity node) {
    return new Labels(
        NodeMetrics.INFO.labels(),
        List.of(
            node.hostname(),
            node.instanceType().text(),
            node.instanceId().text(),
            node.placement().region(),
            node.placement().availabilityZone(),
            node.placement().availabilityZoneId(),
            node.placement().lifecycle()));
  }

  static void put(Expectation expected, SampleSink sink) {
    put(NodeMetrics.EXPECTED_GPUS, Labels.NONE, expected.gpus(), 1, sink);
    put(NodeMetrics.EXPECTED_EFA_DEVICES, Labels.NONE, expected.efaDevices(), 1, sink);
    expected.type().ifPresent(type -> put(type, sink));
  }

  private static void put(InstanceType type, SampleSink sink) {
    sink.add(NodeMetrics.EXPECTED_GPU_MEMORY, Labels.NONE, type.gpuMemoryMiB() * MEBIBYTE);
    sink.add(NodeMetrics.EXPECTED_NVLINKS, Labels.NONE, type.nvlinksPerGpu());
    put(NodeMetrics.EXPECTED_EFA_SPEED, Labels.NONE, type.efaGbps(), BYTES_PER_GIGABIT, sink);
    put(NodeMetrics.PEAK_FLOPS, BF16, type.bf16Teraflops(), TERA, sink);
    put(NodeMetrics.PEAK_FLOPS, FP8, type.fp8Teraflops(), TERA, sink);
  }

  private static void put(
      Metric metric, Labels labels, OptionalInt value, double unit, SampleSink sink) {
    value.ifPresent(number -> sink.add(metric, labels, number * unit));
  }
}
