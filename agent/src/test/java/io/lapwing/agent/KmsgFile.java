package io.lapwing.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A regular file in the form of /dev/kmsg. */
final class KmsgFile {

  private static final int KERNEL_WARNING = 4;

  private final Path path;
  private final Instant boot;
  private long sequence;

  KmsgFile(Path path, Instant boot) throws IOException {
    this.path = Files.createFile(path);
    this.boot = boot;
  }

  /** Beside a simulated node, whose own log is not read then. */
  static KmsgFile beside(Path dir) throws IOException {
    return new KmsgFile(dir.resolve("kmsg"), Instant.now().minusSeconds(3_600));
  }

  Path path() {
    return path;
  }

  /** How many records were appended. */
  long written() {
    return sequence;
  }

  /** Messages of the kernel, with one write. */
  void append(List<String> texts) throws IOException {
    long usec = (Instant.now().toEpochMilli() - boot.toEpochMilli()) * 1_000;
    raw(
        texts.stream()
            .map(text -> record(KERNEL_WARNING, usec, text))
            .collect(Collectors.joining()));
  }

  void append(String... texts) throws IOException {
    append(Arrays.asList(texts));
  }

  /** One record as it would stand there. */
  String record(int priority, long usec, String text) {
    return priority + "," + sequence++ + "," + usec + ",-;" + text + "\n";
  }

  void raw(String bytes) throws IOException {
    raw(bytes.getBytes(StandardCharsets.UTF_8));
  }

  void raw(byte[] bytes) throws IOException {
    Files.write(path, bytes, StandardOpenOption.APPEND);
  }

  /** Words for an agent that reads this file and keeps its events there. */
  void in(List<String> words, Path state) {
    words.removeIf(word -> word.startsWith("--path.kmsg=") || word.startsWith("--path.state="));
    words.add("--path.kmsg=" + path);
    words.add("--path.state=" + state);
  }
}
