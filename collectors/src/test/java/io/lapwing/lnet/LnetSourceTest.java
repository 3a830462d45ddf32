package io.lapwing.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.Part;
import io.lapwing.collect.RecordedSink;
import io.lapwing.metric.Labels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LnetSourceTest {

  private static final String[] COUNTS = {
    "lapwing_lnet_messages 18",
    "lapwing_lnet_messages_max 341",
    "lapwing_lnet_errors_total 0",
    "lapwing_lnet_sent_messages_total 902113",
    "lapwing_lnet_received_messages_total 902098",
    "lapwing_lnet_routed_messages_total 0",
    "lapwing_lnet_dropped_messages_total 3",
    "lapwing_lnet_sent_bytes_total 61223344551",
    "lapwing_lnet_received_bytes_total 201122334455",
    "lapwing_lnet_routed_bytes_total 0",
    "lapwing_lnet_dropped_bytes_total 1440",
  };
  private static final String[] INTERFACES = {
    "lapwing_lnet_ni_up{nid=\"10.0.2.7@tcp\"} 1",
    "lapwing_lnet_ni_tx_credits{nid=\"10.0.2.7@tcp\"} 249",
    "lapwing_lnet_ni_tx_credits_max{nid=\"10.0.2.7@tcp\"} 256",
    "lapwing_lnet_ni_tx_credits_min{nid=\"10.0.2.7@tcp\"} -30",
  };
  private static final String[] PEERS = {
    "lapwing_lnet_peers 3",
    "lapwing_lnet_peers_down 1",
    "lapwing_lnet_peers_out_of_credits 1",
    "lapwing_lnet_peers_ever_out_of_credits 2",
    "lapwing_lnet_queued_bytes 73400320",
  };

  private Path dir;

  @BeforeEach
  void folder(@TempDir Path folder) {
    dir = folder;
  }

  private static String[] together(String[]... parts) {
    return Stream.of(parts).flatMap(Stream::of).toArray(String[]::new);
  }

  @Test
  void theFilesOfDebugfsAreExported() {
    RecordedSink page = LnetTree.inDebugfs(dir).whole().page(false);
    assertThat(page.lines()).containsExactly(together(COUNTS, INTERFACES, PEERS));
    assertThat(page.failures()).isEmpty();
  }

  @Test
  void aClientOf210HasTheSameInProc() {
    assertThat(LnetTree.inProc(dir).whole().page(false).lines())
        .containsExactly(together(COUNTS, INTERFACES, PEERS));
  }

  @Test
  void eachPeerIsExportedOnRequest() {
    assertThat(LnetTree.inDebugfs(dir).whole().page(true).lines())
        .endsWith(
            "lapwing_lnet_peer_tx_credits{nid=\"10.0.1.16@tcp\"} -5",
            "lapwing_lnet_peer_tx_credits_min{nid=\"10.0.1.16@tcp\"} -20",
            "lapwing_lnet_peer_queued_bytes{nid=\"10.0.1.16@tcp\"} 73400320",
            "lapwing_lnet_peer_tx_credits{nid=\"10.0.1.17@tcp\"} 8",
            "lapwing_lnet_peer_tx_credits_min{nid=\"10.0.1.17@tcp\"} 6",
            "lapwing_lnet_peer_queued_bytes{nid=\"10.0.1.17@tcp\"} 0")
        .hasSize(20 + 9);
  }

  @Test
  void aDuplicatePeerHasItsSeriesOnce() {
    String twice = LnetTree.PEERS + LnetTree.PEERS.lines().skip(1).findFirst().orElseThrow() + "\n";
    assertThat(LnetTree.inDebugfs(dir).whole().file("peers", twice).page(true).lines())
        .hasSize(20 + 9);
  }

  @Test
  void hundredsOfPeersAreFiveSeries() {
    StringBuilder peers =
        new StringBuilder(LnetTree.PEERS.lines().findFirst().orElseThrow()).append('\n');
    IntStream.range(0, 900)
        .forEach(
            i ->
                peers
                    .append("10.1.%d.%d@tcp".formatted(i / 200, i % 200))
                    .append("  4    NA    -1     8     8     8     8     8 0\n"));
    LnetTree tree = LnetTree.inDebugfs(dir).whole().file("peers", peers.toString());
    assertThat(tree.page(false).lines()).contains("lapwing_lnet_peers 900").hasSize(20);
  }

  @Test
  void anInterfaceThatIsDownIsReported() {
    String down = LnetTree.NIS.replace(" up    -1", " down    -1");
    assertThat(LnetTree.inDebugfs(dir).whole().file("nis", down).page(false).lines())
        .contains("lapwing_lnet_ni_up{nid=\"10.0.2.7@tcp\"} 0");
  }

  @Test
  void labelsAreTheSameObjectsInEveryRound() {
    LnetSource source = LnetTree.inDebugfs(dir).whole().source(true);
    assertThat(labels(source))
        .usingElementComparator((a, b) -> a == b ? 0 : 1)
        .isEqualTo(labels(source));
  }

  private static List<Labels> labels(LnetSource source) {
    RecordedSink sink = new RecordedSink();
    source.begin(source.collectors());
    source.collectors().forEach(collector -> collector.collect(sink));
    return sink.samples().stream().map(RecordedSink.Sample::labels).toList();
  }

  @Test
  void itIsAWholePart() {
    LnetSource source = LnetTree.inDebugfs(dir).source(false);
    assertThat(source.part()).contains(Part.whole("lnet"));
  }

  @Test
  void withoutLnetTheSourceIsAbsent() {
    assertThat(LnetTree.inDebugfs(dir).access()).isInstanceOf(Access.NothingHere.class);
  }

  @Test
  void lnetThatIsLoadedButHiddenIsDownWithTheRemedy() {
    LnetTree tree = LnetTree.inDebugfs(dir).loaded();
    assertThat(tree.access())
        .isEqualTo(
            new Access.Down(
                "not_mounted",
                "LNet is loaded, but "
                    + dir.resolve("sys/kernel/debug/lnet")
                    + " cannot be read: debugfs must be mounted, and the agent needs CAP_DAC_READ_SEARCH"));
  }

  @Test
  void aDebugfsThatCannotBeEnteredIsAMatterOfPermission() throws IOException {
    LnetTree tree = LnetTree.inDebugfs(dir).whole();
    Path debug = dir.resolve("sys/kernel/debug");
    Files.setPosixFilePermissions(debug, PosixFilePermissions.fromString("---------"));
    Assumptions.assumeFalse(Files.isExecutable(debug), "this user may enter everything");
    try {
      assertThat(((Access.Down) tree.access()).reason()).isEqualTo("no_permission");
    } finally {
      Files.setPosixFilePermissions(debug, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void aFileThatIsMissingCostsItsOwnSeriesOnly() throws IOException {
    LnetTree tree = LnetTree.inDebugfs(dir).whole();
    Files.delete(tree.path("nis"));
    assertThat(tree.page(false).lines()).containsExactly(together(COUNTS, PEERS));
    assertThat(tree.page(false).failures()).isEmpty();
  }

  @Test
  void aFileThatFailsCostsItsOwnSeriesOnly() throws IOException {
    LnetTree tree = LnetTree.inDebugfs(dir).whole();
    Files.delete(tree.path("peers"));
    Files.createDirectory(tree.path("peers"));
    assertThat(tree.page(false).lines()).containsExactly(together(COUNTS, INTERFACES));
    assertThat(tree.page(false).failures()).containsExactly(tree.path("peers") + ": io");
  }
}
