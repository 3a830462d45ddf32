package io.lapwing.agent.metrics;

import io.lapwing.metric.Metric;
import io.lapwing.metric.Samples;
import io.lapwing.metric.Series;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The text of each line up to the value, and the value's position. Families are contiguous across
 * sources. Valid until the series change.
 */
final class PageLayout {

  private final List<List<Series>> parts;
  private final byte[][] texts;
  private final int[] partOf;
  private final int[] indexOf;

  private PageLayout(List<List<Series>> parts, List<Line> lines) {
    this.parts = parts;
    this.texts = new byte[lines.size()][];
    this.partOf = new int[lines.size()];
    this.indexOf = new int[lines.size()];
    for (int i = 0; i < lines.size(); i++) {
      texts[i] = lines.get(i).text().getBytes(StandardCharsets.UTF_8);
      partOf[i] = lines.get(i).part();
      indexOf[i] = lines.get(i).index();
    }
  }

  /** A line; the first one of a family includes the family's header. */
  private record Line(String text, int part, int index) {}

  private record Place(Series series, int part, int index) {}

  static PageLayout of(List<Samples> samples, PageFormat format) {
    Map<String, List<Place>> families = new LinkedHashMap<>();
    Set<Series> seen = new HashSet<>();
    for (int part = 0; part < samples.size(); part++) {
      List<Series> series = samples.get(part).series();
      for (int index = 0; index < series.size(); index++) {
        // A duplicate series makes Prometheus reject the whole scrape: keep the first one.
        if (series.get(index).metric().listed() && seen.add(series.get(index))) {
          families
              .computeIfAbsent(series.get(index).metric().name(), unseen -> new ArrayList<>())
              .add(new Place(series.get(index), part, index));
        }
      }
    }
    List<Line> lines = new ArrayList<>();
    families.values().forEach(places -> addLines(places, format, lines));
    return new PageLayout(samples.stream().map(Samples::series).toList(), lines);
  }

  private static void addLines(List<Place> places, PageFormat format, List<Line> lines) {
    Metric metric = places.get(0).series().metric();
    String header = PageText.header(metric, format);
    for (Place place : places) {
      lines.add(new Line(header + PageText.line(place.series()), place.part(), place.index()));
      header = "";
    }
  }

  /** Whether the layout is valid for these samples. */
  @SuppressWarnings(
      "ReferenceEquality") // a collector keeps the list object while its series are unchanged
  boolean fits(List<Samples> samples) {
    if (samples.size() != parts.size()) {
      return false;
    }
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i) != samples.get(i).series()) {
        return false;
      }
    }
    return true;
  }

  void write(List<Samples> samples, PageBuffer page) {
    for (int i = 0; i < texts.length; i++) {
      page.put(texts[i]);
      page.number(samples.get(partOf[i]).value(indexOf[i]));
      page.write('\n');
    }
  }

  /** Renders samples; caches all but the values while the series are unchanged. Not thread-safe. */
  static final class PageRenderer {

    private final Map<PageFormat, PageLayout> layouts = new EnumMap<>(PageFormat.class);

    void render(List<Samples> samples, PageFormat format, PageBuffer page) {
      PageLayout layout = layouts.get(format);
      if (layout == null || !layout.fits(samples)) {
        layout = PageLayout.of(samples, format);
        layouts.put(format, layout);
      }
      layout.write(samples, page);
    }
  }
}
