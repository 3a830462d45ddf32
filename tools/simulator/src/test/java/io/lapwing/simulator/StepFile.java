package io.lapwing.simulator;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The parts of a step file (docs/steps-format.md) that these tests need. */
record StepFile(ByteBuffer bytes) {
  private static final int HEADER = 1024;
  private static final int RECORD = 192;

  /** One step; seconds. */
  record Step(
      long number,
      double duration,
      long tokens,
      double loss,
      double data,
      double compute,
      double communication,
      double checkpoint) {}

  static StepFile of(Path file) throws IOException {
    return new StepFile(ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN));
  }

  /** Those of a node, in the order of their ranks. */
  static List<StepFile> all(SimulatedNode node) throws IOException {
    List<StepFile> files = new ArrayList<>();
    Path folder = node.dir().resolve(TrainingJob.STEPS);
    if (Files.isDirectory(folder)) {
      try (var paths = Files.newDirectoryStream(folder, "*.steps")) {
        for (Path path : paths) {
          files.add(of(path));
        }
      }
    }
    files.sort((one, other) -> Integer.compare(one.rank(), other.rank()));
    return files;
  }

  boolean simulated() {
    return (bytes.getInt(28) & 1) == 1;
  }

  long pid() {
    return bytes.getInt(24);
  }

  long startTicks() {
    return bytes.getLong(32);
  }

  long pidNamespace() {
    return bytes.getLong(40);
  }

  int rank() {
    return bytes.getInt(48);
  }

  int worldSize() {
    return bytes.getInt(56);
  }

  double flopsPerToken() {
    return bytes.getDouble(104);
  }

  long written() {
    return bytes.getLong(120);
  }

  long phase() {
    return bytes.getLong(128);
  }

  /** The last step in a durable checkpoint. */
  long durableStep() {
    return bytes.getLong(168);
  }

  String job() {
    return text(256, 128);
  }

  String gpu() {
    return text(512, 96);
  }

  String precision() {
    return text(608, 16);
  }

  private String text(int at, int size) {
    return StandardCharsets.UTF_8.decode(bytes.slice(at, size)).toString().replace("\0", "");
  }

  /** Those that are whole, newest last. */
  List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    for (long number = Math.max(0, written() - bytes.getInt(20)); number < written(); number++) {
      int at = HEADER + RECORD * (int) (number % bytes.getInt(20));
      if (bytes.getLong(at) == 2 * number + 2 && bytes.getLong(at + 168) == 2 * number + 2) {
        steps.add(
            new Step(
                bytes.getLong(at + 8),
                bytes.getDouble(at + 24),
                bytes.getLong(at + 32),
                bytes.getDouble(at + 48),
                bytes.getDouble(at + 72),
                bytes.getDouble(at + 80),
                bytes.getDouble(at + 88),
                bytes.getDouble(at + 96)));
      }
    }
    return steps;
  }
}
