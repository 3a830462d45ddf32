package io.lapwing.agent.web;

import io.lapwing.agent.metrics.Exposition;
import io.lapwing.agent.metrics.Negotiation;
import io.lapwing.agent.metrics.PageFormat;
import java.util.Map;

/** The scrape response: cached bytes in the negotiated format. */
final class MetricsPage implements Page {
  private static final Map<String, String> VARY = Map.of("Vary", "Accept, Accept-Encoding");
  private static final Map<String, String> VARY_GZIP =
      Map.of("Vary", "Accept, Accept-Encoding", "Content-Encoding", "gzip");

  private final Exposition exposition;

  MetricsPage(Exposition exposition) {
    this.exposition = exposition;
  }

  @Override
  public Answer answer(Query query) {
    PageFormat format = Negotiation.format(query.header("Accept"));
    CollectorFilter filter = CollectorFilter.of(query, exposition.collectors());
    if (filter instanceof CollectorFilter.Wrong wrong) {
      return Answer.text(400, wrong.sentence());
    }
    if (filter instanceof CollectorFilter.Some some) {
      // Not compressed: a filtered response is small and rendered for this request only.
      return answer(format, VARY, exposition.page(format, some.collectors()));
    }
    return Negotiation.gzip(query.header("Accept-Encoding"))
        ? answer(format, VARY_GZIP, exposition.gzippedPage(format))
        : answer(format, VARY, exposition.page(format));
  }

  private static Answer answer(PageFormat format, Map<String, String> headers, byte[] body) {
    return new Answer(200, format.contentType(), headers, body);
  }
}
