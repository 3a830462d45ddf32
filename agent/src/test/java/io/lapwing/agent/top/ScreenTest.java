package io.lapwing.agent.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.agent.top.Line.Tone;
import io.lapwing.agent.top.NodeFrame.UnreadableFrame;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Recorded answers of agents on simulated nodes, and the screens that they make. */
class ScreenTest {

  private static final Path FOLDER = Path.of("src/test/resources/io/lapwing/agent/top");
  private static final Duration AGE = Duration.ofSeconds(1);

  private static String recorded(String name) throws IOException {
    return Files.readString(FOLDER.resolve(name + ".json"));
  }

  private static Watch watch(String name, String type) throws Exception {
    NodeFrame frame = NodeFrame.of(recorded(name), type);
    return Watch.start(frame.at()).answered(frame, frame.at());
  }

  private static Instant now(Watch watch) {
    return watch.received().plus(AGE);
  }

  private static View view() {
    return View.start(View.DEFAULT_INTERVAL);
  }

  private static String text(List<Line> lines) {
    return lines.stream()
        .map(line -> line.text().stripTrailing() + "\n")
        .collect(Collectors.joining());
  }

  private static String screen(Watch watch, View view) {
    return text(Screen.of(watch, view, now(watch), 80, 24));
  }

  /** With -Dgolden.update it writes the expected text. */
  private static void golden(String name, String text) throws IOException {
    Path expected = FOLDER.resolve(name + ".txt");
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(expected, text, StandardCharsets.UTF_8);
    }
    assertThat(text).isEqualTo(Files.readString(expected));
  }

  @ParameterizedTest
  @CsvSource({"training,p5.48xlarge", "xid-79,p5.48xlarge", "mig,p5.48xlarge", "g5,g5.48xlarge"})
  void theOverviewFitsIntoTheSmallestTerminal(String name, String type) throws Exception {
    Watch watch = watch(name, type);

    golden(name + "-80x24", screen(watch, view()));
    assertThat(Screen.of(watch, view(), now(watch), 80, 24))
        .hasSize(24)
        .allSatisfy(line -> assertThat(line.width()).isLessThanOrEqualTo(80));
  }

  @ParameterizedTest
  @CsvSource({"training,p5.48xlarge", "xid-79,p5.48xlarge", "mig,p5.48xlarge", "g5,g5.48xlarge"})
  void aWholeFrameHasEverySection(String name, String type) throws Exception {
    Watch watch = watch(name, type);

    golden(name + "-once", text(Screen.once(watch, now(watch), 120)));
  }

  @Test
  void anAgentThatNoLongerAnswersLeavesItsLastFrame() throws Exception {
    Watch silent = watch("training", "p5.48xlarge").failed("no agent is reachable");
    Instant soon = silent.received().plusSeconds(5);
    Instant late = silent.received().plusSeconds(42);

    assertThat(text(Screen.of(silent, view(), soon, 80, 24)))
        .contains("no answer since ", "(5 s): no agent is reachable", "H100")
        .doesNotContain("UNKNOWN");
    assertThat(text(Screen.of(silent, view(), late, 80, 24)))
        .contains("UNKNOWN: no answer; last verdict HEALTHY", "(42 s)", "H100");
    assertThat(Screen.of(silent, view(), late, 80, 24))
        .as("old numbers have no color")
        .filteredOn(line -> line.text().contains("H100"))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line.spans()).allMatch(span -> span.tone() == Tone.DIM));
  }

  @Test
  void beforeTheFirstAnswerTheScreenSaysSo() {
    Watch start = Watch.start(Instant.EPOCH);

    assertThat(screen(start, view())).contains("waiting for the agent");
    assertThat(screen(start.failed("no agent is reachable at unix:/x"), view()))
        .contains("no answer yet: no agent is reachable at unix:/x");
  }

  @Test
  void gpusAreSortedByWhatTheReaderChose() throws Exception {
    Watch watch = watch("training", "p5.48xlarge");
    View byTemp = view().nextSort().nextSort().nextSort().nextSort().show(View.Section.GPUS);

    List<Double> shown =
        watch.frame().orElseThrow().gpus().stream()
            .map(gpu -> gpu.celsius().orElseThrow())
            .sorted((a, b) -> Double.compare(b, a))
            .toList();
    List<Line> lines = Screen.of(watch, byTemp, now(watch), 200, 40);
    assertThat(text(lines)).contains("GPUs  8, by temp");
    int first = text(lines).lines().toList().indexOf(gpuLine(lines, 0));
    for (int i = 0; i < shown.size(); i++) {
      assertThat(lines.get(first + i).text()).contains("/700 " + Math.round(shown.get(i)));
    }
  }

  private static String gpuLine(List<Line> lines, int number) {
    return lines.stream()
        .map(line -> line.text().stripTrailing())
        .filter(line -> line.contains("H100"))
        .skip(number)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aFilterKeepsTheGpusAndRanksOfAJobOrUser() throws Exception {
    Watch watch = watch("training", "p5.48xlarge");

    assertThat(screen(watch, view().filtered("ADA"))).contains("GPUs  8", "8 ranks");
    assertThat(screen(watch, view().filtered("zed"))).contains("GPUs  0 of 8", "0 ranks");
  }

  @Test
  void aFilterKeepsTheInstancesOfAJob() throws Exception {
    Watch watch = watch("mig", "p5.48xlarge");

    assertThat(screen(watch, view().filtered("4712")))
        .contains("GPUs  1 of 8, 56 MIG instances", "0/9 ")
        .doesNotContain("0/7 ", "1/7 ");
  }

  @Test
  void aScrolledViewEndsWithTheLastLine() throws Exception {
    Watch watch = watch("training", "p5.48xlarge");
    View far = view().show(View.Section.EFA).scrolled(1_000_000);

    View bounded = Screen.bounded(far, watch, now(watch), 80, 24);
    assertThat(bounded.scroll()).isEqualTo(34 - 21);
    assertThat(screen(watch, bounded)).isEqualTo(screen(watch, far)).contains("14-34/34");
  }

  @Test
  void namesOfUsersCannotMoveTheCursor() throws Exception {
    String hostile =
        recorded("training")
            .replace("\"user\":\"ada\"", "\"user\":\"\\u001b[2J\\u0007\\u202e\u4f60\"");

    NodeFrame frame = NodeFrame.of(hostile, "\u001b]0;owned\u0007");
    Watch watch = Watch.start(frame.at()).answered(frame, frame.at());
    String all = text(Screen.once(watch, now(watch), 200)) + screen(watch, view());
    assertThat(all.chars().filter(c -> c != '\n'))
        .allMatch(c -> c >= ' ' && c < 0x300 && !Character.isISOControl(c));
    assertThat(all).contains("?[2J");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{}", "null", "{\"at\": 3}", "{\"at\":\"x\"", "\u0000"})
  void aServerThatIsNoAgentIsAnError(String body) {
    assertThatThrownBy(() -> NodeFrame.of(body, "")).isInstanceOf(UnreadableFrame.class);
  }

  @ParameterizedTest
  @CsvSource({
    "NVIDIA H100 80GB HBM3,H100",
    "NVIDIA A100-SXM4-80GB,A100",
    "NVIDIA A10G,A10G",
    "Tesla T4,T4",
    "NVIDIA RTX 6000 Ada Generation,RTX 6000",
    "'',''",
  })
  void aModelIsShort(String name, String model) {
    assertThat(GpuLines.model(name)).isEqualTo(model);
  }
}
