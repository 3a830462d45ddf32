package io.lapwing.nccl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.RecordedSink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InspectorSourceTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final String UUID = "8f2c1a5e-0b1c-4d3e-9f10-abcdef012345";
  private static final String NAME = "nccl_inspector_metrics_" + UUID + ".prom";

  /** In the format of NCCL's examples. */
  private static final String FILE =
      """
      nccl_bus_bandwidth_gbs{version="v5.1",slurm_job_id="unknown",node="n1",gpu="GPU0",\
      comm_name="DP Group 0",n_nodes="1",nranks="4",collective="AllReduce",\
      message_size="4-5GB",algo_proto="Ring_ll"} 678.263
      nccl_collective_exec_time_microseconds{version="v5.1",slurm_job_id="unknown",node="n1",\
      gpu="GPU0",comm_name="DP Group 0",n_nodes="1",nranks="4",collective="AllReduce",\
      message_size="4-5GB",algo_proto="Ring_ll"} 9498.47
      nccl_p2p_bus_bandwidth_gbs{version="v5.1",slurm_job_id="unknown",node="n1",gpu="GPU0",\
      comm_name="DP Group 0",n_nodes="1",nranks="4",p2p_operation="Send",\
      message_size="512-513MB"} 464.9
      nccl_p2p_exec_time_microseconds{version="v5.1",slurm_job_id="unknown",node="n1",gpu="GPU0",\
      comm_name="DP Group 0",n_nodes="1",nranks="4",p2p_operation="Send",\
      message_size="512-513MB"} 1154.87
      """;

  private static final String FIRST =
      "gpu=\"3\",UUID=\"GPU-" + UUID + "\",comm_name=\"DP Group 0\",ranks=\"4\",nodes=\"1\",";

  private Path folder = Path.of("");
  private OptionalInt index = OptionalInt.of(3);
  private Instant now = NOW;
  private InspectorSource source = source();

  @BeforeEach
  void start(@TempDir Path empty) {
    folder = empty;
    source = source();
  }

  private InspectorSource source() {
    return new InspectorSource(
        folder, uuid -> uuid.equals("GPU-" + UUID) ? index : OptionalInt.empty(), () -> now);
  }

  private void write(String text) {
    write(NAME, text, now.minusSeconds(5));
  }

  private void write(String name, String text, Instant when) {
    try {
      Path file = folder.resolve(name);
      Files.writeString(file, text);
      Files.setLastModifiedTime(file, FileTime.from(when));
    } catch (IOException broken) {
      throw new IllegalStateException(broken);
    }
  }

  private RecordedSink round() {
    assertThat(source.begin(source.collectors())).isEqualTo(Access.READY);
    return RecordedSink.of(source.collectors().get(0));
  }

  private static List<String> exposed(RecordedSink sink) {
    return sink.lines().stream().filter(line -> line.contains("UUID=")).toList();
  }

  private static String rejected(String why, int times) {
    return "lapwing_nccl_inspector_rejected_files_total{reason=\"" + why + "\"} " + times;
  }

  @Test
  void valuesAreExposedInBaseUnits() {
    write(FILE);
    RecordedSink sink = round();

    String collective = "operation=\"AllReduce\",message_size=\"4-5GB\",algorithm=\"Ring_ll\"} ";
    String send = "operation=\"Send\",message_size=\"512-513MB\"} ";
    assertThat(exposed(sink))
        .containsExactly(
            "lapwing_nccl_bus_bandwidth_bytes_per_second{" + FIRST + collective + "678263000000",
            "lapwing_nccl_collective_duration_seconds{" + FIRST + collective + "0.00949847",
            "lapwing_nccl_p2p_bus_bandwidth_bytes_per_second{" + FIRST + send + "464900000000",
            "lapwing_nccl_p2p_duration_seconds{" + FIRST + send + "0.00115487");
    assertThat(sink.lines())
        .contains("lapwing_nccl_inspector_files 1", rejected("half_written", 0));
    assertThat(sink.failures()).isEmpty();
  }

  @Test
  void labelsAreThoseOfTheMetric() {
    write(FILE);

    assertThat(round().samples())
        .allSatisfy(
            sample -> assertThat(sample.labels().names()).isEqualTo(sample.metric().labels()));
  }

  @Test
  void labelsAreIdenticalAfterTheFileIsRewritten() {
    write(FILE);
    List<RecordedSink.Sample> first = round().samples();
    now = now.plusSeconds(30);
    write(FILE.replace("678.263", "500"));
    List<RecordedSink.Sample> second = round().samples();

    assertThat(second.get(0).value()).isEqualTo(5e11);
    for (int i = 0; i < first.size(); i++) {
      assertThat(second.get(i).labels()).isSameAs(first.get(i).labels());
    }
  }

  @Test
  void anIncompleteFileKeepsThePreviousValues() {
    write(FILE);
    List<String> whole = exposed(round());
    byte[] bytes = FILE.replace("678.263", "1.5").getBytes(UTF_8);
    int half = 0;
    for (int length = 0; length < bytes.length; length++) {
      String torn = new String(bytes, 0, length, UTF_8);
      write(NAME, torn, now.minusMillis(200));
      assertThat(exposed(round())).as("just now").isEqualTo(whole);
      half++;
      if (!torn.endsWith("\n")) {
        write(NAME, torn, now.minusSeconds(2));
        assertThat(exposed(round())).as("and never ended").isEqualTo(whole);
        half++;
      }
    }

    assertThat(round().lines()).contains(rejected("half_written", half + 1));
  }

  @Test
  void aStaleFileIsRemoved() {
    write(FILE);
    round();
    now = NOW.plus(Duration.ofMinutes(6));

    assertThat(exposed(round())).isEmpty();
    now = NOW.minus(Duration.ofMinutes(10));
    assertThat(exposed(round())).as("nor one of a time to come").isEmpty();
  }

  @Test
  void aDeletedFileIsRemovedAtOnce() throws IOException {
    write(FILE);
    round();
    Files.delete(folder.resolve(NAME));

    assertThat(round().lines()).contains("lapwing_nccl_inspector_files 0");
  }

  @Test
  void aGpuWhoseIndexBecomesKnownLaterIsRelabeled() {
    index = OptionalInt.empty();
    write(FILE);
    assertThat(exposed(round())).allMatch(line -> line.contains("{gpu=\"\",UUID="));
    index = OptionalInt.of(7);

    assertThat(exposed(round())).hasSize(4).allMatch(line -> line.contains("{gpu=\"7\",UUID="));
  }

  @Test
  void linesThatDifferOnlyInDroppedLabelsAreOneSeries() {
    write(FILE + FILE.replace("678.263", "700").replace("node=\"n1\"", "node=\"n2\""));

    assertThat(exposed(round()))
        .hasSize(4)
        .anyMatch(line -> line.endsWith("700000000000"))
        .doesNotHaveDuplicates();
  }

  @Test
  void otherLinesAreIgnored() {
    write(
        FILE.replace("678.263", "0").replace("9498.47", "NaN").replace("464.9", "+Inf")
            + "nccl_other{a=\"b\"} 1\ngarbage\n# comment\n");

    assertThat(exposed(round())).hasSize(1);
  }

  @Test
  void labelsAreBoundedAndClean() {
    String long1 = "x".repeat(900);
    write(FILE.replace("DP Group 0", "a\\nb\u0007c\u2028" + long1));
    assertThat(exposed(round()))
        .hasSize(4)
        .allMatch(line -> line.contains("comm_name=\"abc" + "x".repeat(45) + "\""));
    now = now.plusSeconds(30);
    write(
        FILE.replace("AllReduce", "All Reduce")
            .replace("message_size=\"512-513MB\"", "message_size=\"large\""));
    assertThat(exposed(round())).isEmpty();
  }

  @Test
  void excessSeriesAreCounted() {
    StringBuilder many = new StringBuilder();
    String line = FILE.lines().findFirst().orElseThrow();
    for (int i = 0; i < 600; i++) {
      many.append(line.replace("DP Group 0", "comm " + i)).append('\n');
    }
    write(many.toString());

    RecordedSink sink = round();
    assertThat(exposed(sink)).hasSize(InspectorText.MAX_SERIES);
    assertThat(sink.lines()).contains("lapwing_nccl_inspector_series_dropped 344");
  }

  @Test
  void onlySmallRegularFilesAreOpened() throws IOException, InterruptedException {
    String zeros = NAME.replace("8f2c1a5e", "00000000");
    String ones = NAME.replace("8f2c1a5e", "11111111");
    String twos = NAME.replace("8f2c1a5e", "22222222");
    String threes = NAME.replace("8f2c1a5e", "33333333");
    Files.writeString(folder.resolve("aside"), FILE);
    Files.createSymbolicLink(folder.resolve(zeros), folder.resolve("aside"));
    Files.createDirectory(folder.resolve(ones));
    write(twos, FILE.repeat(2000), now.minusSeconds(5));
    Process fifo = new ProcessBuilder("mkfifo", folder.resolve(threes).toString()).start();
    assumeThat(fifo.waitFor()).isZero();
    write("nccl_inspector_metrics_odd.prom", FILE, now.minusSeconds(5));

    RecordedSink sink = round();
    assertThat(exposed(sink)).isEmpty();
    assertThat(sink.lines())
        .contains(
            rejected("symlink", 1),
            rejected("not_regular", 2),
            rejected("too_large", 1),
            rejected("unreadable", 0));
  }

  @Test
  void filesOfOtherUsersAreReadOnlyFromAStickyFolder() throws IOException {
    assumeThat(Objects.requireNonNull(Files.getAttribute(folder, "unix:uid"))).isEqualTo(0);
    write(FILE);
    Files.setAttribute(folder.resolve(NAME), "unix:uid", 4711);
    assertThat(round().lines()).contains(rejected("other_user", 1));
    Files.setAttribute(folder, "unix:mode", 0_1777);

    assertThat(exposed(round())).hasSize(4);
  }

  @Test
  void excessFilesAreCounted() {
    for (int i = 0; i < 40; i++) {
      write(NAME.replace("8f2c1a5e", String.format("%08x", i)), FILE, now.minusSeconds(5));
    }

    assertThat(round().lines())
        .contains("lapwing_nccl_inspector_files 32", rejected("too_many", 8));
  }

  @Test
  void aMissingFolderIsNotAnError() {
    folder = folder.resolve("none");
    source = source();

    assertThat(source.begin(source.collectors())).isInstanceOf(Access.NothingHere.class);
  }

  @Test
  void anyBytesAreTolerated() {
    Random random = new Random(7);
    for (int i = 0; i < 300; i++) {
      byte[] bytes = FILE.getBytes(UTF_8);
      for (int j = 0; j < 1 + i % 20; j++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      bytes[bytes.length - 1] = '\n';
      try {
        Files.write(folder.resolve(NAME), bytes);
        Files.setLastModifiedTime(
            folder.resolve(NAME), FileTime.from(NOW.minusSeconds(2).minusMillis(i)));
      } catch (IOException broken) {
        throw new IllegalStateException(broken);
      }
      assertThat(round().samples())
          .allSatisfy(
              sample -> {
                assertThat(sample.value()).isFinite().isGreaterThanOrEqualTo(0);
                assertThat(sample.labels().values())
                    .allMatch(value -> value.length() <= 48 && !value.matches("(?s).*\\p{Cc}.*"));
              });
    }
  }
}
