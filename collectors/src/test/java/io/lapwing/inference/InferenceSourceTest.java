package io.lapwing.inference;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.RecordedSink;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import io.lapwing.http.HttpClient;
import io.lapwing.simulator.EngineManner;
import io.lapwing.simulator.FakeEngine;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InferenceSourceTest implements SourceSet {

  private final Map<String, Source> found = new LinkedHashMap<>();
  private final AtomicLong later = new AtomicLong();
  private final HttpClient http =
      new HttpClient(
          Duration.ofSeconds(10), Duration.ofSeconds(30), () -> System.nanoTime() + later.get());
  private PortOwners.Owner owner = PortOwners.Owner.TRUSTED;
  private FakeEngine vllm;
  private FakeEngine other;

  @BeforeEach
  void serve() throws IOException {
    vllm = FakeEngine.serving(ReadEngine.page("vllm-v1.txt"));
    other = FakeEngine.serving(ReadEngine.page("sglang-0.5.txt"));
  }

  @AfterEach
  void close() {
    vllm.close();
    other.close();
  }

  @Override
  public void add(Source source) {
    found.putIfAbsent(source.name(), source);
  }

  @Override
  public void remove(String name) {
    found.remove(name);
  }

  private InferenceSource asking(FakeEngine... engines) {
    List<Integer> ports = List.of(engines).stream().map(FakeEngine::port).toList();
    return new InferenceSource(List.of(), ports, port -> owner, this, http);
  }

  private static Access begin(Source source) {
    return source.begin(source.collectors());
  }

  @Test
  void configuredUrlsAreAlwaysScraped() {
    List<URI> pages = List.of(URI.create("http://127.0.0.1:1"), vllm.uri(), vllm.uri());
    InferenceSource source = new InferenceSource(false, pages, PortOwners.ANY, this);

    assertThat(begin(source)).isEqualTo(Access.READY);

    assertThat(found)
        .containsOnlyKeys("inference-127.0.0.1-1", "inference-127.0.0.1-" + vllm.port());
    assertThat(RecordedSink.of(source.collectors().get(0)).lines())
        .containsExactly("lapwing_inference_engines 2");
    assertThat(vllm.questions()).isZero();
  }

  @Test
  void aDeadEngineDoesNotAffectOthers() {
    InferenceSource source =
        new InferenceSource(
            false, List.of(URI.create("http://127.0.0.1:1"), vllm.uri()), PortOwners.ANY, this);
    begin(source);
    List<Source> engines = List.copyOf(found.values());

    assertThat(begin(engines.get(0))).isInstanceOf(Access.Down.class);
    assertThat(begin(engines.get(1))).isEqualTo(Access.READY);
    assertThat(engines.get(0).workerGroup()).isNotEqualTo(engines.get(1).workerGroup());
  }

  @Test
  void twoEnginesOfOneModelDifferByAddress() {
    other.serve(() -> ReadEngine.page("vllm-v1.txt"));
    InferenceSource source =
        new InferenceSource(false, List.of(vllm.uri(), other.uri()), PortOwners.ANY, this);
    begin(source);

    Set<String> series = new HashSet<>();
    for (Source engine : found.values()) {
      begin(engine);
      series.addAll(RecordedSink.of(engine.collectors().get(0)).lines());
    }

    assertThat(series)
        .hasSize(2 * 106)
        .contains(
            "lapwing_inference_requests_running{engine=\"vllm\",model=\"Qwen/Qwen3-8B\",address=\"127.0.0.1:"
                + other.port()
                + "\"} 8");
  }

  @Test
  void anEngineIsRecognizedByItsMetricNames() {
    InferenceSource source = asking(vllm, other);
    other.serve(() -> "http_requests_total 5\n");

    begin(source);

    assertThat(found).containsOnlyKeys("inference-127.0.0.1-" + vllm.port());

    other.serve(() -> "# TYPE dynamo_frontend_model_context_length gauge\n");
    begin(source);

    assertThat(found).hasSize(2);
  }

  @Test
  void aPortOfAnotherUserIsNotAskedAndNoLongerFollowed() {
    owner = PortOwners.Owner.FOREIGN;
    InferenceSource source = asking(vllm);
    begin(source);

    assertThat(found).isEmpty();
    assertThat(vllm.questions()).isZero();

    owner = PortOwners.Owner.TRUSTED;
    begin(source);
    assertThat(found).hasSize(1);

    owner = PortOwners.Owner.UNKNOWN;
    begin(source);
    assertThat(found).as("an engine that restarts").hasSize(1);

    owner = PortOwners.Owner.FOREIGN;
    begin(source);
    assertThat(found).isEmpty();
  }

  @Test
  void aConfiguredUrlIsTheOperatorsChoice() {
    owner = PortOwners.Owner.FOREIGN;
    InferenceSource source =
        new InferenceSource(List.of(vllm.uri()), List.of(), port -> owner, this, http);
    begin(source);
    begin(source);

    assertThat(found).hasSize(1);
  }

  @Test
  void allEnginesTogetherHaveALimitedNumberOfSeries() {
    String many =
        IntStream.range(0, 3000)
            .mapToObj(i -> "vllm:num_requests_running{model_name=\"m" + i + "\"} 1\n")
            .collect(Collectors.joining());
    vllm.serve(() -> many);
    other.serve(() -> many);
    InferenceSource source =
        new InferenceSource(
            List.of(vllm.uri(), other.uri()), List.of(), PortOwners.ANY, this, http);
    begin(source);
    int series = 0;
    List<Source> engines = List.copyOf(found.values());
    for (Source engine : engines) {
      begin(engine);
      series += RecordedSink.of(engine.collectors().get(0)).lines().size();
    }
    assertThat(series).isEqualTo(SeriesRoom.MAX_SERIES);
    assertThat(RecordedSink.of(engines.get(1).collectors().get(0)).failures())
        .anyMatch(failure -> failure.toString().contains("too_many_series"));

    engines.get(0).close();
    begin(engines.get(1));
    begin(engines.get(1));
    assertThat(RecordedSink.of(engines.get(1).collectors().get(0)).lines()).hasSize(3000);
  }

  @Test
  void noEngineIsNotAFailure() {
    vllm.behave(EngineManner.HTML);

    assertThat(begin(asking(vllm))).isInstanceOf(Access.NothingHere.class);
  }

  @Test
  void aKnownEngineIsNotProbed() {
    InferenceSource source = asking(vllm);
    begin(source);
    int questions = vllm.questions();

    begin(source);

    assertThat(vllm.questions()).isEqualTo(questions);
  }

  @Test
  void aDiscoveredEngineIsDroppedAfterAnHourOfSilence() {
    InferenceSource source = asking(vllm);
    begin(source);
    Source engine = found.values().iterator().next();
    begin(engine);
    vllm.behave(EngineManner.ERROR);

    later.set(Duration.ofMinutes(59).toNanos());
    begin(engine);
    begin(source);
    assertThat(found).hasSize(1);

    later.set(Duration.ofMinutes(61).toNanos());
    begin(source);
    assertThat(found).isEmpty();

    vllm.behave(EngineManner.PROMPT);
    begin(source);
    assertThat(found).hasSize(1);
  }
}
