package io.lapwing.nccl;

import static io.lapwing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Part;
import io.lapwing.collect.RecordedSink;
import io.lapwing.simulator.FakeRas;
import io.lapwing.simulator.RasJob;
import io.lapwing.simulator.RasManner;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RasSourceTest {

  private static final String COMM = "comm=\"ae94423cfbb2ef4a\"";

  private final RasJob job = RasJob.of(2, 4).advance("AllReduce", 100).advance("AllGather", 7);
  private FakeRas ras;
  private RasNode node;
  private RasSource source;
  private long now;

  private static final Duration PATIENT = Duration.ofMinutes(1);

  @BeforeEach
  void start(@TempDir Path proc) throws IOException {
    ras = FakeRas.start(0, job);
    node = RasNode.of(proc, 4);
    source = sourceAt(ras.port());
  }

  @AfterEach
  void stop() throws IOException {
    ras.close();
  }

  private RasSource sourceAt(int port) {
    return sourceAt(port, new RasRound.Limits(4L << 20, PATIENT, PATIENT, PATIENT));
  }

  private RasSource sourceAt(int port, RasRound.Limits limits) {
    return new RasSource(
        new RasEndpoint("localhost", port), node.proc(), RasNode.addresses(), () -> now, limits);
  }

  private RecordedSink round() {
    return RecordedSink.of(source.collectors().get(0));
  }

  private RecordedSink roundAfter(Duration time) {
    now += time.toNanos();
    return round();
  }

  private static List<String> of(RecordedSink sink, String... families) {
    return sink.lines().stream()
        .filter(line -> List.of(families).contains(line.split("[{ ]", 2)[0]))
        .toList();
  }

  @Test
  void exposesTheRanksOfThisNode() {
    RecordedSink sink = round();

    assertThat(sink.failures()).isEmpty();
    assertThat(sink.lines())
        .contains(
            "lapwing_nccl_ras_up 1",
            "lapwing_nccl_ras_info{version=\"2.29.1\",format=\"json\"} 1",
            "lapwing_nccl_ras_collection_seconds 0.003",
            "lapwing_nccl_ras_timeouts 0",
            "lapwing_nccl_ras_backed_off 0",
            "lapwing_nccl_communicators 1",
            "lapwing_nccl_communicators_dropped 0",
            "lapwing_nccl_ranks_without_process 0",
            "lapwing_nccl_ranks{" + COMM + "} 8",
            "lapwing_nccl_missing_ranks{" + COMM + "} 0",
            "lapwing_nccl_rank_async_error{" + COMM + ",rank=\"3\",gpu=\"3\"} 0",
            "lapwing_nccl_rank_aborted{" + COMM + ",rank=\"3\",gpu=\"3\"} 0",
            "lapwing_nccl_collectives_total{" + COMM + ",rank=\"3\",operation=\"AllReduce\"} 100",
            "lapwing_nccl_collectives_total{" + COMM + ",rank=\"3\",operation=\"AllGather\"} 7",
            "lapwing_nccl_collectives_behind{" + COMM + ",rank=\"3\"} 0",
            "lapwing_nccl_collectives_still_seconds{" + COMM + ",rank=\"3\"} 0")
        .doesNotHaveDuplicates()
        .noneMatch(line -> line.contains("rank=\"4\"") || line.contains("Broadcast"));
    assertThat(sink.value(NcclMetrics.RAS_REPLY_BYTES).orElseThrow()).isGreaterThan(1000);
    assertThat(sink.value(NcclMetrics.RAS_REPLY_SECONDS)).isPresent();
  }

  @Test
  void aServiceSpeaksForProcessesOfItsOwnUserOnly() {
    for (int i = 0; i < 4; i++) {
      node.owned(1000 + i, i < 2 ? 1001 : 1002);
    }
    node.listening(ras.port(), 1001);
    RecordedSink sink = round();

    assertThat(of(sink, "lapwing_nccl_rank_async_error"))
        .hasSize(2)
        .noneMatch(line -> line.contains("rank=\"2\""));
    assertThat(sink.lines()).contains("lapwing_nccl_ranks_without_process 2");
  }

  @Test
  void aServiceOfRootSpeaksForAnyProcess() {
    node.listening(ras.port(), 0);

    assertThat(of(round(), "lapwing_nccl_rank_async_error")).hasSize(4);
  }

  @Test
  void isASeparatePart() {
    assertThat(source.name()).isEqualTo("nccl-ras");
    assertThat(source.part()).contains(Part.whole("nccl"));
  }

  @Test
  void labelsAreIdenticalAcrossRounds() {
    List<RecordedSink.Sample> first = round().samples();
    List<RecordedSink.Sample> second = round().samples();

    assertThat(first).hasSameSizeAs(second);
    for (int i = 0; i < first.size(); i++) {
      assertThat(first.get(i).labels()).isSameAs(second.get(i).labels());
    }
  }

  @Test
  void faultsAreExposed() {
    job.missing(5, false).missing(6, true).asyncError(1, 6).asyncError(7, 2).aborted(2);

    assertThat(round().lines())
        .contains(
            "lapwing_nccl_missing_ranks{" + COMM + "} 2",
            "lapwing_nccl_missing_ranks_here{" + COMM + "} 0",
            "lapwing_nccl_unresponsive_ranks{" + COMM + "} 2",
            "lapwing_nccl_dead_ranks{" + COMM + "} 1",
            "lapwing_nccl_ranks_in_error{" + COMM + "} 2",
            "lapwing_nccl_rank_async_error{" + COMM + ",rank=\"1\",gpu=\"1\"} 6",
            "lapwing_nccl_rank_aborted{" + COMM + ",rank=\"2\",gpu=\"2\"} 1",
            "lapwing_nccl_ras_timeouts 2");
  }

  @Test
  void aMissingRankOfThisNodeIsCounted() {
    job.missing(0, false);

    assertThat(round().lines())
        .contains("lapwing_nccl_missing_ranks_here{" + COMM + "} 1")
        .noneMatch(line -> line.contains("rank=\"0\""));
  }

  @Test
  void aStoppedRankFallsBehind() {
    round();
    job.stopped(2).advance("AllReduce", 50);
    roundAfter(Duration.ofMinutes(1));
    job.advance("AllReduce", 50);
    RecordedSink sink = roundAfter(Duration.ofMinutes(1));

    assertThat(of(sink, "lapwing_nccl_collectives_behind"))
        .containsExactly(
            "lapwing_nccl_collectives_behind{" + COMM + ",rank=\"0\"} 0",
            "lapwing_nccl_collectives_behind{" + COMM + ",rank=\"1\"} 0",
            "lapwing_nccl_collectives_behind{" + COMM + ",rank=\"2\"} 100",
            "lapwing_nccl_collectives_behind{" + COMM + ",rank=\"3\"} 0");
    assertThat(sink.lines())
        .contains(
            "lapwing_nccl_collectives_still_seconds{" + COMM + ",rank=\"1\"} 0",
            "lapwing_nccl_collectives_still_seconds{" + COMM + ",rank=\"2\"} 120");
  }

  @Test
  void aRankAheadOnAnotherNodeCountsToo() {
    for (int rank = 0; rank < 4; rank++) {
      job.stopped(rank);
    }
    job.advance("AllReduce", 3).advance("Broadcast", 2);

    assertThat(round().lines())
        .contains("lapwing_nccl_collectives_behind{" + COMM + ",rank=\"0\"} 5");
  }

  @Test
  void anExitedProcessIsRemovedAtOnce() {
    round();
    node.without(1002);

    assertThat(round().lines())
        .noneMatch(line -> line.contains("rank=\"2\""))
        .contains("lapwing_nccl_ranks_without_process 1");
  }

  @Test
  void anEndedJobIsRemoved() throws IOException {
    round();
    ras.close();
    for (int pid = 1000; pid < 1004; pid++) {
      node.without(pid);
    }
    RecordedSink sink = round();

    assertThat(sink.failures()).isEmpty();
    assertThat(sink.lines())
        .contains("lapwing_nccl_ras_up 0", "lapwing_nccl_communicators 0")
        .noneMatch(line -> line.contains("comm="));
  }

  @Test
  void aReusedPidStartsAFreshRank() {
    round();
    roundAfter(Duration.ofMinutes(3));
    node.process(1001, 9999);

    assertThat(roundAfter(Duration.ofMinutes(3)).lines())
        .contains(
            "lapwing_nccl_collectives_still_seconds{" + COMM + ",rank=\"0\"} 360",
            "lapwing_nccl_collectives_still_seconds{" + COMM + ",rank=\"1\"} 0");
  }

  @Test
  void theSamePidOnAnotherNodeIsNotOurs() {
    job.host("10.0.0.0", "10.9.9.9");

    assertThat(round().lines())
        .contains("lapwing_nccl_communicators 0")
        .noneMatch(line -> line.contains("comm="));
  }

  @Test
  void theQueriedAddressIsThisNodeToo() {
    job.host("10.0.0.0", "127.0.0.1");

    assertThat(round().lines()).contains("lapwing_nccl_communicators 1");
  }

  @Test
  void noListenerIsNotAnError() throws IOException {
    ras.close();
    RecordedSink sink = round();

    assertThat(sink.failures()).isEmpty();
    assertThat(of(sink, "lapwing_nccl_ras_up", "lapwing_nccl_ras_info"))
        .containsExactly("lapwing_nccl_ras_up 0");
  }

  @Test
  void aTextOnlyServiceIsQueriedForItsVersionOnce() {
    ras.manner(RasManner.TEXT_ONLY);
    job.version("2.27.7");
    RecordedSink first = round();
    RecordedSink second = round();

    for (RecordedSink sink : List.of(first, second)) {
      assertThat(sink.failures()).containsExactly("NCCL RAS: text_only");
      assertThat(sink.lines())
          .contains(
              "lapwing_nccl_ras_up 1",
              "lapwing_nccl_ras_info{version=\"2.27.7\",format=\"text\"} 1")
          .noneMatch(line -> line.startsWith("lapwing_nccl_communicators"));
    }
    assertThat(ras.replies()).isEqualTo(1);
  }

  @Test
  void anotherServiceOnThePortIsCounted() {
    ras.manner(RasManner.STRANGER);

    assertThat(round().failures()).containsExactly("NCCL RAS: protocol");
  }

  @Test
  void invalidRepliesAreCounted() {
    ras.manner(RasManner.GARBAGE);
    RecordedSink garbage = round();
    ras.manner(RasManner.CUT_OFF);
    RecordedSink cutOff = round();

    assertThat(garbage.failures()).containsExactly("NCCL RAS: malformed");
    assertThat(garbage.lines()).contains("lapwing_nccl_ras_up 0");
    assertThat(cutOff.failures()).containsExactly("NCCL RAS: cut_off");
  }

  @Test
  void twoJobsOnOnePortAreBothFound() {
    RasJob other = RasJob.of(1, 4).hash(0x17).pid(0, 2000).pid(1, 2001).pid(2, 2002).pid(3, 2003);
    for (int pid = 2000; pid < 2004; pid++) {
      node.process(pid, RasNode.START);
    }
    ras.jobs(job, other);

    assertThat(round().lines())
        .contains(
            "lapwing_nccl_communicators 2",
            "lapwing_nccl_ranks{" + COMM + "} 8",
            "lapwing_nccl_ranks{comm=\"0000000000000017\"} 4");
    assertThat(ras.connections()).isEqualTo(3);
    ras.jobs(job);
    assertThat(round().lines())
        .as("a round that misses a job takes nothing away")
        .contains("lapwing_nccl_communicators 2");
    assertThat(ras.connections()).isEqualTo(3 + RasRound.MAX_QUERIES);
    round();
    assertThat(round().lines()).contains("lapwing_nccl_communicators 1");
  }

  @Test
  void oneJobIsQueriedOnceAndSometimesTwice() {
    for (int i = 0; i < 6; i++) {
      round();
    }

    assertThat(ras.connections()).isEqualTo(6 + 2);
  }

  @Test
  void aClosedCommunicatorIsRemovedAtOnce() {
    job.groups(4);
    assertThat(round().lines()).contains("lapwing_nccl_communicators 2");
    ras.jobs(RasJob.of(2, 4));

    assertThat(round().lines()).contains("lapwing_nccl_communicators 1");
  }

  @Test
  void theLargestCommunicatorsAreExposedAndTheOthersCounted() {
    RasJob many = RasJob.of(2, 4);
    for (int i = 0; i < 40; i++) {
      many.groups(2);
    }
    ras.jobs(many);
    RecordedSink sink = round();

    assertThat(sink.lines())
        .contains(
            "lapwing_nccl_communicators 64",
            "lapwing_nccl_communicators_dropped 17",
            "lapwing_nccl_ranks{" + COMM + "} 8");
  }

  @Test
  void aSilentServiceTimesOut() {
    for (RasManner manner : List.of(RasManner.SILENT, RasManner.HANGS)) {
      ras.manner(manner);
      Duration brief = Duration.ofMillis(200);
      source = sourceAt(ras.port(), new RasRound.Limits(4L << 20, brief, PATIENT, PATIENT));

      RecordedSink sink = round();
      assertThat(sink.failures()).as(manner.name()).containsExactly("NCCL RAS: timed_out");
      assertThat(sink.lines()).contains("lapwing_nccl_ras_up 0");
    }
  }

  @Test
  void aLateResultIsExposedByALaterRun() {
    ras.manner(RasManner.HANGS);
    Duration brief = Duration.ofMillis(300);
    source =
        sourceAt(ras.port(), new RasRound.Limits(4L << 20, brief, PATIENT, Duration.ofMillis(1)));
    assertThat(round().lines()).as("nothing is known yet").isEmpty();

    await().until(() -> round().failures().contains("NCCL RAS: timed_out"));
  }

  @Test
  void anEndlessReplyIsAbortedAndBacksOff() {
    ras.manner(RasManner.ENDLESS);
    RecordedSink sink = round();

    assertThat(sink.failures()).containsExactly("NCCL RAS: too_large");
    assertThat(sink.lines()).contains("lapwing_nccl_ras_backed_off 1");
    ras.manner(RasManner.JSON);
    for (int i = 0; i < 4; i++) {
      assertThat(round().lines()).contains("lapwing_nccl_ras_up 0");
    }
    assertThat(round().lines()).contains("lapwing_nccl_ras_up 1", "lapwing_nccl_ras_backed_off 0");
  }

  @Test
  void aLargeReplyIsExposedAndBacksOff() {
    ras.jobs(RasJob.of(2000, 8).advance("AllReduce", 1));
    source = sourceAt(ras.port(), new RasRound.Limits(64L << 20, PATIENT, PATIENT, PATIENT));
    RecordedSink sink = round();

    assertThat(sink.value(NcclMetrics.RAS_REPLY_BYTES).orElseThrow())
        .isGreaterThan(RasSource.LARGE_BYTES);
    assertThat(sink.lines())
        .contains("lapwing_nccl_ranks{" + COMM + "} 16000", "lapwing_nccl_ras_backed_off 1");
    int asked = ras.connections();
    for (int i = 0; i < 4; i++) {
      assertThat(round().lines())
          .as("its last values stay exposed")
          .contains("lapwing_nccl_ranks{" + COMM + "} 16000");
    }
    assertThat(ras.connections()).isEqualTo(asked);
  }

  @Test
  void aChangingServiceIsTracked() {
    for (RasManner manner : RasManner.values()) {
      if (manner == RasManner.SILENT || manner == RasManner.HANGS || manner == RasManner.ENDLESS) {
        continue;
      }
      ras.manner(manner);
      round();
    }
    ras.manner(RasManner.JSON);

    assertThat(round().lines())
        .contains(
            "lapwing_nccl_ras_up 1", "lapwing_nccl_ras_info{version=\"2.29.1\",format=\"json\"} 1");
  }

  @Test
  void excessRanksAreCounted() {
    RasJob wide = RasJob.of(1, 200).groups(100).groups(150);
    for (int pid = 1004; pid < 1200; pid++) {
      node.process(pid, RasNode.START);
    }
    ras.jobs(wide);
    RecordedSink sink = round();

    assertThat(sink.lines())
        .contains("lapwing_nccl_communicators 5", "lapwing_nccl_ranks_dropped 100");
    assertThat(of(sink, "lapwing_nccl_collectives_behind")).hasSize(500);
  }
}
