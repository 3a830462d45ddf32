package io.lapwing.simulator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A process of a job, which is a real one of the machine that simulates.
 *
 * @param rank from 0; its GPU is the one of that number
 * @param comm as the kernel calls the process
 * @param stat its line of /proc as it was when the process began, whose 22nd field tells it from
 *     any other that is given the same number later
 * @param status likewise; it says whose the process is
 */
record JobRank(int rank, long pid, String comm, String stat, String status) {

  static JobRank of(int rank, long pid) throws IOException {
    Path proc = Path.of("/proc", Long.toString(pid));
    return new JobRank(
        rank,
        pid,
        text(proc.resolve("comm")),
        text(proc.resolve("stat")),
        text(proc.resolve("status")));
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8).stripTrailing();
  }

  /** Unless it has ended; its number may be another process's by now. */
  void kill() {
    try {
      if (of(rank, pid).start().equals(start())) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
      }
    } catch (IOException ended) {
      // Nothing is left to do.
    }
  }

  /** The 22nd field; the name of a process, which is in parentheses, may hold spaces. */
  private String start() {
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19];
  }
}
