package io.lapwing.inference;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.RecordedSink;
import io.lapwing.simulator.EngineLoad;
import io.lapwing.simulator.EngineManner;
import io.lapwing.simulator.EnginePage;
import io.lapwing.simulator.FakeEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class EngineSourceTest {

  private static final String PAGE = ReadEngine.page("vllm-v1.txt");

  @ParameterizedTest
  @CsvSource({
    "CUT,truncated",
    "SHORT,truncated",
    "HTML,no_engine",
    "ERROR,status",
    "REDIRECT,status"
  })
  void anEngineWithoutAReadableResponseIsDownWithAReason(EngineManner manner, String reason)
      throws IOException {
    try (FakeEngine engine = FakeEngine.serving(PAGE)) {
      engine.behave(manner);

      assertThat(new ReadEngine(engine.uri(), ReadEngine.PATIENT).down()).isEqualTo(reason);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SILENT", "TRICKLE"})
  void aSlowEngineTimesOut(EngineManner manner) throws IOException {
    try (FakeEngine engine = FakeEngine.serving(PAGE)) {
      engine.behave(manner);

      assertThat(new ReadEngine(engine.uri(), ReadEngine.HASTY).down()).isEqualTo("timeout");
    }
  }

  @Test
  void anEndlessResponseIsCutAtTheLimit() throws IOException {
    try (FakeEngine engine = FakeEngine.serving(PAGE)) {
      engine.behave(EngineManner.ENDLESS);

      assertThat(new ReadEngine(engine.uri(), ReadEngine.PATIENT).down()).isEqualTo("too_large");
    }
  }

  @Test
  void noListenerIsUnreachable() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }

    ReadEngine read = new ReadEngine(URI.create("http://127.0.0.1:" + port), ReadEngine.PATIENT);

    assertThat(read.down()).isEqualTo("unreachable");
    assertThat(read.engine()).isEqualTo("unknown");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "garbage\\n\\n|malformed",
        "HTTP/1.1 200 OK\\r\\nContent-Length: x\\r\\n\\r\\n|malformed",
        "HTTP/1.1 200 OK\\r\\nTransfer-Encoding: gzip, chunked\\r\\n\\r\\n|malformed",
        "HTTP/1.1 200 OK\\r\\nContent-Encoding: gzip\\r\\n\\r\\nno gzip at all|malformed",
        "HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\nzz\\r\\n|malformed",
        "HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n2\\r\\nabcd\\r\\n|malformed",
        "HTTP/1.1 200 OK\\r\\n|truncated",
        "HTTP/1.1 200 OK\\r\\n\\r\\nvllm:num_requests_running 1|truncated",
        "HTTP/2.0 200 OK\\r\\n\\r\\n|malformed",
      })
  void aNonHttpResponseIsDown(String answer, String reason) throws Exception {
    String bytes = answer.replace("\\r", "\r").replace("\\n", "\n");

    assertThat(askedRaw(bytes)).isEqualTo(reason);
  }

  @Test
  void endlessHeadersAreAborted() throws Exception {
    assertThat(askedRaw("HTTP/1.1 200 OK\r\n" + "x: y\r\n".repeat(10_000))).isEqualTo("malformed");
  }

  /** Serves these bytes once. */
  private static String askedRaw(String bytes) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread once =
          new Thread(
              () -> {
                try (Socket socket = server.accept()) {
                  byte[] question = new byte[4096];
                  int ignored = socket.getInputStream().read(question);
                  socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
                  socket.shutdownOutput();
                  ignored += socket.getInputStream().read(question);
                } catch (IOException gone) {
                  // The client closed the connection.
                }
              });
      once.start();
      URI page = URI.create("http://127.0.0.1:" + server.getLocalPort());
      String down = new ReadEngine(page, ReadEngine.PATIENT).down();
      once.join();
      return down;
    }
  }

  @Test
  void aCompressedResponseIsRead() throws IOException {
    try (FakeEngine engine = FakeEngine.serving(PAGE)) {
      engine.behave(EngineManner.GZIP);

      assertThat(new ReadEngine(engine.uri(), ReadEngine.PATIENT).lines())
          .isEqualTo(ReadEngine.linesOf(PAGE));
    }
  }

  @Test
  void anotherEngineOnThePortReplacesTheFormerOne() throws IOException {
    try (FakeEngine engine = FakeEngine.serving(PAGE)) {
      ReadEngine read = new ReadEngine(engine.uri(), ReadEngine.PATIENT);
      read.lines();
      assertThat(read.engine()).isEqualTo("vllm");

      engine.serve(() -> ReadEngine.page("sglang-0.5.txt"));

      assertThat(read.lines()).allMatch(line -> line.contains("engine=\"sglang\""));
      assertThat(read.engine()).isEqualTo("sglang");
    }
  }

  @Test
  void aDownEngineKeepsItsLabel() throws IOException {
    try (FakeEngine engine = FakeEngine.serving(PAGE)) {
      ReadEngine read = new ReadEngine(engine.uri(), ReadEngine.PATIENT);
      read.lines();
      engine.behave(EngineManner.ERROR);

      assertThat(read.down()).isEqualTo("status");
      assertThat(read.engine()).isEqualTo("vllm");

      engine.behave(EngineManner.PROMPT);
      assertThat(read.lines()).isEqualTo(ReadEngine.linesOf(PAGE));
    }
  }

  @Test
  void aRemovedSeriesIsNoLongerExposed() throws IOException {
    String two = "vllm:num_requests_running{model_name=\"a\"} 1\nvllm:num_requests_running 2\n";
    try (FakeEngine engine = FakeEngine.serving(two)) {
      ReadEngine read = new ReadEngine(engine.uri(), ReadEngine.PATIENT);
      assertThat(read.lines()).hasSize(2);

      engine.serve(() -> "vllm:num_requests_running{model_name=\"a\"} 5\n");

      assertThat(read.lines())
          .containsExactly("lapwing_inference_requests_running{engine=\"vllm\",model=\"a\"} 5");
    }
  }

  @Test
  void labelsAreIdenticalAcrossRounds() throws IOException {
    try (FakeEngine engine = FakeEngine.serving(PAGE)) {
      ReadEngine read = new ReadEngine(engine.uri(), ReadEngine.PATIENT);
      read.lines();
      RecordedSink before = read.sink();
      read.lines();
      RecordedSink now = read.sink();

      for (int i = 0; i < before.samples().size(); i++) {
        assertThat(now.samples().get(i).labels()).isSameAs(before.samples().get(i).labels());
        assertThat(now.samples().get(i).metric()).isSameAs(before.samples().get(i).metric());
      }
    }
  }

  @Test
  void invalidValuesAreDroppedAndCounted() throws IOException {
    String page =
        """
        vllm:num_requests_running{model_name="a"} NaN
        vllm:num_requests_waiting{model_name="a"} -3
        vllm:kv_cache_usage_perc{model_name="a"} +Inf
        vllm:prompt_tokens_total{model_name="a"} 5
        vllm:time_to_first_token_seconds_bucket{model_name="a"} 5
        vllm:time_to_first_token_seconds_bucket{model_name="a",le="a\\nb"} 5
        """;
    try (FakeEngine engine = FakeEngine.serving(page)) {
      ReadEngine read = new ReadEngine(engine.uri(), ReadEngine.PATIENT);

      assertThat(read.lines())
          .containsExactly("lapwing_inference_prompt_tokens_total{engine=\"vllm\",model=\"a\"} 5");
      assertThat(read.sink().failures()).singleElement().asString().endsWith(": malformed");
    }
  }

  @Test
  void tenThousandModelsAreLimited() throws IOException {
    String page =
        IntStream.range(0, 10_000)
            .mapToObj(i -> "vllm:num_requests_running{model_name=\"m" + i + "\"} 1\n")
            .collect(Collectors.joining());
    try (FakeEngine engine = FakeEngine.serving(page)) {
      ReadEngine read = new ReadEngine(engine.uri(), ReadEngine.PATIENT);

      assertThat(read.lines()).hasSize(SeriesRoom.MAX_SERIES);
      assertThat(read.sink().failures()).singleElement().asString().endsWith(": too_many_series");

      engine.serve(() -> PAGE);
      read.lines();
      assertThat(read.lines()).isEqualTo(ReadEngine.linesOf(PAGE));
    }
  }

  @ParameterizedTest
  @EnumSource(EnginePage.class)
  void simulatedEnginesAreReadAndTheirCountersIncrease(EnginePage kind) throws IOException {
    EngineLoad load = new EngineLoad(0);
    try (FakeEngine engine = FakeEngine.start(0, () -> kind.text(load))) {
      ReadEngine read = new ReadEngine(engine.uri(), ReadEngine.PATIENT);
      assertThat(read.lines()).anyMatch(line -> line.matches(".*requests_finished_total.* 0"));

      load.finish(new EngineLoad.Request(100, 11, 0.25, 0.0125));

      assertThat(read.lines())
          .anyMatch(line -> line.matches(".*requests_finished_total.* 1"))
          .anyMatch(line -> line.matches(".*generation_tokens_total.* 11"))
          .anyMatch(line -> line.matches(".*prompt_tokens_total.* 100"))
          .anyMatch(line -> line.matches(".*request_duration_seconds_sum.* 0.375"));
    }
  }
}
