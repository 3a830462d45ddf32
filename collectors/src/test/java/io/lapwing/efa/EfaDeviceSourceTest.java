package io.lapwing.efa;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.Part;
import io.lapwing.collect.RecordedSink;
import io.lapwing.efa.EfaTree.Driver;
import io.lapwing.linux.ScratchFolder;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Series;
import java.io.FileOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EfaDeviceSourceTest {

  private static final String NAME = "rdmap79s0";
  private static final String COUNTERS = "ports/1/hw_counters/";

  private final Map<String, EfaDeviceSource> sources = new HashMap<>();
  private Path root;
  private EfaTree tree;
  private String name = NAME;
  private CounterDemand demand = CounterDemand.all();

  @BeforeEach
  void tree(@TempDir Path dir) {
    root = dir;
    tree = new EfaTree(dir);
  }

  @AfterEach
  void close() {
    sources.values().forEach(EfaDeviceSource::close);
  }

  private EfaDeviceSource source(EfaTree tree, String name) {
    return new EfaDeviceSource(
        tree.sys(), EfaDevice.at(tree.file(name, "")), () -> GpuPlaces.read(tree.sys()), demand);
  }

  /** The source of the device under test, created on first use. */
  private EfaDeviceSource source() {
    return sources.computeIfAbsent(name, device -> source(tree, device));
  }

  private Access begin() {
    return source().begin(source().collectors());
  }

  private RecordedSink counters() {
    assertThat(begin()).isEqualTo(Access.READY);
    return RecordedSink.of(source().collectors().get(0));
  }

  private RecordedSink info() {
    assertThat(begin()).isEqualTo(Access.READY);
    return RecordedSink.of(source().collectors().get(1));
  }

  private String failed(String below, String reason) {
    return root.resolve("class/infiniband/" + NAME + "/" + below) + ": " + reason;
  }

  private static List<String> golden(Driver driver) throws IOException {
    try (var in =
        Objects.requireNonNull(
            EfaDeviceSourceTest.class.getResourceAsStream(
                "driver-" + driver.name().substring(1).replace('_', '.') + ".txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachDriverHasExactlyItsOwnSeries(Driver driver) throws IOException {
    tree.efa(NAME, driver).write("module/efa/version", driver.name() + "\n");
    tree.gpu("0000:44", "0000:53:00.0", "0").gpu("0000:60", "0000:64:00.0", "0");
    RecordedSink counters = counters();
    RecordedSink info = info();

    assertThat(Stream.of(counters, info).flatMap(sink -> sink.lines().stream()))
        .containsExactlyElementsOf(golden(driver));
    assertThat(counters.failures()).isEmpty();
    assertThat(info.failures()).isEmpty();
  }

  @Test
  void countersThatAreNotRequestedAreReadInEveryFourthRound() {
    AtomicBoolean everything = new AtomicBoolean();
    demand = new CounterDemand(EfaMetrics.TX_BYTES::equals, everything::get);
    tree.efa(NAME, Driver.V2_17);
    counters();

    for (int round = 1; round < CounterDemand.ROUNDS; round++) {
      tree.set(NAME, COUNTERS + "tx_bytes", "" + round).set(NAME, COUNTERS + "send_wrs", "7");
      assertThat(counters().lines())
          .contains(
              "node_amazonefa_tx_bytes{device=\"rdmap79s0\",port=\"1\"} " + round,
              "node_amazonefa_send_wrs{device=\"rdmap79s0\",port=\"1\"} 1007");
    }
    String read = "node_amazonefa_send_wrs{device=\"rdmap79s0\",port=\"1\"} ";
    assertThat(counters().lines()).contains(read + 7);

    tree.set(NAME, COUNTERS + "send_wrs", "8");
    assertThat(counters().lines()).contains(read + 7);
    everything.set(true);
    assertThat(counters().lines()).contains(read + 8);
  }

  @Test
  void itsFactsAreReadInEveryFifthSlowRoundAndAgainAfterAFailure() {
    tree.efa(NAME, Driver.V2_17);
    for (int run = 0; run < EfaDeviceSource.FACTS_KEPT; run++) {
      assertThat(info().lines().get(0)).contains("counter_lifespan_ms=\"10\"");
      tree.set(NAME, COUNTERS + "lifespan", "50");
    }
    assertThat(info().lines().get(0)).contains("counter_lifespan_ms=\"50\"");
  }

  @Test
  void itsSeriesStartWithTheLabelsOfItsPart() {
    tree.efa(NAME, Driver.V2_17);
    RecordedSink counters = counters();
    assertThat(source().name()).isEqualTo("efa-rdmap79s0");
    Labels labels = Labels.of("device", NAME);
    assertThat(source().part()).contains(new Part("efa", NAME, labels));
    assertThat(source().up()).contains(new Series(EfaMetrics.UP, labels));
    assertThat(counters.samples())
        .allSatisfy(
            sample -> {
              assertThat(sample.labels().names().get(0)).isEqualTo("device");
              assertThat(sample.labels().names()).isEqualTo(sample.metric().labels());
            });
  }

  @Test
  void everyRoundHasTheSameSeriesInTheSameOrder() {
    tree.efa(NAME, Driver.V2_17);
    List<RecordedSink.Sample> first = counters().samples();
    tree.set(NAME, COUNTERS + "tx_bytes", "5000");
    List<RecordedSink.Sample> second = counters().samples();
    assertThat(second).hasSameSizeAs(first);
    for (int i = 0; i < first.size(); i++) {
      assertThat(second.get(i).labels()).isSameAs(first.get(i).labels());
      assertThat(second.get(i).metric()).isSameAs(first.get(i).metric());
    }
    assertThat(second)
        .contains(
            new RecordedSink.Sample(
                EfaMetrics.TX_BYTES, Labels.of("device", NAME, "port", "1"), 5000));
    assertThat(info().samples().get(0).labels()).isSameAs(info().samples().get(0).labels());
  }

  @Test
  void aValueAbove2To63IsPositive() {
    BigInteger most = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    tree.efa(NAME, Driver.V2_17).set(NAME, COUNTERS + "tx_bytes", most);
    assertThat(counters().value(EfaMetrics.TX_BYTES)).hasValue(0x1p64);
  }

  @Test
  void aFailingFileCostsOnlyItself() {
    tree.efa(NAME, Driver.V2_17)
        .without(NAME, COUNTERS + "rx_bytes")
        .set(NAME, COUNTERS + "rx_bytes/folder", "")
        .set(NAME, COUNTERS + "rx_pkts", "N/A (no PMA)")
        .set(NAME, COUNTERS + "rx_drops", "18446744073709551616")
        .set(NAME, "hw_counters/cmds_err", "");
    RecordedSink counters = counters();

    assertThat(counters.samples()).hasSize(1 + 12 + 22 - 4);
    assertThat(counters.failures())
        .containsExactly(
            failed("hw_counters/cmds_err", "malformed"),
            failed(COUNTERS + "rx_bytes", "io"),
            failed(COUNTERS + "rx_pkts", "malformed"),
            failed(COUNTERS + "rx_drops", "malformed"));
  }

  @Test
  void aForbiddenFileCostsOnlyItself() throws IOException {
    tree.efa(NAME, Driver.V2_17);
    Path drops = tree.file(NAME, COUNTERS + "rx_drops");
    Files.setPosixFilePermissions(drops, PosixFilePermissions.fromString("---------"));
    Assumptions.assumeFalse(Files.isReadable(drops), "this user may read everything");
    assertThat(counters().failures())
        .containsExactly(failed(COUNTERS + "rx_drops", "no_permission"));
  }

  @Test
  void aDeviceWithoutCountersIsUpAndCountsAFailure() {
    tree.efa(NAME, Driver.V2_17).without(NAME, "ports/1/hw_counters").without(NAME, "hw_counters");
    RecordedSink counters = counters();
    assertThat(counters.lines()).containsExactly("node_amazonefa_info{device=\"rdmap79s0\"} 1");
    assertThat(counters.failures()).containsExactly(failed("ports/1/hw_counters", "missing"));

    tree.set(NAME, COUNTERS + "tx_bytes", "7");
    assertThat(counters().value(EfaMetrics.TX_BYTES)).as("a late one is read").hasValue(7);
  }

  @Test
  void withoutDeviceCountersThoseOfThePortAreExported() {
    tree.efa(NAME, Driver.V2_17).without(NAME, "hw_counters");
    RecordedSink counters = counters();
    assertThat(counters.samples()).hasSize(1 + 22);
    assertThat(counters.failures()).isEmpty();
  }

  @Test
  void aCounterIsReadAtEitherLevelButOnce() {
    tree.efa(NAME, Driver.V2_17)
        .set(NAME, COUNTERS + "submitted_cmds", "99")
        .set(NAME, "hw_counters/tx_bytes", "99")
        .without(NAME, COUNTERS + "rx_bytes")
        .set(NAME, "hw_counters/rx_bytes", "98")
        .set(NAME, COUNTERS + "qkey_viol", "97");
    assertThat(counters().lines())
        .contains(
            "lapwing_efa_submitted_commands_total{device=\"rdmap79s0\"} 1",
            "node_amazonefa_tx_bytes{device=\"rdmap79s0\",port=\"1\"} 1001",
            "node_amazonefa_rx_bytes{device=\"rdmap79s0\",port=\"1\"} 98")
        .doesNotHaveDuplicates()
        .hasSize(1 + 12 + 22);
  }

  @Test
  void countersOfANewerDriverAreFoundInTheSlowRound() {
    tree.efa(NAME, Driver.V2_5);
    assertThat(counters().samples()).hasSize(1 + 12 + 17);
    tree.set(NAME, COUNTERS + "retrans_pkts", "3");
    info();
    assertThat(counters().value(EfaMetrics.RETRANSMITTED_PACKETS)).hasValue(3);
  }

  @Test
  void aDeviceWithoutOneReadableCounterIsDown() {
    tree.efa(NAME, Driver.V1_4);
    Driver.V1_4.portCounters().forEach(file -> tree.set(NAME, COUNTERS + file, "none"));
    EfaTree.DEVICE_COUNTERS.forEach(file -> tree.set(NAME, COUNTERS + file, "none"));
    assertThat(begin())
        .isEqualTo(new Access.Down("malformed", "no counter of rdmap79s0 can be read: malformed"));

    tree.set(NAME, COUNTERS + "tx_bytes", "1");
    assertThat(counters().value(EfaMetrics.TX_BYTES)).hasValue(1);
  }

  @Test
  void anUnreadablePropertyIsAnEmptyLabel() {
    tree.efa(NAME, Driver.V2_17)
        .without(NAME, "node_guid")
        .without(NAME, "device/p2p")
        .without(NAME, "ports/1/gids/0")
        .set(NAME, "device/numa_node", "-1")
        .set(NAME, "ports/1/rate", "as fast as can be");
    RecordedSink info = info();
    assertThat(info.lines())
        .singleElement()
        .asString()
        .contains("numa_node=\"\"", "node_guid=\"\"", "eni_mac=\"\"", "p2p_provider=\"\"");
    assertThat(info.failures()).containsExactly(failed("ports/1/rate", "malformed"));
  }

  @Test
  void aNameMayContainASpace() {
    tree.efa("efa 0", Driver.V2_17);
    name = "efa 0";
    assertThat(counters().lines())
        .contains("node_amazonefa_tx_bytes{device=\"efa 0\",port=\"1\"} 1001");
  }

  @Test
  void aBlockedDeviceDoesNotDelayOthers() throws IOException, InterruptedException {
    tree.efa("efa_0", Driver.V2_17).efa("efa_1", "0000:60", "0000:61:00.0", Driver.V2_17);
    tree.without("efa_0", COUNTERS + "tx_bytes");
    Path fifo = tree.file("efa_0", COUNTERS + "tx_bytes");
    Assumptions.assumeTrue(mkfifo(fifo), "no mkfifo here");
    EfaDeviceSource blocked = source(tree, "efa_0");
    name = "efa_1";

    Thread reader = new Thread(() -> blocked.begin(blocked.collectors()));
    reader.start();
    assertThat(counters().samples()).hasSize(1 + 12 + 22);
    assertThat(reader.isAlive()).isTrue();

    Files.newOutputStream(fifo).close();
    reader.join();
    assertThat(RecordedSink.of(blocked.collectors().get(0)).failures())
        .as("a FIFO cannot be read at a position")
        .hasSize(1);
    blocked.close();
  }

  private static boolean mkfifo(Path path) throws IOException, InterruptedException {
    return new ProcessBuilder("mkfifo", path.toString()).start().waitFor() == 0;
  }

  @Property(tries = 200)
  void anyBytesInAFileAreANumberOrAFailure(@ForAll byte[] bytes) throws IOException {
    try (ScratchFolder folder = ScratchFolder.make()) {
      anyBytes(new EfaTree(folder.path()).efa(NAME, Driver.V1_4), bytes);
    }
  }

  private void anyBytes(EfaTree garbage, byte[] bytes) throws IOException {
    try (var out = new FileOutputStream(garbage.file(NAME, COUNTERS + "tx_bytes").toFile())) {
      out.write(bytes);
    }
    EfaDeviceSource broken = source(garbage, NAME);
    assertThat(broken.begin(broken.collectors())).isEqualTo(Access.READY);
    RecordedSink sink = RecordedSink.of(broken.collectors().get(0));
    broken.close();
    assertThat(sink.value(EfaMetrics.TX_BYTES).isPresent()).isEqualTo(sink.failures().isEmpty());
    assertThat(sink.samples()).hasSizeGreaterThanOrEqualTo(1 + 12 + 4);
  }
}
