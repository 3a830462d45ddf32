package io.lapwing.simulator;

import java.nio.file.Path;
import java.util.Locale;

/**
 * Nodes with known values: time is stopped, and a change is effective at the next call. They are of
 * GPUs alone.
 */
final class TestNode {
  static final long EPOCH = 1_767_225_600L;

  private TestNode() {}

  static SimulatedNode p5(Path dir) {
    return of("p5.48xlarge", dir);
  }

  static SimulatedNode of(String type, Path dir) {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named(type).withoutEfa());
    node.set("check.seconds", "0");
    node.set("epoch", Long.toString(EPOCH));
    node.set("time", Long.toString(EPOCH));
    return node;
  }

  static void letPass(SimulatedNode node, double secondsSinceEpoch) {
    node.set("time", String.format(Locale.ROOT, "%.3f", EPOCH + secondsSinceEpoch));
  }
}
