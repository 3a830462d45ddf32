package io.lapwing.agent.metrics;

import io.lapwing.linux.KernelText;
import io.prometheus.client.Collector;
import io.prometheus.client.CounterMetricFamily;
import io.prometheus.client.GaugeMetricFamily;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Prometheus' {@code process_...} metrics, read once per scrape. A meter could not be absent. */
final class ProcessCollector extends Collector {
  private final Path self;
  private final DescriptorCount descriptors;
  private final Optional<Instant> start = ProcessHandle.current().info().startInstant();

  ProcessCollector(Path self) {
    this.self = self;
    this.descriptors = new DescriptorCount(self.resolve("fd"));
  }

  @Override
  public List<MetricFamilySamples> collect() {
    try {
      return families(SelfProcess.read(self, descriptors));
    } catch (IOException e) {
      // Probably out of file descriptors: omit the metrics.
      return List.of();
    }
  }

  private List<MetricFamilySamples> families(SelfProcess now) {
    List<MetricFamilySamples> families = new ArrayList<>();
    families.add(
        new CounterMetricFamily(
            "process_cpu_seconds",
            "CPU time this process has used, user and system.",
            now.cpuSeconds()));
    families.add(
        new GaugeMetricFamily(
            "process_resident_memory_bytes",
            "Resident memory of this process.",
            now.residentBytes()));
    families.add(
        new GaugeMetricFamily(
            "process_virtual_memory_bytes", "Virtual memory of this process.", now.virtualBytes()));
    families.add(
        new GaugeMetricFamily(
            "process_virtual_memory_max_bytes",
            "Most virtual memory this process may have.",
            now.maxVirtualBytes()));
    families.add(
        new GaugeMetricFamily(
            "process_threads", "Threads of this process, the JVM's own included.", now.threads()));
    families.add(
        new GaugeMetricFamily(
            "process_open_fds", "Open file descriptors of this process.", now.openFds()));
    families.add(
        new GaugeMetricFamily(
            "process_max_fds", "Most file descriptors this process may have open.", now.maxFds()));
    start.ifPresent(instant -> families.add(startTime(instant)));
    return families;
  }

  private static MetricFamilySamples startTime(Instant start) {
    return new GaugeMetricFamily(
        "process_start_time_seconds",
        "When this process started, since the Unix epoch.",
        start.toEpochMilli() / 1e3);
  }

  /**
   * From {@code /proc/self/{stat,status,fd,limits}}, the real procfs whatever path is configured.
   */
  record SelfProcess(
      double cpuSeconds,
      double residentBytes,
      double virtualBytes,
      double maxVirtualBytes,
      double threads,
      double openFds,
      double maxFds) {
    /** USER_HZ: constant in the Linux user API, independent of the kernel's HZ. */
    private static final double TICKS_PER_SECOND = 100;

    private static final double KIBIBYTE = 1024;

    /** Field indexes in {@code stat} after the command's closing parenthesis. */
    private static final int USER_TICKS = 11;

    private static final int SYSTEM_TICKS = 12;

    static SelfProcess read(Path self, DescriptorCount descriptors) throws IOException {
      String[] stat = afterCommand(lines(self.resolve("stat")).get(0)).split(" ", -1);
      List<String> status = lines(self.resolve("status"));
      List<String> limits = lines(self.resolve("limits"));
      return new SelfProcess(
          (Double.parseDouble(stat[USER_TICKS]) + Double.parseDouble(stat[SYSTEM_TICKS]))
              / TICKS_PER_SECOND,
          number(status, "VmRSS:") * KIBIBYTE,
          number(status, "VmSize:") * KIBIBYTE,
          number(limits, "Max address space"),
          number(status, "Threads:"),
          descriptors.now(),
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
          String word = firstWord(line.substring(start.length()).strip());
          return word.equals("unlimited") ? Double.POSITIVE_INFINITY : Double.parseDouble(word);
        }
      }
      return Double.NaN;
    }

    private static String firstWord(String text) {
      int end = 0;
      while (end < text.length() && !Character.isWhitespace(text.charAt(end))) {
        end++;
      }
      return text.substring(0, end);
    }

    private static List<String> lines(Path file) throws IOException {
      return KernelText.read(file)
          .toOptional()
          .orElseThrow(() -> new IOException(file + " cannot be read"))
          .lines();
    }
  }
}
