package io.lapwing.collect;

import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Keeps what a collector put there. */
public final class RecordedSink implements SampleSink {

  private final List<Sample> samples = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  /** One sample. */
  public record Sample(Metric metric, Labels labels, double value) {

    /** As {@code name{label="value"} 1.5}, without the first labels. */
    String line(int withoutFirst) {
      String pairs =
          IntStream.range(withoutFirst, labels.names().size())
              .mapToObj(i -> labels.names().get(i) + "=\"" + labels.values().get(i) + "\"")
              .collect(Collectors.joining(","));
      return metric.sampleName() + (pairs.isEmpty() ? "" : "{" + pairs + "}") + " " + number(value);
    }
  }

  /** In plain notation, without rounding errors in the last digits. */
  private static String number(double value) {
    BigDecimal plain = new BigDecimal(value).round(new MathContext(14)).stripTrailingZeros();
    return plain.toPlainString();
  }

  /** What one run of a collector puts. */
  public static RecordedSink of(Collector collector) {
    RecordedSink sink = new RecordedSink();
    collector.collect(sink);
    return sink;
  }

  @Override
  public void add(Metric metric, Labels labels, double value) {
    samples.add(new Sample(metric, labels, value));
  }

  @Override
  public void failed(String question, String reason) {
    failures.add(question + ": " + reason);
  }

  public List<Sample> samples() {
    return List.copyOf(samples);
  }

  /** Each failed read as {@code question: reason}. */
  public List<String> failures() {
    return List.copyOf(failures);
  }

  /** All samples with all their labels. */
  public List<String> lines() {
    return samples.stream().map(sample -> sample.line(0)).toList();
  }

  /** The samples without the labels that say which GPU it is: six on DCGM's names, else two. */
  public List<String> gpuLines() {
    return samples.stream().map(sample -> sample.line(sample.metric().foreign() ? 6 : 2)).toList();
  }

  /** The value of the only series of a family. */
  public OptionalDouble value(Metric metric) {
    return samples.stream()
        .filter(sample -> sample.metric().name().equals(metric.name()))
        .mapToDouble(Sample::value)
        .findFirst();
  }
}
