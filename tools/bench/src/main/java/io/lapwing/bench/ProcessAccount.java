package io.lapwing.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/** CPU time and memory of a process from /proc. */
public record ProcessAccount(long pid) {

  /** USER_HZ, which is always 100 for user programs on Linux. */
  private static final long TICK_NANOS = 10_000_000;

  /**
   * CPU time so far, all threads.
   *
   * <p>The threads' schedstat has nanoseconds but no exited threads; utime + stime in stat include
   * those but are rounded down to ticks of 10 ms. Both are lower bounds, so the larger one is
   * better.
   */
  public long cpuNanos() throws IOException {
    return Math.max(threadNanos(), tickNanos());
  }

  private long threadNanos() throws IOException {
    long sum = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(proc("task"))) {
      for (Path thread : threads) {
        sum += firstNumber(thread.resolve("schedstat"));
      }
    }
    return sum;
  }

  private static long firstNumber(Path schedstat) throws IOException {
    try {
      return Long.parseLong(Files.readString(schedstat).split(" ", 2)[0]);
    } catch (NoSuchFileException endedMeanwhile) {
      return 0;
    }
  }

  private long tickNanos() throws IOException {
    String stat = Files.readString(proc("stat"));
    // The program's name in parentheses may contain spaces; utime and stime are fields 14 and 15.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_NANOS;
  }

  /** Read system calls of its threads so far. */
  long reads() throws IOException {
    return Files.readAllLines(proc("io")).stream()
        .filter(line -> line.startsWith("syscr:"))
        .mapToLong(line -> Long.parseLong(line.substring("syscr:".length()).strip()))
        .findFirst()
        .orElseThrow(() -> new IOException("no syscr in " + proc("io")));
  }

  /** Number of open file descriptors. */
  public int descriptors() throws IOException {
    return entries("fd");
  }

  public int threads() throws IOException {
    return entries("task");
  }

  private int entries(String folder) throws IOException {
    int count = 0;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(proc(folder))) {
      for (Path ignored : entries) {
        count++;
      }
    }
    return count;
  }

  /** Resident memory in KiB: total and anonymous. */
  public Memory memory() throws IOException {
    return new Memory(statusKib("VmRSS"), statusKib("RssAnon"));
  }

  /** In KiB. */
  public record Memory(long rssKib, long anonymousKib) {}

  private long statusKib(String name) throws IOException {
    return Files.readAllLines(proc("status")).stream()
        .filter(line -> line.startsWith(name + ":"))
        .map(
            line ->
                line.substring(name.length() + 1)
                    .toLowerCase(Locale.ROOT)
                    .replace("kb", "")
                    .strip())
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElseThrow(() -> new IOException("no " + name + " in " + proc("status")));
  }

  private Path proc(String file) {
    return Path.of("/proc", String.valueOf(pid), file);
  }
}
