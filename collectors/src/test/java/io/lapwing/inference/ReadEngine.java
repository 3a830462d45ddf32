package io.lapwing.inference;

import io.lapwing.collect.Access;
import io.lapwing.collect.RecordedSink;
import io.lapwing.http.HttpClient;
import io.lapwing.metric.Series;
import io.lapwing.simulator.FakeEngine;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Polls an engine source, round after round. */
final class ReadEngine {

  static final HttpClient PATIENT =
      new HttpClient(Duration.ofSeconds(10), Duration.ofSeconds(30), System::nanoTime);
  static final HttpClient HASTY =
      new HttpClient(Duration.ofSeconds(10), Duration.ofMillis(300), System::nanoTime);

  private final EngineAddress address;
  private final EngineSource source;

  ReadEngine(URI page, HttpClient http) {
    address = EngineAddress.of(page);
    source = new EngineSource(address, http, new SeriesRoom(SeriesRoom.MAX_SERIES));
  }

  static String page(String resource) {
    try (InputStream in =
        Objects.requireNonNull(ReadEngine.class.getResourceAsStream(resource), resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** The exposed lines for a response that is served correctly. */
  static List<String> linesOf(String page) throws IOException {
    try (FakeEngine engine = FakeEngine.serving(page)) {
      ReadEngine read = new ReadEngine(engine.uri(), PATIENT);
      return read.lines();
    }
  }

  EngineSource source() {
    return source;
  }

  /** The failure; empty if it was read. */
  String down() {
    return source.begin(source.collectors()) instanceof Access.Down down ? down.reason() : "";
  }

  /** One round, without the address label, with {@code up}. */
  List<String> lines() {
    if (!down().isEmpty()) {
      throw new AssertionError(down());
    }
    return sink().lines().stream()
        .map(line -> line.replace(",address=\"" + address.text() + "\"", ""))
        .toList();
  }

  RecordedSink sink() {
    return RecordedSink.of(source.collectors().get(0));
  }

  /** The value of the engine label. */
  String engine() {
    Series up = source.up().orElseThrow();
    return up.labels().values().get(0);
  }
}
