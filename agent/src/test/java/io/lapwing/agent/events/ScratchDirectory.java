package io.lapwing.agent.events;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory for one try of a property, with a log in it. */
record ScratchDirectory(Path path) implements AutoCloseable {

  /** More than any of these tests writes. */
  static final Limits WIDE =
      new Limits(64 << 20, Duration.ofSeconds(Long.MAX_VALUE), 16 << 20, 64 << 20);

  /** In memory if possible: a property forces thousands of lines to the disk. */
  private static final Path MEMORY = Path.of("/dev/shm");

  static ScratchDirectory make() {
    try {
      return new ScratchDirectory(
          Files.isWritable(MEMORY)
              ? Files.createTempDirectory(MEMORY, "lapwing-events")
              : Files.createTempDirectory("lapwing-events"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path file() {
    return path.resolve("events.jsonl");
  }

  byte[] bytes() throws IOException {
    return Files.readAllBytes(file());
  }

  void write(byte[] bytes) throws IOException {
    Files.write(file(), bytes);
  }

  HistoryLog open(Limits limits) {
    return HistoryLog.open(path, limits, InstantSource.system());
  }

  HistoryLog open() {
    return open(WIDE);
  }

  /** What an agent finds that starts now. */
  OpenResult replayed() {
    return HistoryLog.read(path, WIDE, InstantSource.system());
  }

  @Override
  public void close() {
    try (Stream<Path> all = Files.walk(path)) {
      for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
