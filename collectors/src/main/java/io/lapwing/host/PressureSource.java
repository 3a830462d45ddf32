package io.lapwing.host;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.Part;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;
import io.lapwing.linux.ProcFs;
import io.lapwing.metric.Labels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Pressure stall information of the kernel as a source:
 *
 * <pre>
 * lapwing_host_pressure_seconds_total{resource="cpu",tasks="some"} 58.761459     pressure/cpu
 * lapwing_host_pressure_seconds_total{resource="io",tasks="full"} 12.464525      pressure/io
 * lapwing_host_pressure_seconds_total{resource="memory",tasks="some"} 0.1        pressure/memory
 * </pre>
 */
public final class PressureSource extends FixedSource {

  /** The kind of this part of the node, and the name of the source and of its collector. */
  public static final String HOST = "host";

  private static final List<String> RESOURCES = List.of("cpu", "memory", "io");
  private static final Access NOT_THERE =
      new Access.NothingHere(
          "the kernel has no pressure stall information (CONFIG_PSI, or booted with psi=0)");

  private final Path folder;
  private final Map<List<String>, Labels> labels = new HashMap<>();

  public PressureSource(ProcFs proc) {
    super(HOST, Part.whole(HOST));
    add(HOST, Cadence.MEDIUM, this::collect);
    this.folder = proc.path().resolve("pressure");
  }

  @Override
  public Access begin(List<Collector> due) {
    return Files.isDirectory(folder) ? Access.READY : NOT_THERE;
  }

  private void collect(SampleSink sink) {
    RESOURCES.forEach(resource -> collect(resource, sink));
  }

  private void collect(String resource, SampleSink sink) {
    Reading<KernelText> text = KernelText.read(folder.resolve(resource));
    sink.countFailure(text);
    text.toOptional().ifPresent(present -> put(resource, present, sink));
  }

  private void put(String resource, KernelText text, SampleSink sink) {
    try {
      for (PressureFile.Total total : PressureFile.parse(text).totals()) {
        sink.add(HostMetrics.PRESSURE, labels(resource, total.tasks()), total.seconds());
      }
    } catch (ParseFailure malformed) {
      sink.failed(malformed.file(), "malformed");
    }
  }

  private Labels labels(String resource, String tasks) {
    return labels.computeIfAbsent(
        List.of(resource, tasks), unseen -> Labels.of("resource", resource, "tasks", tasks));
  }

  /**
   * One file of {@code /proc/pressure}; {@code cpu} has no {@code full} before Linux 5.13:
   *
   * <pre>
   * some avg10=0.22 avg60=0.17 avg300=1.11 total=58761459
   * full avg10=0.22 avg60=0.16 avg300=1.08 total=58464525
   * </pre>
   */
  record PressureFile(List<Total> totals) {

    private static final Pattern LINE = Pattern.compile("(some|full) .*\\btotal=(\\d{1,18})");

    private static final double MICROS = 1e6;

    PressureFile {
      totals = List.copyOf(totals);
    }

    /** Stall time since boot of {@code some} tasks, or all that were not idle ({@code full}). */
    record Total(String tasks, double seconds) {}

    static PressureFile parse(KernelText text) throws ParseFailure {
      List<Total> totals = new ArrayList<>();
      for (int i = 0; i < text.lines().size(); i++) {
        Matcher line = LINE.matcher(text.lines().get(i));
        if (!line.matches()) {
          throw text.failure(i, "not a pressure line with a total");
        }
        totals.add(new Total(line.group(1), Long.parseLong(line.group(2)) / MICROS));
      }
      if (totals.isEmpty()) {
        throw text.failure(0, "empty");
      }
      return new PressureFile(totals);
    }
  }
}
