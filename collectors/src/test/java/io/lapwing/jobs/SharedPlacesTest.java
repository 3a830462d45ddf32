package io.lapwing.jobs;

import static io.lapwing.jobs.JobNode.GPU0;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.RecordedSink;
import io.lapwing.jobs.JobGpus.Occupant;
import io.lapwing.kubelet.PodResources.Device;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A GPU that several pods or jobs hold at once, by time-slicing or MPS. */
class SharedPlacesTest {

  private static final String OTHER_POD = "11111111-2222-4333-8444-555555555555";
  private static final long MIB = 1L << 20;

  private JobNode node;

  @BeforeEach
  void twoPodsShareTheFirstGpu(@TempDir Path dir) {
    node = new JobNode(dir).idle();
    node.kubelet(share("a", 0), share("b", 3))
        .pod(JobNode.POD, "ml_a", "main")
        .pod(OTHER_POD, "ml_b", "main");
  }

  private static Device share(String pod, int replica) {
    return new Device("ml", pod, "main", "nvidia.com/gpu.shared", GPU0 + "::" + replica);
  }

  private void process(int pid, String podUid, Optional<Boolean> mps, double sm) {
    node.write("proc/" + pid + "/cgroup", "0::/kubepods/pod" + podUid + "/" + "c".repeat(64));
    OptionalDouble utilization = sm < 0 ? OptionalDouble.empty() : OptionalDouble.of(sm);
    node.occupant(
        GPU0, new Occupant(pid, OptionalInt.empty(), OptionalLong.of(pid * MIB), mps, utilization));
  }

  /** Values without the labels that all have, and without those that are empty. */
  private static List<String> lines(RecordedSink round, Metric family) {
    return round.samples().stream()
        .filter(sample -> sample.metric().equals(family))
        .map(
            sample -> {
              StringBuilder line = new StringBuilder();
              for (int i = 2; i < sample.labels().names().size(); i++) {
                String value = sample.labels().values().get(i);
                line.append(
                    value.isEmpty() ? "" : sample.labels().names().get(i) + "=" + value + " ");
              }
              double value = sample.value();
              return line.append(value >= MIB ? (long) value / MIB + " MiB" : value + "")
                  .toString();
            })
        .toList();
  }

  @Test
  void aGpuWithOneHolderIsNotShared() {
    node.kubelet(new Device("ml", "a", "main", "nvidia.com/gpu", GPU0));
    process(100, JobNode.POD, Optional.empty(), -1);
    RecordedSink round = node.round();
    assertThat(JobNode.rows(round)).hasSize(1);
    assertThat(lines(round, JobMetrics.SHARED)).isEmpty();
    assertThat(lines(round, JobMetrics.HOLDER_MEMORY)).isEmpty();
  }

  @Test
  void podsThatComputeWithoutMpsShareByTimeSlicingAndEachHasWhatItsProcessesUse() {
    process(100, JobNode.POD, Optional.of(false), 0.5);
    process(200, OTHER_POD, Optional.of(false), 0.25);
    process(300, OTHER_POD, Optional.of(false), 0.125);
    RecordedSink round = node.round();
    assertThat(lines(round, JobMetrics.SHARED)).containsExactly("sharing=time_slicing 2.0");
    assertThat(lines(round, JobMetrics.HOLDER_MEMORY))
        .containsExactly("pod=a namespace=ml 100 MiB", "pod=b namespace=ml 500 MiB");
    assertThat(lines(round, JobMetrics.HOLDER_SM))
        .containsExactly("pod=a namespace=ml 0.5", "pod=b namespace=ml 0.375");
  }

  /** The page layout is rebuilt when a series has another labels object. */
  @Test
  void seriesKeepTheirLabelsWhileNothingChanges() {
    process(100, JobNode.POD, Optional.of(false), 0.5);
    process(200, OTHER_POD, Optional.of(false), 0.25);
    List<Labels> first = labels(node.round());
    List<Labels> second = labels(node.round());
    assertThat(second).hasSize(5).hasSameSizeAs(first);
    for (int i = 0; i < first.size(); i++) {
      assertThat(second.get(i)).isSameAs(first.get(i));
    }
  }

  private static List<Labels> labels(RecordedSink round) {
    return round.samples().stream()
        .filter(
            sample ->
                List.of(JobMetrics.SHARED, JobMetrics.HOLDER_MEMORY, JobMetrics.HOLDER_SM)
                    .contains(sample.metric()))
        .map(sample -> sample.labels())
        .toList();
  }

  @Test
  void theServerOfMpsIsNoHolderAndItsMemoryIsOfNone() {
    process(100, JobNode.POD, Optional.of(true), -1);
    process(200, OTHER_POD, Optional.of(true), -1);
    process(30, "99999999-2222-4333-8444-555555555555", Optional.of(false), -1);
    node.write("proc/30/comm", "nvidia-cuda-mps\n");
    RecordedSink round = node.round();
    assertThat(JobNode.rows(round))
        .containsExactly(
            "0 pod=a namespace=ml container=main", "0 pod=b namespace=ml container=main");
    assertThat(lines(round, JobMetrics.SHARED)).containsExactly("sharing=mps 2.0");
    assertThat(lines(round, JobMetrics.HOLDER_MEMORY))
        .containsExactlyInAnyOrder(
            "pod=a namespace=ml 100 MiB", "pod=b namespace=ml 200 MiB", "30 MiB");
    assertThat(lines(round, JobMetrics.HOLDER_SM)).isEmpty();
  }

  /** Any process can have that name. */
  @Test
  void aProcessNamedLikeTheServerIsAHolderWithoutClients() {
    node.kubelet().remove("var/log/pods").folder("var/log/pods");
    node.process(30, "user").write("proc/30/comm", "nvidia-cuda-mps\n");
    node.occupant(
        GPU0,
        new Occupant(
            30,
            OptionalInt.empty(),
            OptionalLong.empty(),
            Optional.of(false),
            OptionalDouble.empty()));
    assertThat(JobNode.rows(node.round())).containsExactly("0 user=ada");
  }

  @Test
  void processesOfNoKnownHolderAreSummed() {
    process(100, JobNode.POD, Optional.of(false), 0.5);
    process(200, OTHER_POD, Optional.of(false), 0.25);
    for (int hidden : new int[] {0, 0}) {
      node.occupant(
          GPU0,
          new Occupant(
              hidden,
              OptionalInt.empty(),
              OptionalLong.of(7 * MIB),
              Optional.of(false),
              OptionalDouble.of(0.1)));
    }
    RecordedSink round = node.round();
    assertThat(lines(round, JobMetrics.SHARED)).containsExactly("sharing=time_slicing 2.0");
    assertThat(lines(round, JobMetrics.HOLDER_MEMORY)).contains("14 MiB").hasSize(3);
    assertThat(lines(round, JobMetrics.HOLDER_SM)).contains("0.2").hasSize(3);
  }

  @Test
  void aShareThatOnePodHasIsSharedInAnUnknownWay() {
    node.kubelet(share("a", 0));
    process(100, JobNode.POD, Optional.empty(), -1);
    RecordedSink round = node.round();
    assertThat(lines(round, JobMetrics.SHARED)).containsExactly("sharing=unknown 1.0");
    assertThat(lines(round, JobMetrics.HOLDER_MEMORY))
        .containsExactly("pod=a namespace=ml 100 MiB");
  }

  @Test
  void podsWhoseNamesCannotBeReadAreNotCountedBesideThoseOfTheKubelet() {
    node.remove("var/log/pods");
    process(100, JobNode.POD, Optional.of(false), 0.5);
    process(200, OTHER_POD, Optional.of(false), 0.5);
    assertThat(lines(node.round(), JobMetrics.SHARED)).containsExactly("sharing=time_slicing 2.0");
  }

  @Test
  void twoContainersOfAPodAreOneHolder() {
    node.kubelet(
        share("a", 0), new Device("ml", "a", "side", "nvidia.com/gpu.shared", GPU0 + "::1"));
    node.pod(JobNode.POD, "ml_a", "side");
    process(100, JobNode.POD, Optional.empty(), -1);
    RecordedSink round = node.round();
    assertThat(lines(round, JobMetrics.SHARED)).containsExactly("sharing=unknown 1.0");
    assertThat(lines(round, JobMetrics.HOLDER_MEMORY))
        .containsExactly("pod=a namespace=ml 100 MiB");
  }

  @Test
  void memoryThatTheDriverDoesNotTellIsNotZero() {
    process(100, JobNode.POD, Optional.of(false), 0.5);
    node.write("proc/200/cgroup", "0::/kubepods/pod" + OTHER_POD + "/" + "c".repeat(64));
    node.occupant(GPU0, 200);
    RecordedSink round = node.round();
    assertThat(lines(round, JobMetrics.HOLDER_MEMORY))
        .containsExactly("pod=a namespace=ml 100 MiB");
    assertThat(lines(round, JobMetrics.SHARED)).containsExactly("sharing=unknown 2.0");
  }

  @Test
  void twoJobsOfAGpuShareIt() {
    node.kubeletFails("refused");
    node.write("mapping/0", "4711\n4712\n");
    assertThat(lines(node.round(), JobMetrics.SHARED)).containsExactly("sharing=unknown 2.0");
  }
}
