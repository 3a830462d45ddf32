package io.lapwing.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/** What the kernel has booked on a process: CPU time and memory. */
public record ProcessAccount(long pid) {

  /** USER_HZ, which Linux has fixed at 100 for every program that can ask. */
  private static final long TICK_NANOS = 10_000_000;

  /**
   * CPU time so far, all threads.
   *
   * <p>The threads' schedstat is exact to the nanosecond but forgets threads that ended; utime +
   * stime in stat remembers those but counts in ticks of 10 ms, rounded down. Each is a lower
   * bound, so the larger one is the better.
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
    // The program's name, in brackets, may hold blanks; utime and stime are fields 14 and 15.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_NANOS;
  }

  /** How often its threads have read from a file, a socket or a pipe, so far. */
  long reads() throws IOException {
    return Files.readAllLines(proc("io")).stream()
        .filter(line -> line.startsWith("syscr:"))
        .mapToLong(line -> Long.parseLong(line.substring("syscr:".length()).strip()))
        .findFirst()
        .orElseThrow(() -> new IOException("no syscr in " + proc("io")));
  }

  /** How many files, sockets and pipes it holds open. */
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

  /** Resident memory in KiB: all of it, and the part that no file backs. */
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
