package io.lapwing.simulator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A process of a job; a real process of the host.
 *
 * @param rank from 0; also the number of its GPU
 * @param comm the kernel's name of the process
 * @param stat its line of /proc at the start of the process; the 22nd field identifies it if the
 *     pid is reused
 * @param status likewise; contains the user
 * @param schedstat likewise; its time on a processor and its wait for one
 */
record JobRank(int rank, long pid, String comm, String stat, String status, String schedstat) {

  static JobRank of(int rank, long pid) throws IOException {
    Path proc = Path.of("/proc", Long.toString(pid));
    return new JobRank(
        rank,
        pid,
        text(proc.resolve("comm")),
        text(proc.resolve("stat")),
        text(proc.resolve("status")),
        text(proc.resolve("schedstat")));
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8).stripTrailing();
  }

  /** Its time on a processor, its wait for one with so many nanoseconds more, and its turns. */
  String schedstat(long moreNanos) {
    String[] fields = schedstat.split(" ", -1);
    return fields[0] + " " + (Long.parseLong(fields[1]) + moreNanos) + " " + fields[2];
  }

  /** The uid: the first of four. */
  String user() {
    return status
        .lines()
        .filter(line -> line.startsWith("Uid:"))
        .map(line -> line.split("\\s+", -1)[1])
        .findFirst()
        .orElse("0");
  }

  /** Unless it has exited; its pid may be reused. */
  void kill() {
    try {
      if (of(rank, pid).start().equals(start())) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
      }
    } catch (IOException ended) {
      // Already gone.
    }
  }

  /** The 22nd field; the process name in parentheses may contain spaces. */
  private String start() {
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19];
  }
}
