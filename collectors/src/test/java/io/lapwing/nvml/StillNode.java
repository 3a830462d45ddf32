package io.lapwing.nvml;

import com.sun.jna.Native;
import io.lapwing.collect.Reading;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import io.lapwing.simulator.Variant;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** Simulated nodes with a stopped clock, on which the next call sees every change of the state. */
public final class StillNode {

  public static final long EPOCH = 1_767_225_600L;

  private StillNode() {}

  public static SimulatedNode p5(Path dir) {
    return of("p5.48xlarge", dir);
  }

  /** Without EFA: it has thousands of files, and nothing here reads them. */
  public static SimulatedNode of(String instanceType, Path dir) {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named(instanceType).withoutEfa());
    node.setAll(Map.of("check.seconds", "0", "epoch", "" + EPOCH, "time", "" + EPOCH));
    return node;
  }

  public static void letPass(SimulatedNode node, double secondsSinceEpoch) {
    node.set("time", String.format(Locale.ROOT, "%.3f", EPOCH + secondsSinceEpoch));
  }

  /** The binding, initialised. */
  public static Nvml nvml(SimulatedNode node, Variant variant) {
    return initialised(present(JnaNvml.load(node.library(variant).toString(), System::nanoTime)));
  }

  public static Nvml nvml(SimulatedNode node) {
    return nvml(node, Variant.NEW);
  }

  static NvmlLibrary library(SimulatedNode node, Variant variant) {
    return Native.load(node.library(variant).toString(), NvmlLibrary.class, Map.of());
  }

  public static Nvml initialised(Nvml nvml) {
    present(nvml.init());
    return nvml;
  }

  public static NvmlGpu gpu(SimulatedNode node, Variant variant, int index) {
    return present(nvml(node, variant).gpu(index));
  }

  public static NvmlGpu gpu(SimulatedNode node, int index) {
    return gpu(node, Variant.NEW, index);
  }

  /** The value, where there is one. */
  public static <T> T present(Reading<T> reading) {
    return reading.toOptional().orElseThrow(() -> new AssertionError("no value: " + reading));
  }
}
