package io.lapwing.agent.metrics;

import io.lapwing.metric.Metric;
import io.lapwing.metric.Samples;
import io.lapwing.metric.Series;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The text of each line up to the value, and the value's position, for both formats, which differ
 * in the headers of families only. Families are contiguous across sources. Valid until the series
 * change.
 */
final class PageLayout {

  private final List<List<Series>> parts;

  /** All lines up to their values, in page order. */
  private final PageBuffer text;

  private final int[] ends;
  private final int[] partOf;
  private final int[] indexOf;

  /** By line: the family that begins there. */
  private final @Nullable Metric[] begins;

  private record Place(Series series, int part, int index) {}

  private PageLayout(List<Samples> samples, Map<String, List<Place>> families) {
    parts = samples.stream().map(Samples::series).toList();
    int lines = families.values().stream().mapToInt(List::size).sum();
    ends = new int[lines];
    partOf = new int[lines];
    indexOf = new int[lines];
    begins = new Metric[lines];
    // At once: a text of megabytes that grows is there twice.
    text = new PageBuffer((int) samples.stream().mapToLong(Samples::lineBytes).sum());
    int line = 0;
    for (List<Place> family : families.values()) {
      begins[line] = family.get(0).series().metric();
      for (Place place : family) {
        text.put(PageText.line(place.series()).getBytes(StandardCharsets.UTF_8));
        ends[line] = text.size();
        partOf[line] = place.part();
        indexOf[line] = place.index();
        line++;
      }
    }
  }

  static PageLayout of(List<Samples> samples) {
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
    return new PageLayout(samples, families);
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

  private void write(List<Samples> samples, Headers headers, PageBuffer page) {
    int from = 0;
    for (int i = 0; i < ends.length; i++) {
      Metric family = begins[i];
      if (family != null) {
        page.put(headers.of(family));
      }
      page.put(text, from, ends[i]);
      page.number(samples.get(partOf[i]).value(indexOf[i]));
      page.write('\n');
      from = ends[i];
    }
  }

  /** The HELP and TYPE lines of the families in one format, kept over changes of the series. */
  private record Headers(PageFormat format, Map<String, byte[]> byName) {

    byte[] of(Metric family) {
      byte[] known = byName.get(family.name());
      if (known == null) {
        known = PageText.header(family, format).getBytes(StandardCharsets.UTF_8);
        byName.put(family.name(), known);
      }
      return known;
    }
  }

  /** Renders samples; caches all but the values while the series are unchanged. Not thread-safe. */
  static final class PageRenderer {

    private final Map<PageFormat, Headers> headers = new EnumMap<>(PageFormat.class);
    private @Nullable PageLayout layout;

    void render(List<Samples> samples, PageFormat format, PageBuffer page) {
      PageLayout current = layout;
      if (current == null || !current.fits(samples)) {
        layout = null; // Garbage before its successor is made.
        current = PageLayout.of(samples);
        layout = current;
      }
      current.write(
          samples,
          headers.computeIfAbsent(format, unseen -> new Headers(unseen, new HashMap<>())),
          page);
    }
  }
}
