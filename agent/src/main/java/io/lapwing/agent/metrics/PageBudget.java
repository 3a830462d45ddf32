package io.lapwing.agent.metrics;

import io.lapwing.agent.sources.SourceView;
import io.lapwing.collect.PageShare;
import io.lapwing.common.log.Log;
import io.lapwing.metric.Samples;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Limits the series and the bytes of the page. The node's own sources are always on it; the rest of
 * the room goes to jobs first, then training, NCCL, inference engines and unverified ranks, in the
 * page's order. A source that does not fit is left out as a whole: half of a rank would look like
 * another rank. Thread-safe.
 */
public final class PageBudget {

  private static final Log LOG = Log.of(PageBudget.class);

  private final Limits limits;
  private final Set<PageShare> logged = EnumSet.noneOf(PageShare.class);
  private volatile Set<String> leftOut = Set.of();

  /**
   * The room of a page.
   *
   * @param series of the page
   * @param bytes of its lines up to their values
   * @param guaranteedSeries for sources that can be left out, however large the node's share is
   * @param guaranteedBytes for the same
   */
  public record Limits(int series, long bytes, int guaranteedSeries, long guaranteedBytes) {

    /**
     * Below the {@code sample_limit} of 20,000 in the documentation. In a heap of 48 MiB the page
     * is kept up to six times: its text, a buffer, two formats, each also compressed.
     */
    public static final Limits DEFAULT = new Limits(16_000, 2 << 20, 4000, 1 << 19);
  }

  /** The samples of one source. */
  record Part(SourceView source, List<Samples> samples) {

    Part {
      samples = List.copyOf(samples);
    }

    private int series() {
      int series = 0;
      for (Samples one : samples) {
        series += one.listed();
      }
      return series;
    }

    private long bytes() {
      long bytes = 0;
      for (Samples one : samples) {
        bytes += one.lineBytes();
      }
      return bytes;
    }
  }

  /** Numbers of sources and series that are not on the page. */
  record Missing(int sources, int series) {

    static final Missing NONE = new Missing(0, 0);

    private Missing plus(int moreSeries) {
      return new Missing(sources + 1, series + moreSeries);
    }
  }

  /** The samples on the page, in the order of the sources, the missing ones, and their sources. */
  record Selection(List<Samples> samples, Map<PageShare, Missing> missing, Set<String> leftOut) {

    Selection {
      samples = List.copyOf(samples);
      missing = Map.copyOf(missing);
      leftOut = Set.copyOf(leftOut);
    }
  }

  public PageBudget(Limits limits) {
    this.limits = limits;
  }

  /** The sources that the last page left out. */
  public Set<String> leftOut() {
    return leftOut;
  }

  /** Selects the samples that fit beside those on every page, and records the others. */
  Selection select(List<Part> parts, Samples always) {
    Selection selection = trial(parts, always);
    leftOut = selection.leftOut();
    selection.missing().forEach(this::log);
    return selection;
  }

  /** As {@link #select}, for a page that is not the usual one. */
  Selection trial(List<Part> parts, Samples always) {
    long series = always.listed();
    long bytes = always.lineBytes();
    for (Part part : parts) {
      if (part.source().share() == PageShare.NODE) {
        series += part.series();
        bytes += part.bytes();
      }
    }
    Room room =
        new Room(
            Math.max(limits.series() - series, limits.guaranteedSeries()),
            Math.max(limits.bytes() - bytes, limits.guaranteedBytes()));
    Map<PageShare, Missing> missing = new EnumMap<>(PageShare.class);
    Set<String> out = new HashSet<>();
    for (PageShare share : PageShare.values()) {
      for (Part part : parts) {
        if (part.source().share() == share && share != PageShare.NODE && !room.take(part)) {
          missing.merge(share, new Missing(1, part.series()), (a, b) -> a.plus(b.series()));
          out.add(part.source().name());
        }
      }
    }
    List<Samples> selected = new ArrayList<>();
    for (Part part : parts) {
      if (!out.contains(part.source().name())) {
        selected.addAll(part.samples());
      }
    }
    return new Selection(selected, missing, out);
  }

  /** Once for each share: a user who can fill the page could fill the log as well. */
  private synchronized void log(PageShare share, Missing missing) {
    if (logged.add(share)) {
      LOG.warn(
          "the page is full; sources are left out",
          "kind",
          share.text(),
          "sources",
          missing.sources(),
          "series",
          missing.series(),
          "max_series",
          limits.series(),
          "max_bytes",
          limits.bytes());
    }
  }

  private static final class Room {

    private long series;
    private long bytes;

    Room(long series, long bytes) {
      this.series = series;
      this.bytes = bytes;
    }

    boolean take(Part part) {
      if (part.series() > series || part.bytes() > bytes) {
        return false;
      }
      series -= part.series();
      bytes -= part.bytes();
      return true;
    }
  }
}
