package io.lapwing.agent.web;

import io.lapwing.agent.metrics.Exposition;
import io.lapwing.agent.metrics.Negotiation;
import io.lapwing.agent.metrics.PageFormat;
import io.lapwing.agent.preset.Preset;
import io.lapwing.common.web.Page;
import io.lapwing.common.web.Page.Answer;
import io.lapwing.common.web.Page.Query;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The scrape response: cached bytes in the negotiated format. */
record MetricsPage(Exposition exposition) implements Page {
  private static final Map<String, String> VARY = Map.of("Vary", "Accept, Accept-Encoding");
  private static final Map<String, String> VARY_GZIP =
      Map.of("Vary", "Accept, Accept-Encoding", "Content-Encoding", "gzip");

  @Override
  public Answer answer(Query query) {
    exposition.scraped(query.client());
    PageFormat format = Negotiation.format(query.header("Accept"));
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
      return answer(format, VARY, exposition.page(format, preset, some.collectors()));
    }
    return Negotiation.gzip(query.header("Accept-Encoding"))
        ? answer(format, VARY_GZIP, exposition.gzippedPage(format, preset))
        : answer(format, VARY, exposition.page(format, preset));
  }

  private static String unknown(String preset) {
    return "unknown preset '" + preset + "'; presets: " + String.join(", ", Preset.names());
  }

  private static Answer answer(PageFormat format, Map<String, String> headers, byte[] body) {
    return new Answer(200, format.contentType(), headers, body);
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
