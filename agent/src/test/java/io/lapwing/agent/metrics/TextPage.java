package io.lapwing.agent.metrics;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A strict parser of a scrape response: families are contiguous with one header first, no series is
 * duplicated, and every line matches the grammar of the format.
 */
public final class TextPage {

  private static final String SUFFIXES = "_(total|count|sum|max|bucket|info)";

  private final PageFormat format;
  private final Map<String, Family> families = new LinkedHashMap<>();
  private final Set<Sample> seen = new HashSet<>();

  /** A family, with its name as the TYPE line spells it. */
  public record Family(String name, String type, String help, List<Sample> samples) {}

  /** A line; the labels are in its order. */
  public record Sample(String name, Map<String, String> labels, double value) {

    /** The line without its value, for comparing. */
    public String series() {
      return name + labels;
    }

    /** Empty if there is no such label. */
    public String label(String of) {
      return labels.getOrDefault(of, "");
    }
  }

  private TextPage(PageFormat format) {
    this.format = format;
  }

  public static TextPage parse(byte[] page) {
    return parse(page, PageFormat.TEXT_0_0_4);
  }

  public static TextPage parse(byte[] page, PageFormat format) {
    return parse(new String(page, StandardCharsets.UTF_8), format);
  }

  /** Reads a page. */
  public static TextPage parse(String page, PageFormat format) {
    TextPage read = new TextPage(format);
    read.readAll(page);
    return read;
  }

  public List<Family> families() {
    return List.copyOf(families.values());
  }

  public Optional<Family> family(String name) {
    return Optional.ofNullable(families.get(name));
  }

  public Stream<Sample> samples() {
    return families.values().stream().flatMap(family -> family.samples().stream());
  }

  /** The samples of one name. */
  public List<Sample> samples(String name) {
    return samples().filter(sample -> sample.name().equals(name)).toList();
  }

  /** The value of the one series of that name that has these labels among its own. */
  public Optional<Double> value(String name, String... namesAndValues) {
    List<Sample> found =
        samples(name).stream().filter(sample -> has(sample, namesAndValues)).toList();
    check(found.size() <= 1, "not one series but " + found, name);
    return found.stream().map(Sample::value).findFirst();
  }

  private static boolean has(Sample sample, String... namesAndValues) {
    for (int i = 0; i < namesAndValues.length; i += 2) {
      if (!namesAndValues[i + 1].equals(sample.labels().get(namesAndValues[i]))) {
        return false;
      }
    }
    return true;
  }

  private void readAll(String page) {
    boolean open = format == PageFormat.OPENMETRICS_1_0_0;
    String text = open ? withoutEnd(page) : page;
    check(text.isEmpty() || text.endsWith("\n"), "the last line does not end", text);
    String[] lines =
        text.isEmpty() ? new String[0] : text.substring(0, text.length() - 1).split("\n", -1);
    Optional<Family> family = Optional.empty();
    for (int i = 0; i < lines.length; i++) {
      if (lines[i].startsWith("# HELP ")) {
        check(i + 1 < lines.length, "a header without a type", lines[i]);
        family = Optional.of(header(lines[i], lines[++i]));
      } else if (lines[i].startsWith("# TYPE ")) {
        // simpleclient writes the type first in OpenMetrics.
        boolean helped = i + 1 < lines.length && lines[i + 1].startsWith("# HELP ");
        family = Optional.of(header(helped ? lines[i + 1] : "", lines[i]));
        i += helped ? 1 : 0;
      } else {
        check(family.isPresent(), "a sample without a header", lines[i]);
        add(family.get(), new Line(lines[i], format).sample());
      }
    }
    families.values().forEach(one -> check(!one.samples().isEmpty(), "empty", one.name()));
    families.values().stream()
        .filter(one -> one.type().equals("histogram"))
        .forEach(TextPage::checkHistogram);
  }

  /** Buckets are cumulative, and the last one has the total count. */
  private static void checkHistogram(Family family) {
    Map<Map<String, String>, TreeMap<Double, Double>> buckets = new HashMap<>();
    Map<Map<String, String>, Double> counts = new HashMap<>();
    for (Sample sample : family.samples()) {
      Map<String, String> own = new HashMap<>(sample.labels());
      String bound = own.remove("le");
      if (sample.name().endsWith("_count")) {
        check(bound == null, "a count with a bound", sample.series());
        counts.put(own, sample.value());
      } else if (sample.name().endsWith("_sum")) {
        check(bound == null, "a sum with a bound", sample.series());
      } else {
        check(bound != null, "a bucket without a bound", sample.series());
        double le = bound.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound);
        buckets.computeIfAbsent(own, unseen -> new TreeMap<>()).put(le, sample.value());
      }
    }
    check(buckets.keySet().equals(counts.keySet()), "buckets and counts differ", family.name());
    buckets.forEach(
        (own, one) -> {
          check(
              one.lastKey().isInfinite() && one.lastEntry().getValue().equals(counts.get(own)),
              "the last bucket does not hold all",
              family.name() + own);
          List<Double> values = List.copyOf(one.values());
          check(values.equals(values.stream().sorted().toList()), "not cumulative", family.name());
        });
  }

  private static String withoutEnd(String page) {
    check(page.endsWith("# EOF\n"), "no end", page.substring(Math.max(0, page.length() - 80)));
    String text = page.substring(0, page.length() - "# EOF\n".length());
    check(!text.contains("# EOF"), "two ends", "");
    return text;
  }

  private Family header(String help, String type) {
    String[] words = type.split(" ", -1);
    check(words.length == 4 && type.startsWith("# TYPE "), "not a type", type);
    String name = words[2];
    check(help.isEmpty() || help.startsWith("# HELP " + name + " "), "another one's help", help);
    check(isType(words[3]), "no such type", type);
    String text = help.isEmpty() ? "" : help.substring(("# HELP " + name + " ").length());
    Family family =
        new Family(name, words[3], new Line(text, format).unescapedHelp(), new ArrayList<>());
    check(families.put(name, family) == null, "a family twice", name);
    return family;
  }

  private boolean isType(String type) {
    return format == PageFormat.OPENMETRICS_1_0_0
        ? List.of("gauge", "counter", "unknown", "summary", "histogram").contains(type)
        : List.of("gauge", "counter", "untyped", "summary", "histogram").contains(type);
  }

  private void add(Family family, Sample sample) {
    check(belongs(family, sample), "not of the family " + family.name(), sample.name());
    check(seen.add(new Sample(sample.name(), sample.labels(), 0)), "twice", sample.series());
    family.samples().add(sample);
  }

  private boolean belongs(Family family, Sample sample) {
    if (family.type().equals("histogram")) {
      return sample.name().matches(family.name() + "_(bucket|count|sum)");
    }
    if (family.type().equals("summary")) {
      return sample.name().replaceFirst(SUFFIXES + "$", "").equals(family.name());
    }
    boolean total = format == PageFormat.OPENMETRICS_1_0_0 && family.type().equals("counter");
    return sample.name().equals(family.name() + (total ? "_total" : ""));
  }

  static void check(boolean good, String problem, String where) {
    if (!good) {
      throw new IllegalArgumentException(problem + ": " + where);
    }
  }

  /** One line, read from left to right. */
  private static final class Line {

    private final String text;
    private final PageFormat format;
    private int at;

    Line(String text, PageFormat format) {
      this.text = text;
      this.format = format;
    }

    Sample sample() {
      String name = word("[a-zA-Z_:][a-zA-Z0-9_:]*");
      Map<String, String> labels = new LinkedHashMap<>();
      if (take('{')) {
        while (!take('}')) {
          label(labels);
          check(take(',') || text.charAt(at) == '}', "no comma", text);
        }
      }
      check(take(' '), "no space before the value", text);
      return new Sample(name, Collections.unmodifiableMap(labels), number(text.substring(at)));
    }

    private void label(Map<String, String> labels) {
      String name = word("[a-zA-Z_][a-zA-Z0-9_]*");
      check(take('=') && take('"'), "not a label", text);
      StringBuilder value = new StringBuilder();
      while (!take('"')) {
        value.append(character(true));
      }
      check(labels.put(name, value.toString()) == null, "a label twice", text);
    }

    String unescapedHelp() {
      StringBuilder help = new StringBuilder();
      while (at < text.length()) {
        boolean quotes = format == PageFormat.OPENMETRICS_1_0_0;
        check(!quotes || text.charAt(at) != '"', "a bare quote", text);
        help.append(character(quotes));
      }
      return help.toString();
    }

    private char character(boolean quotes) {
      check(at < text.length(), "the line ends", text);
      char c = text.charAt(at++);
      if (c != '\\') {
        return c;
      }
      check(at < text.length(), "the line ends", text);
      char escaped = text.charAt(at++);
      check(escaped == 'n' || escaped == '\\' || (quotes && escaped == '"'), "escape", text);
      return escaped == 'n' ? '\n' : escaped;
    }

    private String word(String pattern) {
      int start = at;
      while (at < text.length() && text.substring(start, at + 1).matches(pattern)) {
        at++;
      }
      check(at > start, "no name", text);
      return text.substring(start, at);
    }

    private boolean take(char wanted) {
      boolean there = at < text.length() && text.charAt(at) == wanted;
      at += there ? 1 : 0;
      return there;
    }

    private double number(String value) {
      check(value.matches("NaN|[+]Inf|-Inf|-?[0-9]+([.][0-9]+)?(E-?[0-9]+)?"), "number", text);
      return switch (value) {
        case "+Inf" -> Double.POSITIVE_INFINITY;
        case "-Inf" -> Double.NEGATIVE_INFINITY;
        default -> Double.parseDouble(value);
      };
    }
  }
}
