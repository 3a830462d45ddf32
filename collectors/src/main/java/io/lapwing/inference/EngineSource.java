package io.lapwing.inference;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.PageShare;
import io.lapwing.collect.SampleSink;
import io.lapwing.exposition.ExposedSample;
import io.lapwing.exposition.ExpositionText;
import io.lapwing.exposition.ExpositionText.Tally.Ending;
import io.lapwing.http.HttpClient;
import io.lapwing.http.HttpFailure;
import io.lapwing.http.HttpHead;
import io.lapwing.http.HttpRequest;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Series;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The metrics of one inference engine as a source, under the names of {@link EngineSeries}:
 *
 * <pre>
 * lapwing_inference_up{engine="vllm",address="127.0.0.1:8000"} 1
 * lapwing_inference_time_to_first_token_seconds_bucket{engine="vllm",model="m",address="127.0.0.1:8000",le="0.25"} 17
 * lapwing_inference_requests_running{engine="vllm",model="m",address="127.0.0.1:8000"} 3
 * </pre>
 *
 * An incomplete response exposes nothing: a partial sum would look like a counter reset.
 */
final class EngineSource extends FixedSource {

  /** Before the first successful scrape. */
  private static final String UNKNOWN = "unknown";

  private final EngineAddress address;
  private final HttpClient http;
  private final HttpRequest request;
  private final EngineTotals totals;
  private final ExpositionText text =
      new ExpositionText(EngineSeries.Meaning.NAMES, ExpositionText.Limits.DEFAULT);
  private final Consumer<ExposedSample> take;
  private Optional<Engine> engine = Optional.empty();
  private volatile Optional<Series> up;
  private volatile long answered;
  private long malformed;

  EngineSource(EngineAddress address, HttpClient http, SeriesRoom room) {
    super(address.sourceName(), InferenceSource.NAME, address.sourceName());
    add(InferenceSource.ENGINES_COLLECTOR, Cadence.MEDIUM, this::collect);
    this.address = address;
    this.http = http;
    this.request = address.request();
    this.totals = new EngineTotals(address.text(), room);
    this.take = totals::take;
    this.up = Optional.of(up(UNKNOWN));
    this.answered = http.nanoTime().getAsLong();
  }

  private Series up(String name) {
    return new Series(
        InferenceMetrics.UP,
        Labels.of(InferenceMetrics.ENGINE, name, InferenceMetrics.ADDRESS, address.text()));
  }

  @Override
  public Optional<Series> up() {
    return up;
  }

  EngineAddress address() {
    return address;
  }

  /** Time of the last successful scrape, or of creation. Thread-safe. */
  long answered() {
    return answered;
  }

  @Override
  public PageShare share() {
    return PageShare.INFERENCE;
  }

  @Override
  public Access begin(List<Collector> due) {
    try {
      totals.begin();
      known(http.send(request, this::page));
      answered = http.nanoTime().getAsLong();
      return Access.READY;
    } catch (HttpFailure failure) {
      return new Access.Down(
          failure.reason(),
          "the page of " + address.text() + " cannot be read: " + failure.reason());
    }
  }

  private ExpositionText.Tally page(HttpHead head, InputStream body) throws IOException {
    if (head.status() != HttpHead.OK) {
      throw new HttpFailure("status");
    }
    return text.read(body, take);
  }

  private void known(ExpositionText.Tally page) throws HttpFailure {
    if (page.ending() != Ending.WHOLE) {
      boolean cut = page.ending() == Ending.UNFINISHED;
      throw new HttpFailure(cut ? HttpFailure.TRUNCATED : HttpFailure.TOO_LARGE);
    }
    Engine now = Engine.of(page.prefixes()).orElseThrow(() -> new HttpFailure("no_engine"));
    malformed = page.malformed() + totals.invalidValues();
    if (!engine.equals(Optional.of(now))) {
      engine = Optional.of(now);
      up = Optional.of(up(now.text()));
    }
  }

  @Override
  public void close() {
    totals.forget();
  }

  private void collect(SampleSink sink) {
    engine.ifPresent(known -> totals.put(known, sink));
    if (malformed > 0) {
      sink.failed(address.text(), "malformed");
    }
    if (totals.tooMany()) {
      sink.failed(address.text(), "too_many_series");
    }
  }
}
