package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class LustreTreeTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final String OSC = "osc/scratch-OST0001-osc-ffff9d0c12345000/";
  private static final String DEBUG = "sys/kernel/debug/lustre/";
  private static final String PROC = "proc/fs/lustre/";

  private Path dir;
  private SimulatedNode node;

  @BeforeEach
  void nodeWithStoppedTime(@TempDir Path folder) {
    dir = folder;
    node = SimulatedNode.create(folder, InstanceType.named("g6.xlarge"));
    node.freeze(NOON);
  }

  private void after(Duration since) {
    node.set("time", Epoch.seconds(NOON.plus(since)));
  }

  private String text(String file) throws IOException {
    return Files.readString(dir.resolve(file));
  }

  /** The words of a counter of {@code stats}: name, count, samples, unit, least, most, sum. */
  private List<String> counter(String file, String name) throws IOException {
    return text(file)
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .map(line -> List.of(line.split(" +", -1)))
        .findFirst()
        .orElseThrow();
  }

  private double meanWait(Duration from, Duration to) throws IOException {
    after(from);
    List<String> before = counter(DEBUG + OSC + "stats", "req_waittime");
    after(to);
    List<String> behind = counter(DEBUG + OSC + "stats", "req_waittime");
    return (Double.parseDouble(behind.get(6)) - Double.parseDouble(before.get(6)))
        / (Double.parseDouble(behind.get(1)) - Double.parseDouble(before.get(1)));
  }

  private String ofImport(String key) throws IOException {
    Matcher line = Pattern.compile(" " + key + ": (.+)\n").matcher(text(PROC + OSC + "import"));
    assertThat(line.find()).isTrue();
    return line.group(1);
  }

  private List<String> history() throws IOException {
    return text(PROC + OSC + "state")
        .lines()
        .skip(2)
        .map(line -> line.split("[ ,]+", -1)[4])
        .toList();
  }

  private List<Path> filesOfLustre() throws IOException {
    try (Stream<Path> all = Files.walk(dir)) {
      return all.filter(Files::isRegularFile)
          .map(dir::relativize)
          .filter(file -> file.toString().matches("(proc|sys)/.*(lustre|lnet).*"))
          .toList();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2.10, proc/fs/lustre, proc/fs/lustre, proc/fs/lustre, proc/sys/lnet",
    "2.12, sys/kernel/debug/lustre, proc/fs/lustre, sys/fs/lustre, sys/kernel/debug/lnet",
    "2.15, sys/kernel/debug/lustre, proc/fs/lustre, sys/fs/lustre, sys/kernel/debug/lnet",
    "2.16, sys/kernel/debug/lustre, proc/fs/lustre, sys/fs/lustre, sys/kernel/debug/lnet",
    "2.17, sys/kernel/debug/lustre, sys/kernel/debug/lustre, sys/fs/lustre, sys/kernel/debug/lnet"
  })
  void eachVersionHasItsFilesWhereThatVersionHasThem(
      String version, String counts, String imports, String settings, String lnet)
      throws IOException {
    node.set("lustre.version", version);
    String llite = "/llite/scratch-ffff9d0c12345000/";
    assertThat(
            filesOfLustre().stream()
                .map(Path::toString)
                .filter(file -> file.endsWith("/stats") || file.endsWith("/import"))
                .filter(file -> !file.matches(".*(OST000[023]|MDT).*")))
        .containsExactlyInAnyOrder(
            counts + llite + "stats",
            counts + "/" + OSC + "stats",
            imports + "/" + OSC + "import",
            lnet + "/stats");
    assertThat(dir.resolve(settings + llite + "kbytestotal")).exists();
    assertThat(dir.resolve(settings + "/" + OSC + "max_rpcs_in_flight")).hasContent("8");
    assertThat(text("sys/fs/lustre/version")).contains(version + ".");
  }

  @Test
  void aNodeMayHaveNoLustre() throws IOException {
    node.set("lustre.version", "none");
    assertThat(filesOfLustre()).isEmpty();
    node.clear("lustre.version");
    assertThat(filesOfLustre()).isNotEmpty();
  }

  @Test
  void aBusyClientReadsTwoGigabytesASecondAndWaitsAMillisecond() throws IOException {
    after(Duration.ZERO);
    double before = Double.parseDouble(counter(DEBUG + OSC + "stats", "read_bytes").get(6));
    after(Duration.ofSeconds(82));
    double read = Double.parseDouble(counter(DEBUG + OSC + "stats", "read_bytes").get(6)) - before;
    assertThat(4 * read / 82).isBetween(1.9e9, 2.1e9);
    assertThat(meanWait(Duration.ofSeconds(82), Duration.ofSeconds(90))).isBetween(900.0, 1200.0);
  }

  @Test
  void requestsOfASlowTargetTakeLongerAndFillTheRoomThereIs() throws IOException {
    node.set("lustre.OST0001.wait", "50");
    assertThat(meanWait(Duration.ZERO, Duration.ofSeconds(60))).isBetween(45_000.0, 60_000.0);
    assertThat(Integer.parseInt(ofImport("inflight"))).isGreaterThanOrEqualTo(4);
    node.clear("lustre.OST0001.wait");
    assertThat(meanWait(Duration.ofSeconds(60), Duration.ofSeconds(120))).isLessThan(1200);
  }

  @Test
  void requestsThatAreHeldStayOnTheirWay() throws IOException {
    node.set("lustre.OST0001.inflight", "max");
    assertThat(ofImport("inflight")).isEqualTo("8");
    assertThat(text(PROC + OSC + "rpc_stats"))
        .contains("read RPCs in flight:  6\nwrite RPCs in flight: 2\n");
    node.clear("lustre.OST0001.inflight");
    assertThat(Integer.parseInt(ofImport("inflight"))).isLessThan(3);
  }

  @Test
  void theHistoryHasEveryChangeOfState() throws IOException {
    after(Duration.ofSeconds(10));
    node.set("lustre.OST0001.state", "DISCONN");
    assertThat(text(PROC + OSC + "state"))
        .startsWith("current_state: DISCONN\nstate_history:\n")
        .endsWith(" - [ " + NOON.plusSeconds(10).getEpochSecond() + ", DISCONN ]\n");
    node.set("lustre.OST0001.state", "CONNECTING EVICTED RECOVER");
    node.clear("lustre.OST0001.state");
    assertThat(history())
        .containsExactly(
            "CONNECTING", "FULL", "DISCONN", "CONNECTING", "EVICTED", "RECOVER", "FULL");
    assertThat(ofImport("state")).isEqualTo("FULL");
    assertThat(ofImport("timeouts")).isEqualTo("0");
    node.set("lustre.OST0001.timeouts", "3");
    assertThat(ofImport("timeouts")).isEqualTo("3");
    assertThat(ofImport("connection_attempts")).isEqualTo("2");
    assertThat(ofImport("generation")).isEqualTo("2");
  }

  @Test
  void theHistoryKeepsTheLastSixteen() throws IOException {
    for (int i = 0; i < 20; i++) {
      node.set("lustre.OST0001.state", i % 2 == 0 ? "DISCONN" : "FULL");
    }
    assertThat(history()).hasSize(16).endsWith("DISCONN", "FULL");
  }

  @Test
  void aDisconnectedTargetAnswersNoRequests() throws IOException {
    node.set("lustre.*.state", "DISCONN");
    String before = counter(DEBUG + OSC + "stats", "req_waittime").get(1);
    after(Duration.ofMinutes(1));
    assertThat(counter(DEBUG + OSC + "stats", "req_waittime").get(1)).isEqualTo(before);
  }

  @Test
  void aRemountHasAnotherNameAndRestartsCounters() throws IOException {
    node.set("lustre.mount", "ffff888812345678");
    assertThat(dir.resolve(PROC + OSC)).doesNotExist();
    String stats = DEBUG + OSC.replace("ffff9d0c12345000", "ffff888812345678") + "stats";
    assertThat(text(stats)).doesNotContain("read_bytes").contains("snapshot_time");
    after(Duration.ofSeconds(10));
    assertThat(counter(stats, "read_bytes").get(1)).matches("\\d{3,4}");
  }

  @Test
  void clearedCountersRestartAndShowTheTime() throws IOException {
    node.set("lustre.OST0001.clears", "1");
    assertThat(text(DEBUG + OSC + "stats"))
        .contains("start_time                " + NOON.getEpochSecond() + ".000000000")
        .doesNotContain("read_bytes");
    assertThat(text(PROC + OSC + "rpc_stats")).doesNotContain("\n1024:");
  }

  @Test
  void healthAndGrantAreWhatTheLinesSay() throws IOException {
    assertThat(text("sys/fs/lustre/health_check")).isEqualTo("healthy\n");
    node.set("lustre.health", "LBUG");
    node.set("lustre.OST0001.grant", "0");
    assertThat(text("sys/fs/lustre/health_check")).isEqualTo("LBUG\n");
    assertThat(text(PROC + OSC + "cur_grant_bytes")).isEqualTo("0\n");
  }

  @Test
  void lnetCountsDropsOfTheLineAndKeepsTheCount() throws IOException {
    node.set("lnet.drops", "0 + 2/s since now max 40");
    after(Duration.ofSeconds(15));
    assertThat(text("sys/kernel/debug/lnet/stats").split(" ", -1)[6]).isEqualTo("30");
    node.clear("lnet.drops");
    after(Duration.ofSeconds(30));
    assertThat(text("sys/kernel/debug/lnet/stats").split(" ", -1)[6]).isEqualTo("30");
    assertThat(text("sys/kernel/debug/lnet/stats").strip().split(" ", -1)).hasSize(11);
  }

  @Test
  void anInterfaceGoesDownAndPeersRunOutOfCredits() throws IOException {
    node.setAll(Map.of("lnet.state", "down", "lnet.waiting", "2"));
    assertThat(text("sys/kernel/debug/lnet/nis"))
        .containsPattern("10\\.0\\.2\\.7@tcp +down")
        .containsPattern("0@lo +up");
    assertThat(text("sys/kernel/debug/lnet/peers").lines().filter(line -> line.contains("   -5 ")))
        .hasSize(2);
  }

  @Test
  void twoFrozenNodesHaveTheSameFiles(@TempDir Path other) throws IOException {
    SimulatedNode.create(other, InstanceType.named("g6.xlarge")).freeze(NOON);
    for (Path file : filesOfLustre()) {
      assertThat(other.resolve(file))
          .as(file.toString())
          .hasSameTextualContentAs(dir.resolve(file));
    }
  }

  @Test
  void aBootRemountsWithoutLoad() throws IOException {
    node.set("lustre.OST0001.state", "EVICTED");
    node.reboot();
    String osc = "osc/scratch-OST0001-osc-ffff9d0c12346000/";
    assertThat(text(PROC + osc + "state")).doesNotContain("EVICTED").contains("FULL");
    after(Duration.ofMinutes(10));
    assertThat(text(DEBUG + osc + "stats")).doesNotContain("read_bytes").contains("obd_ping");
  }

  @Test
  void theLibraryTakesTheLinesForNoneOfItsOwn() {
    node.set("lustre.OST0001.state", "DISCONN");
    node.set("lnet.drops", "7");
    try (Nvml nvml = Nvml.of(node)) {
      assertThat(nvml.call("lapwing_ignored_lines")).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lustre.version 2.1",
        "lustre.OST0009.state FULL",
        "lustre.OST0001.mood bad",
        "lustre.load 2",
        "lustre.mount scratch",
        "lustre.health fine",
        "lnet.drops many",
        "lnet.what 1",
        "lustre.OST0001.state full"
      })
  void aLineThatMeansNothingIsRefused(String line) {
    String[] words = line.split(" ", 2);
    assertThatThrownBy(() -> node.set(words[0], words[1]))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void readersNeverSeeAPartialFile() throws Exception {
    AtomicBoolean written = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              for (int second = 1; second <= 200; second++) {
                after(Duration.ofSeconds(second));
              }
              written.set(true);
            });
    writer.start();
    while (!written.get()) {
      assertThat(text(PROC + OSC + "import")).startsWith("import:\n").endsWith("\n");
      assertThat(counter(DEBUG + OSC + "stats", "obd_ping")).hasSize(8);
    }
    writer.join();
  }
}
