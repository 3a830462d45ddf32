package io.lapwing.stack.fleet;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A response in Prometheus' text format, with all lines in order. */
record RecordedPage(List<Line> lines) {

  RecordedPage {
    lines = List.copyOf(lines);
  }

  sealed interface Line {}

  /** A line of HELP or TYPE. */
  record Comment(String text) implements Line {}

  /**
   * One series and its value.
   *
   * @param labels label text with braces; empty for none
   * @param cumulative whether it is a counter or part of a histogram or summary
   */
  record Sample(String name, String labels, double value, boolean cumulative) implements Line {

    String series() {
      return name + labels;
    }
  }

  static RecordedPage parse(String page) {
    List<Line> lines = new ArrayList<>();
    boolean cumulative = false;
    for (String line : page.lines().toList()) {
      if (line.startsWith("# TYPE ")) {
        cumulative = !line.endsWith(" gauge") && !line.endsWith(" untyped");
      }
      if (line.startsWith("#") || line.isBlank()) {
        lines.add(new Comment(line));
      } else {
        lines.add(sample(line, cumulative));
      }
    }
    return new RecordedPage(lines);
  }

  private static Sample sample(String line, boolean cumulative) {
    // A label value may contain spaces and braces; the value follows the last brace.
    int brace = line.indexOf('{');
    int endOfSeries = brace < 0 ? line.indexOf(' ') : line.lastIndexOf('}') + 1;
    if (endOfSeries <= 0) {
      throw new IllegalArgumentException("no sample: " + line);
    }
    int endOfName = brace < 0 ? endOfSeries : brace;
    return new Sample(
        line.substring(0, endOfName),
        line.substring(endOfName, endOfSeries),
        number(line.substring(endOfSeries).strip()),
        cumulative);
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  /** Drops series and keeps all comments, which Prometheus would still read. */
  RecordedPage keeping(Predicate<String> names) {
    return new RecordedPage(
        lines.stream()
            .filter(line -> !(line instanceof Sample sample) || names.test(sample.name()))
            .toList());
  }

  List<Sample> samples() {
    return lines.stream().filter(Sample.class::isInstance).map(Sample.class::cast).toList();
  }

  /** The value of each series. */
  Map<String, Double> values() {
    return samples().stream()
        .collect(Collectors.toMap(Sample::series, Sample::value, (first, second) -> first));
  }
}
