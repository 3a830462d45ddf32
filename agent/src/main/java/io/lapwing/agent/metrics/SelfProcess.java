package io.lapwing.agent.metrics;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The agent's own process, from {@code /proc/self/{stat,status,fd,limits}}. Always the real procfs,
 * independent of the configured path.
 */
record SelfProcess(
    double cpuSeconds, double residentBytes, double threads, double openFds, double maxFds) {
  /** USER_HZ: constant in the Linux user API, independent of the kernel's HZ. */
  private static final double TICKS_PER_SECOND = 100;

  private static final double KIBIBYTE = 1024;

  /** Field indexes in {@code stat} after the command's closing parenthesis. */
  private static final int USER_TICKS = 11;

  private static final int SYSTEM_TICKS = 12;

  static SelfProcess read(Path self) throws IOException {
    String[] stat = afterCommand(Files.readString(self.resolve("stat"))).split(" ", -1);
    List<String> status = Files.readAllLines(self.resolve("status"));
    List<String> limits = Files.readAllLines(self.resolve("limits"));
    return new SelfProcess(
        (Double.parseDouble(stat[USER_TICKS]) + Double.parseDouble(stat[SYSTEM_TICKS]))
            / TICKS_PER_SECOND,
        number(status, "VmRSS:") * KIBIBYTE,
        number(status, "Threads:"),
        entries(self.resolve("fd")),
        number(limits, "Max open files"));
  }

  /** The command may contain spaces and parentheses: split at the last parenthesis. */
  private static String afterCommand(String stat) {
    return stat.substring(stat.lastIndexOf(')') + 2);
  }

  /** The first number of the line with this prefix; infinity for "unlimited". */
  private static double number(List<String> lines, String start) {
    for (String line : lines) {
      if (line.startsWith(start)) {
        String word = line.substring(start.length()).strip().split("\\s+", 2)[0];
        return word.equals("unlimited") ? Double.POSITIVE_INFINITY : Double.parseDouble(word);
      }
    }
    return Double.NaN;
  }

  private static double entries(Path directory) throws IOException {
    int count = 0;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path unused : entries) {
        count++;
      }
    }
    // Without the descriptor of the stream itself.
    return count - 1;
  }
}
