package io.lapwing.agent.web;

import io.lapwing.agent.metrics.Exposition;
import io.lapwing.agent.metrics.Negotiation;
import io.lapwing.agent.metrics.PageFormat;
import io.lapwing.agent.preset.Preset;
import io.lapwing.common.web.Page;
import io.lapwing.common.web.Page.Answer;
import io.lapwing.common.web.Page.Query;
import io.lapwing.common.web.ResponseHead;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The scrape response: cached bytes in the negotiated format. */
final class MetricsPage implements Page {
  private final Exposition exposition;

  /** A scraper sends the same headers each time. */
  private volatile Negotiated last = Negotiated.of(null, null);

  MetricsPage(Exposition exposition) {
    this.exposition = exposition;
  }

  @Override
  public Answer answer(Query query) {
    exposition.scraped(query.client());
    Negotiated wanted = negotiated(query);
    return query.names().isEmpty() ? answer(wanted, exposition.preset()) : answer(wanted, query);
  }

  private Negotiated negotiated(Query query) {
    String accept = query.header("Accept");
    String encoding = query.header("Accept-Encoding");
    Negotiated known = last;
    if (!known.isOf(accept, encoding)) {
      known = Negotiated.of(accept, encoding);
      last = known;
    }
    return known;
  }

  /** What a request's headers ask for. {@code plain} is the head of a response without gzip. */
  private record Negotiated(
      @Nullable String accept,
      @Nullable String encoding,
      PageFormat format,
      boolean gzip,
      ResponseHead plain,
      ResponseHead head) {
    private static final Map<String, String> VARY = Map.of("Vary", "Accept, Accept-Encoding");
    private static final Map<String, String> VARY_GZIP =
        Map.of("Vary", "Accept, Accept-Encoding", "Content-Encoding", "gzip");

    static Negotiated of(@Nullable String accept, @Nullable String encoding) {
      PageFormat format = Negotiation.format(accept);
      boolean gzip = Negotiation.gzip(encoding);
      ResponseHead plain = new ResponseHead(format.contentType(), VARY);
      ResponseHead head = gzip ? new ResponseHead(format.contentType(), VARY_GZIP) : plain;
      return new Negotiated(accept, encoding, format, gzip, plain, head);
    }

    boolean isOf(@Nullable String otherAccept, @Nullable String otherEncoding) {
      return Objects.equals(accept, otherAccept) && Objects.equals(encoding, otherEncoding);
    }
  }

  private Answer answer(Negotiated wanted, Preset preset) {
    byte[] page =
        wanted.gzip()
            ? exposition.gzippedPage(wanted.format(), preset)
            : exposition.page(wanted.format(), preset);
    return new Answer(200, wanted.head(), page);
  }

  private Answer answer(Negotiated wanted, Query query) {
    List<String> presets = query.parameters("preset");
    if (presets.size() > 1) {
      return Answer.text(400, "preset was given more than once");
    }
    Optional<Preset> named = presets.stream().findFirst().flatMap(Preset::named);
    if (named.isEmpty() && !presets.isEmpty()) {
      return Answer.text(400, unknown(presets.get(0)));
    }
    Preset preset = named.orElseGet(exposition::preset);
    CollectorFilter filter = CollectorFilter.of(query, exposition.collectors());
    if (filter instanceof CollectorFilter.Wrong wrong) {
      return Answer.text(400, wrong.sentence());
    }
    if (filter instanceof CollectorFilter.Some some) {
      // Not compressed: a filtered response is small and rendered for this request only.
      byte[] page = exposition.page(wanted.format(), preset, some.collectors());
      return new Answer(200, wanted.plain(), page);
    }
    return answer(wanted, preset);
  }

  private static String unknown(String preset) {
    return "unknown preset '" + preset + "'; presets: " + String.join(", ", Preset.names());
  }

  /** The {@code collect[]} and {@code exclude[]} of a URL. */
  sealed interface CollectorFilter {

    record All() implements CollectorFilter {}

    record Some(Predicate<String> collectors) implements CollectorFilter {}

    record Wrong(String sentence) implements CollectorFilter {}

    static CollectorFilter of(Query query, Set<String> known) {
      List<String> collect = query.parameters("collect[]");
      List<String> exclude = query.parameters("exclude[]");
      if (!collect.isEmpty() && !exclude.isEmpty()) {
        return new Wrong("collect[] and exclude[] are mutually exclusive");
      }
      List<String> names = collect.isEmpty() ? exclude : collect;
      for (String name : names) {
        if (!known.contains(name)) {
          return new Wrong(unknown(name, known));
        }
      }
      if (names.isEmpty()) {
        return new All();
      }
      Set<String> named = Set.copyOf(names);
      return new Some(collect.isEmpty() ? name -> !named.contains(name) : named::contains);
    }

    private static String unknown(String name, Set<String> known) {
      return "unknown collector '"
          + name
          + "'; enabled collectors: "
          + String.join(", ", new TreeSet<>(known));
    }
  }
}
