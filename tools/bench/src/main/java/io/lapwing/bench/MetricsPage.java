package io.lapwing.bench;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The series of a scrape response in the Prometheus text format. Label values keep their escapes.
 * The only reader of that format here, because this jar shares no library with the agent.
 */
public record MetricsPage(List<Series> series) {

  private static final Pattern LINE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)\\})? (\\S+)(?: \\d+)?");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  /** One sample. */
  public record Series(String name, Map<String, String> labels, double value) {}

  public static MetricsPage parse(String text) {
    return new MetricsPage(samples(text).map(MetricsPage::parseLine).toList());
  }

  /** Parses the series of one name only, which is faster than the whole text. */
  public static Stream<Series> series(String text, String name) {
    return samples(text)
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .map(MetricsPage::parseLine);
  }

  /** The number of series. */
  static long count(String text) {
    return samples(text).count();
  }

  private static Stream<String> samples(String text) {
    return text.lines().filter(line -> !line.isBlank() && !line.startsWith("#"));
  }

  private static Series parseLine(String line) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a line of the text format: " + line);
    }
    Map<String, String> labels = new HashMap<>();
    Matcher label = LABEL.matcher(Optional.ofNullable(matcher.group(2)).orElse(""));
    while (label.find()) {
      labels.put(label.group(1), label.group(2));
    }
    return new Series(matcher.group(1), labels, parseValue(matcher.group(3)));
  }

  private static double parseValue(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  public Stream<Series> named(String name) {
    return series.stream().filter(s -> s.name().equals(name));
  }

  /** The series of a GPU as a whole. */
  public Optional<Series> of(String name, String uuid) {
    return ofGpu(name, uuid).filter(s -> !isOfInstance(s)).findFirst();
  }

  /** Whether the GPU is divided by MIG, and its instances have this. */
  public boolean isOfInstances(String name, String uuid) {
    return ofGpu(name, uuid).anyMatch(MetricsPage::isOfInstance);
  }

  private Stream<Series> ofGpu(String name, String uuid) {
    return named(name).filter(s -> uuid.equals(s.labels().get("UUID")));
  }

  private static boolean isOfInstance(Series series) {
    return !series.labels().getOrDefault("GPU_I_ID", "").isEmpty();
  }

  public OptionalDouble value(String name, String uuid) {
    return of(name, uuid).stream().mapToDouble(Series::value).findFirst();
  }

  /** The names that start with DCGM_. */
  public Set<String> dcgmNames() {
    Set<String> names = new TreeSet<>();
    series.stream().map(Series::name).filter(n -> n.startsWith("DCGM_")).forEach(names::add);
    return names;
  }
}
