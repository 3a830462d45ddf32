package io.lapwing.agent.metrics;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The agent's own process at one moment, from {@code /proc/self/{stat,status,fd,limits}}. Always
 * the real one, wherever the node's procfs is: it is this process that is measured.
 */
record SelfProcess(
    double cpuSeconds, double residentBytes, double threads, double openFds, double maxFds) {
  /** USER_HZ, which Linux fixes for programs whatever the kernel's own tick. */
  private static final double TICKS_PER_SECOND = 100;

  private static final double KIBIBYTE = 1024;

  /** Fields of {@code stat}, counted behind the command's closing parenthesis. */
  private static final int USER_TICKS = 11;

  private static final int SYSTEM_TICKS = 12;

  static SelfProcess read(Path self) throws IOException {
    String[] stat = behindCommand(Files.readString(self.resolve("stat"))).split(" ", -1);
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

  /** The command may hold spaces and parentheses, so only its last parenthesis counts. */
  private static String behindCommand(String stat) {
    return stat.substring(stat.lastIndexOf(')') + 2);
  }

  /** The first number of the line that starts so; "unlimited" is the highest there is. */
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
    // The stream itself is one of them.
    return count - 1;
  }
}
