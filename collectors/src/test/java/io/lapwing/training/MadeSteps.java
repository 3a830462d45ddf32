package io.lapwing.training;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * The bytes of a step file, valid or not. Defaults: rank 3 of 8 of job 4711, 0.1 s and 1000 tokens
 * a step.
 */
final class MadeSteps {

  static final long NANOS = TimeUnit.SECONDS.toNanos(1);
  static final Instant BEGAN = Instant.parse("2026-03-01T12:00:00Z");

  private final int capacity;
  private final byte[] array;
  private final ByteBuffer bytes;
  private long written;
  private double totalDuration;
  private double totalCompute;
  private long totalTokens;

  private MadeSteps(int capacity) {
    this.capacity = capacity;
    this.array = new byte[StepLayout.HEADER + capacity * StepLayout.RECORD];
    this.bytes = ByteBuffer.wrap(array).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(0, StepLayout.MAGIC);
    integer(8, 1).integer(12, 1024).integer(16, 192).integer(20, capacity);
    pid(4321).integer(48, 3).integer(52, 3).integer(56, 8).integer(60, -1);
    for (int kind = 0; kind < 5; kind++) {
      integer(64 + 4 * kind, -1);
    }
    number(104, 6e9).created(BEGAN).phase(1, BEGAN);
    job("4711").text(384, 128, "base").text(608, 16, "bf16").text(624, 32, "plain");
  }

  static MadeSteps ofCapacity(int capacity) {
    return new MadeSteps(capacity);
  }

  static MadeSteps rank(int rank) {
    return new MadeSteps(16).integer(48, rank).integer(52, rank);
  }

  MadeSteps integer(int at, int value) {
    bytes.putInt(at, value);
    return this;
  }

  MadeSteps big(int at, long value) {
    bytes.putLong(at, value);
    return this;
  }

  MadeSteps number(int at, double value) {
    bytes.putDouble(at, value);
    return this;
  }

  MadeSteps bytes(int at, byte[] some) {
    bytes.put(at, some);
    return this;
  }

  MadeSteps text(int at, int room, String text) {
    return bytes(at, new byte[room])
        .bytes(at, Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8), room));
  }

  MadeSteps job(String job) {
    return text(256, 128, job);
  }

  MadeSteps run(String run) {
    return text(384, 128, run);
  }

  MadeSteps pid(int pid) {
    return integer(24, pid);
  }

  MadeSteps process(int pid, long start, long namespace) {
    return pid(pid).big(32, start).big(40, namespace);
  }

  MadeSteps created(Instant at) {
    return big(112, nanos(at));
  }

  MadeSteps phase(int phase, Instant since) {
    return big(128, phase).big(136, nanos(since));
  }

  static long nanos(Instant at) {
    return at.getEpochSecond() * NANOS + at.getNano();
  }

  /** Offset of a record. */
  int place(long number) {
    return StepLayout.HEADER + (int) (number % capacity) * StepLayout.RECORD;
  }

  /** Appends a step of 0.1 s. */
  MadeSteps step() {
    return step(0.1);
  }

  MadeSteps step(double seconds) {
    return step(BEGAN.plusNanos((long) (totalDuration * NANOS)), seconds);
  }

  MadeSteps step(Instant start, double seconds) {
    long number = written;
    int at = place(number);
    written++;
    totalDuration += Double.isFinite(seconds) ? seconds : 0;
    totalCompute += 0.06;
    totalTokens += 1000;
    big(at, 2 * number + 2).big(at + 8, 100 + number).big(at + 16, nanos(start));
    number(at + 24, seconds).big(at + 32, 1000).big(at + 40, 4);
    number(at + 48, 2.5).number(at + 56, Double.NaN).number(at + 64, 3e-4);
    number(at + 72, Double.NaN).number(at + 80, 0.06);
    number(at + 88, Double.NaN).number(at + 96, Double.NaN);
    big(at + 104, written).big(at + 112, totalTokens).big(at + 120, 4 * written);
    number(at + 128, totalDuration).number(at + 136, Double.NaN).number(at + 144, totalCompute);
    number(at + 152, Double.NaN).number(at + 160, Double.NaN);
    return big(at + 168, 2 * number + 2).big(120, written);
  }

  MadeSteps steps(int count) {
    for (int i = 0; i < count; i++) {
      step();
    }
    return this;
  }

  /** Changes the last record. */
  MadeSteps last(int offset, double value) {
    return number(place(written - 1) + offset, value);
  }

  MadeSteps lastBig(int offset, long value) {
    return big(place(written - 1) + offset, value);
  }

  byte[] toBytes() {
    return array.clone();
  }

  /** Creates the file atomically, as a writer does. */
  Path putInto(Path folder, String name) throws IOException {
    Path hidden = folder.resolve("." + name + ".tmp");
    Files.write(hidden, array);
    return Files.move(
        hidden,
        folder.resolve(name),
        java.nio.file.StandardCopyOption.ATOMIC_MOVE,
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  /** Overwrites an existing file in place. */
  void writeOver(Path file) throws IOException {
    try (var channel =
        java.nio.channels.FileChannel.open(file, java.nio.file.StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(array), 0);
    }
  }
}
