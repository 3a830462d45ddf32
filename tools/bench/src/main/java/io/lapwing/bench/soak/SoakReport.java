package io.lapwing.bench.soak;

import io.lapwing.bench.Medians;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The result of a soak. */
record SoakReport(SoakOptions options, List<Vitals> samples, List<Visitor> visitors) {

  boolean flat() {
    return visitors.stream().allMatch(visitor -> visitor.failures() == 0)
        && Figure.ALL.stream().allMatch(figure -> of(figure).flat());
  }

  private Flatness of(Figure figure) {
    return figure.over(samples, options.pass().toMillis() / 1e3);
  }

  /** As Markdown. */
  String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        """
        | figure | median, first | median, last | slope over all | allowed | |
        |---|---|---|---|---|---|
        """);
    for (Figure figure : Figure.ALL) {
      Flatness flatness = of(figure);
      line(
          text,
          "| %s | %.0f %s | %.0f | %+.0f | %+.0f | %s |",
          figure.label(),
          flatness.first(),
          figure.unit(),
          flatness.last(),
          flatness.slopeGrown(),
          flatness.tolerance(),
          flatness.flat() ? "flat" : "GROWS");
    }
    Vitals end = samples.get(samples.size() - 1);
    line(
        text,
        "\nAfter %.0f s: CPU %.1f s, %.0f collections (%.0f full) of %.1f s in all, %d classes.\n",
        end.seconds(),
        end.cpuSeconds(),
        end.collections(),
        end.fullCollections(),
        end.collectionSeconds(),
        end.classes());
    text.append(
        """
        | visitor | pages | failed | p50 | p99 | slowest |
        |---|---|---|---|---|---|
        """);
    for (Visitor visitor : visitors) {
      long[] taken = visitor.taken();
      line(
          text,
          "| %s | %d | %d | %.1f ms | %.1f ms | %.1f ms |",
          visitor.name(),
          taken.length,
          visitor.failures(),
          Medians.percentile(taken, 0.5) / 1e6,
          Medians.percentile(taken, 0.99) / 1e6,
          Medians.percentile(taken, 1) / 1e6);
    }
    text.append(flat() ? "\nFlat.\n" : "\nNot flat.\n");
    return text.toString();
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  /** As JSON, with all samples. */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("agent", String.join(" ", options.agent()));
    json.put("pass_seconds", options.pass().toSeconds());
    json.put("flat", flat());
    json.put(
        "columns",
        List.of(
            "seconds",
            "rss_kib",
            "anonymous_kib",
            "threads",
            "descriptors",
            "heap_kib",
            "nonheap_kib",
            "classes",
            "collections",
            "full_collections",
            "collection_seconds",
            "cpu_seconds"));
    json.put("samples", samples.stream().map(SoakReport::row).toList());
    return json;
  }

  private static List<Object> row(Vitals v) {
    return List.of(
        v.seconds(),
        v.rssKib(),
        v.anonymousKib(),
        v.threads(),
        v.descriptors(),
        v.heapKib(),
        v.nonHeapKib(),
        v.classes(),
        v.collections(),
        v.fullCollections(),
        v.collectionSeconds(),
        v.cpuSeconds());
  }
}
