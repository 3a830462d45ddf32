package io.lapwing.deep;

import io.lapwing.deep.DeepResult.DeepTest;
import io.lapwing.deep.DeepResult.GpuResult;
import io.lapwing.deep.DeepResult.Outcome;
import io.lapwing.deep.DeepResult.TestResult;
import io.lapwing.deep.DeepResult.ToolResult;
import io.lapwing.json.JsonCursor;
import io.lapwing.json.JsonWriter;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * The JSON of a result, as {@code check --deep --json} prints it and the state directory has it.
 */
public final class DeepResultJson {

  private static final Pattern UUID = Pattern.compile("GPU-[0-9a-f-]{8,64}");
  private static final Pattern TOOL = Pattern.compile("[a-z_ 0-9-]{1,32}");
  private static final int MAX_GPUS = 64;
  private static final int MAX_TESTS = 16;

  private DeepResultJson() {}

  public static byte[] write(DeepResult result, String verdict) {
    return JsonWriter.page(
        json ->
            json.member("verdict", verdict)
                .member("at", result.at())
                .member("simulated", result.simulated())
                .member("gpus", result.gpus().stream().map(DeepResultJson::gpu))
                .member("tools", result.tools().stream().map(DeepResultJson::tool)));
  }

  private static JsonWriter.Members gpu(GpuResult gpu) {
    return json ->
        json.member("uuid", gpu.uuid())
            .member("index", gpu.index())
            .member("model", gpu.model())
            .member("tests", gpu.tests().stream().map(DeepResultJson::test));
  }

  private static JsonWriter.Members test(TestResult test) {
    return json -> {
      json.member("test", test.test().text()).member("outcome", test.outcome().text());
      test.perSecond().ifPresent(value -> json.member("per_second", value));
      json.member("detail", test.detail());
      test.found().ifPresent(when -> json.member("found_at", when));
    };
  }

  private static JsonWriter.Members tool(ToolResult tool) {
    return json ->
        json.member("tool", tool.tool())
            .member("outcome", tool.outcome().text())
            .member("detail", tool.detail());
  }

  /** Throws {@link io.lapwing.json.NotJson} for anything else. */
  public static DeepResult read(String text) throws IOException {
    try (JsonCursor json = JsonCursor.of(text)) {
      DeepResult result = new Reader(json).result();
      json.end();
      return result;
    }
  }

  private static final class Reader {
    private final JsonCursor json;
    private String at = "";
    private boolean simulated;
    private final List<GpuResult> gpus = new ArrayList<>();
    private final List<ToolResult> tools = new ArrayList<>();
    private String uuid = "";
    private String model = "";
    private int index;
    private String word = "";
    private String outcome = "";
    private String detail = "";
    private OptionalDouble perSecond = OptionalDouble.empty();
    private String found = "";

    Reader(JsonCursor json) {
      this.json = json;
    }

    DeepResult result() throws IOException {
      json.object(
          name -> {
            switch (name) {
              case "at" -> at = json.text();
              case "simulated" -> simulated = json.flag();
              case "gpus" -> json.array(this::gpu);
              case "tools" -> json.array(this::tool);
              default -> json.skip();
            }
          });
      json.expect(gpus.size() <= MAX_GPUS && tools.size() <= MAX_TESTS, "too many results");
      return new DeepResult(instant("at", at), simulated, gpus, tools);
    }

    private Instant instant(String name, String time) throws IOException {
      try {
        return Instant.parse(time);
      } catch (DateTimeException wrong) {
        json.expect(false, name + ": not a time");
        throw wrong;
      }
    }

    private void gpu() throws IOException {
      uuid = "";
      model = "";
      index = -1;
      List<TestResult> tests = new ArrayList<>();
      json.object(
          name -> {
            switch (name) {
              case "uuid" -> uuid = json.text();
              case "index" -> index = json.integer().orElse(-1);
              case "model" -> model = json.text();
              case "tests" -> json.array(() -> tests.add(test()));
              default -> json.skip();
            }
          });
      json.expect(UUID.matcher(uuid).matches() && index >= 0, "a GPU without UUID and index");
      json.expect(tests.size() <= MAX_TESTS, "too many tests");
      gpus.add(new GpuResult(uuid, index, model, tests));
    }

    private TestResult test() throws IOException {
      members("test");
      return new TestResult(
          word(DeepTest.class, word),
          word(Outcome.class, outcome),
          perSecond,
          detail,
          found.isEmpty() ? Optional.empty() : Optional.of(instant("found_at", found)));
    }

    private void tool() throws IOException {
      members("tool");
      json.expect(TOOL.matcher(word).matches(), "tool: not a name");
      tools.add(new ToolResult(word, word(Outcome.class, outcome), detail));
    }

    private void members(String key) throws IOException {
      word = "";
      outcome = "";
      detail = "";
      perSecond = OptionalDouble.empty();
      found = "";
      json.object(
          name -> {
            if (name.equals(key)) {
              word = json.text();
            } else if (name.equals("outcome")) {
              outcome = json.text();
            } else if (name.equals("detail")) {
              detail = json.text();
            } else if (name.equals("per_second")) {
              perSecond = OptionalDouble.of(json.amount());
            } else if (name.equals("found_at")) {
              found = json.text();
            } else {
              json.skip();
            }
          });
    }

    private <T extends Enum<T>> T word(Class<T> words, String text) throws IOException {
      try {
        return Enum.valueOf(words, text.toUpperCase(Locale.ROOT));
      } catch (IllegalArgumentException unknown) {
        json.expect(false, "unknown word '" + text + "'");
        throw unknown;
      }
    }
  }
}
