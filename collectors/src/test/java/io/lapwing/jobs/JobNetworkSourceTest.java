package io.lapwing.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.RecordedSink;
import io.lapwing.linux.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobNetworkSourceTest {

  private static final String UUID = "GPU-0";
  private static final double MINUTE_OF_TCP = 60 * 2e9;

  @TempDir private Path root;
  private Path proc;
  private Instant now = Instant.parse("2026-03-01T12:00:00Z");
  private Optional<NodeTraffic.Totals> totals =
      Optional.of(new NodeTraffic.Totals(1e12, 1e11, 5e12));
  private JobNetworkSource source;

  @BeforeEach
  void node() throws IOException {
    proc = root.resolve("proc");
    process(7, "libnccl.so.2", "libtorch_cuda.so", "libc.so.6");
    source =
        new JobNetworkSource(
            new ProcFs(proc), root, new OneGpu(List.of(7L)), () -> totals, () -> now);
  }

  private record OneGpu(List<Long> pids) implements JobGpus {
    @Override
    public List<Gpu> gpus() {
      return List.of(Gpu.whole(0, UUID));
    }

    @Override
    public Optional<List<Occupant>> occupants(String uuid) {
      return Optional.of(pids.stream().map(pid -> Occupant.of(pid, OptionalInt.empty())).toList());
    }
  }

  private void process(long pid, String... libraries) throws IOException {
    Path of = proc.resolve(Long.toString(pid));
    Files.createDirectories(of);
    StringBuilder maps = new StringBuilder("7f1c-7f1d rw-p 00000000 00:00 0 \n");
    for (String library : libraries) {
      maps.append("7f1c80000000-7f1c80400000 r-xp 00000000 103:05 4194310    /opt/a b/")
          .append(library)
          .append("\n7f1c80400000-7f1c80500000 r--p 00000000 103:05 4194310    /opt/a b/")
          .append(library)
          .append(" (deleted)\n");
    }
    Files.writeString(of.resolve("maps"), maps);
    Files.writeString(of.resolve("stat"), pid + " (python3) S 1" + " 0".repeat(17) + " 12000 0 0");
    Files.writeString(of.resolve("status"), "Name:\tpython3\nUid:\t1000\t1000\t1000\t1000\n");
    Files.writeString(
        of.resolve("cgroup"), "0::/system.slice/slurmstepd.scope/job_1042/step_0/user/task_0\n");
    Files.writeString(
        of.resolve("environ"),
        "HF_TOKEN=secret\0WORLD_SIZE=16\0LOCAL_WORLD_SIZE=8\0NCCL_DEBUG=WARN\0");
  }

  private void minute(double received, double sent, double efa) {
    now = now.plus(Duration.ofMinutes(1));
    totals =
        totals.map(
            all ->
                new NodeTraffic.Totals(
                    all.received() + received, all.sent() + sent, all.efa() + efa));
  }

  private List<String> round() {
    assertThat(source.begin(List.of())).isEqualTo(Access.READY);
    RecordedSink sink = new RecordedSink();
    source.collectors().forEach(collector -> collector.collect(sink));
    return sink.lines();
  }

  @Test
  void aJobOverTcpIsNamedWithWhatItLacks() {
    assertThat(round()).isEmpty();
    minute(MINUTE_OF_TCP, MINUTE_OF_TCP, 0);

    assertThat(round())
        .containsExactly(
            "lapwing_job_network_info{gpu=\"0\",UUID=\"GPU-0\",pid=\"7\",job_id=\"1042\","
                + "user=\"1000\",namespace=\"\",pod=\"\",nodes=\"several\",network=\"tcp\","
                + "missing=\"libnccl-net\",provider=\"\",settings=\"NCCL_DEBUG=WARN\"} 1");
  }

  @Test
  void noProcessIsReadWhileEfaMovesOrTheTrafficIsThatOfALoader() {
    round();
    minute(MINUTE_OF_TCP, MINUTE_OF_TCP, MINUTE_OF_TCP);
    assertThat(round()).isEmpty();
    minute(MINUTE_OF_TCP, 1e6, 0); // data comes in
    assertThat(round()).isEmpty();
    minute(1e6, MINUTE_OF_TCP, 0); // a checkpoint goes out
    assertThat(round()).isEmpty();
    minute(0, 0, 0);
    assertThat(round()).isEmpty();
  }

  @Test
  void itIsReadForSomeMinutesLongerThanTheTrafficLasts() {
    round();
    minute(MINUTE_OF_TCP, MINUTE_OF_TCP, 0);
    assertThat(round()).hasSize(1);
    for (int i = 0; i < 5; i++) {
      minute(0, 0, 0);
      assertThat(round()).hasSize(1);
    }
    minute(0, 0, 0);
    minute(0, 0, 0);
    assertThat(round()).isEmpty();
  }

  @Test
  void countersThatRestartAndClocksThatAreSetRaiseNothing() {
    round();
    totals = Optional.of(new NodeTraffic.Totals(0, 0, 0));
    now = now.minus(Duration.ofHours(1));
    assertThat(round()).isEmpty();
  }

  @Test
  void aProcessThatCanUseEfaIsReadTwiceAndNotAgain() throws IOException {
    process(7, "libnccl.so.2", "libnccl-net-ofi.so", "libfabric.so.1.29.0", "libefa.so.1");
    round();
    for (int i = 0; i < 2; i++) {
      minute(MINUTE_OF_TCP, MINUTE_OF_TCP, 0);
      assertThat(round()).singleElement().asString().contains("network=\"efa\"");
    }
    Files.delete(proc.resolve("7/maps"));
    minute(MINUTE_OF_TCP, MINUTE_OF_TCP, 0);

    assertThat(round()).singleElement().asString().contains("network=\"efa\"");
  }

  @Test
  void anotherProcessWithThePidIsReadAnew() throws IOException {
    aProcessThatCanUseEfaIsReadTwiceAndNotAgain();
    process(7, "libnccl.so.2");
    Files.writeString(proc.resolve("7/stat"), "7 (python3) S 1" + " 0".repeat(17) + " 99000 0 0");
    minute(MINUTE_OF_TCP, MINUTE_OF_TCP, 0);

    assertThat(round()).singleElement().asString().contains("network=\"tcp\"");
  }

  @Test
  void aNodeWithoutBothNetworksHasNothing() {
    totals = Optional.empty();

    assertThat(source.begin(List.of())).isInstanceOf(Access.NothingHere.class);
  }

  @Test
  void aProcessThatHasEndedIsLeftOut() throws IOException {
    Files.delete(proc.resolve("7/stat"));
    round();
    minute(MINUTE_OF_TCP, MINUTE_OF_TCP, 0);

    assertThat(round()).isEmpty();
  }
}
