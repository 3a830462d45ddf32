package io.lapwing.inference;

import io.lapwing.exposition.ExpositionText;
import io.lapwing.exposition.SampleNames;
import io.lapwing.http.HttpClient;
import io.lapwing.http.HttpFailure;
import io.lapwing.http.HttpHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/** Probes the default ports of inference engines. */
final class DefaultPorts {

  /**
   * vLLM and the frontend of Dynamo 8000, SGLang 30000, TGI 3000, in its container 80, and 8080 in
   * its documentation; workers of Dynamo 8081 in its documentation.
   */
  static final List<Integer> ALL = List.of(8000, 30000, 8080, 8081, 3000, 80);

  private static final Duration CONNECT = Duration.ofMillis(200);
  private static final Duration WHOLE = Duration.ofSeconds(1);

  /** After this time the remaining ports are left for the next probe. */
  private static final Duration ENOUGH = Duration.ofSeconds(2);

  /** Limits the cost of other services on these ports. */
  private static final ExpositionText.Limits LIMITS =
      new ExpositionText.Limits(4 << 20, 100_000, 4 << 10, 0, 0);

  private final List<Integer> ports;
  private final HttpClient http;
  private final ExpositionText text =
      new ExpositionText(SampleNames.of(List.of(), Engine.PREFIXES), LIMITS);
  private int next;

  DefaultPorts(List<Integer> ports, LongSupplier nanoTime) {
    this.ports = ports;
    this.http = new HttpClient(CONNECT, WHOLE, nanoTime);
  }

  /** The engines that are not known yet. */
  List<EngineAddress> probe(Set<EngineAddress> known) {
    List<EngineAddress> found = new ArrayList<>();
    long begin = http.nanoTime().getAsLong();
    for (int i = 0; i < ports.size(); i++) {
      EngineAddress page = EngineAddress.local(ports.get(next));
      next = (next + 1) % ports.size();
      if (!known.contains(page) && isEngine(page)) {
        found.add(page);
      }
      if (http.nanoTime().getAsLong() - begin > ENOUGH.toNanos()) {
        break;
      }
    }
    return found;
  }

  private boolean isEngine(EngineAddress page) {
    try {
      return http.send(
          page.request(),
          (head, body) ->
              head.status() == HttpHead.OK
                  && Engine.of(text.read(body, none -> {}).prefixes()).isPresent());
    } catch (HttpFailure noEngine) {
      return false;
    }
  }
}
