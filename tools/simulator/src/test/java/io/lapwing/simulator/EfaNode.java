package io.lapwing.simulator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A node with stopped time, as a reader of the network devices in /sys. */
record EfaNode(SimulatedNode node) {
  static EfaNode of(String type, Path dir) {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named(type));
    String epoch = Long.toString(TestNode.EPOCH);
    node.setAll(Map.of("check.seconds", "0", "epoch", epoch, "time", epoch));
    return new EfaNode(node);
  }

  void letPass(double secondsSinceEpoch) {
    TestNode.letPass(node, secondsSinceEpoch);
  }

  Path folder() {
    return node.sysfs().resolve("class/infiniband");
  }

  List<String> names() {
    try (Stream<Path> devices = Files.list(folder())) {
      return devices.map(device -> device.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path file(String device, String path) {
    return folder().resolve(device).resolve(path);
  }

  String text(String device, String path) {
    try {
      return Files.readString(file(device, path)).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long port(String device, String counter) {
    return Long.parseLong(text(device, "ports/1/hw_counters/" + counter));
  }

  long own(String device, String counter) {
    return Long.parseLong(text(device, "hw_counters/" + counter));
  }
}
