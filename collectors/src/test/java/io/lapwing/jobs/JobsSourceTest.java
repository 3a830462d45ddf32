package io.lapwing.jobs;

import static io.lapwing.jobs.JobNode.GPU0;
import static io.lapwing.jobs.JobNode.GPU1;
import static io.lapwing.jobs.JobNode.POD;
import static io.lapwing.jobs.JobNode.allocated;
import static io.lapwing.jobs.JobNode.reasons;
import static io.lapwing.jobs.JobNode.rows;
import static io.lapwing.jobs.JobNode.sources;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.RecordedSink;
import io.lapwing.kubelet.PodResources;
import io.lapwing.metric.Labels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobsSourceTest {

  private static final String[] SLURM = {
    "SLURM_JOB_ID=1042",
    "SLURM_JOB_NAME=llama",
    "SLURM_JOB_USER=ada",
    "SLURM_JOB_ACCOUNT=physics",
    "SLURM_JOB_PARTITION=h100"
  };

  private JobNode node;

  @BeforeEach
  void node(@TempDir Path root) {
    node = new JobNode(root);
  }

  @Test
  void theLabelsEndWithTheSourceThatWroteThem() {
    node.idle().write("mapping/0", "1042\n");
    node.round();
    node.end();
    assertThat(node.board().jobs()).isEmpty();

    node.round();
    RecordedSink.of(node.source().collectors().get(0));
    node.end();
    assertThat(node.board().jobs()).as("of the next source").hasSize(1);
  }

  @Test
  void withoutSourcesNothingIsExposed() {
    RecordedSink round = node.round();
    assertThat(round.lines()).isEmpty();
    assertThat(round.failures()).isEmpty();
  }

  @Test
  void withoutGpusNoSourceIsRead() {
    node.having().write("mapping/0", "1042\n");
    assertThat(node.round().lines()).isEmpty();
  }

  @Test
  void theMappingDirectoryHasTheJobsOfIdleGpus() {
    RecordedSink round = node.write("mapping/0", "1042\n1043\n").round();
    assertThat(rows(round)).containsExactly("0 job_id=1042", "0 job_id=1043");
    assertThat(allocated(round)).containsExactly("0=1", "1=0");
    assertThat(sources(round)).containsExactly("mapping=1");
    assertThat(node.board().jobs())
        .isEqualTo(
            Map.of(GPU0, List.of(Labels.of("hpc_job", "1042"), Labels.of("hpc_job", "1043"))));
  }

  @Test
  void aCompleteSampleHasAllLabels() {
    RecordedSink round =
        node.write("mapping/0", "1042\n").process(77, "slurm-v2", SLURM).occupant(GPU0, 77).round();
    assertThat(round.lines())
        .first()
        .isEqualTo(
            "lapwing_gpu_job_info{gpu=\"0\",UUID=\""
                + GPU0
                + "\",job_id=\"1042\",job_name=\"llama\",user=\"ada\",account=\"physics\",partition=\"h100\","
                + "pod=\"\",namespace=\"\",container=\"\",GPU_I_ID=\"\"} 1");
  }

  @Test
  void changedFilesAreReadAgain() throws IOException {
    node.write("mapping/0", "1042\n").round();
    assertThat(rows(node.write("mapping/0", "1043\n10\n").round()))
        .containsExactly("0 job_id=10", "0 job_id=1043");
    // The same size and time, but another inode.
    Path other = Files.writeString(node.path("next"), "1044\n10\n");
    Files.setLastModifiedTime(other, Files.getLastModifiedTime(node.path("mapping/0")));
    Files.move(other, node.path("mapping/0"), StandardCopyOption.ATOMIC_MOVE);
    assertThat(rows(node.round())).containsExactly("0 job_id=10", "0 job_id=1044");
    assertThat(rows(node.remove("mapping/0").round())).isEmpty();
    assertThat(allocated(node.round())).containsExactly("0=0", "1=0");
    assertThat(node.board().jobs()).isEmpty();
  }

  @Test
  void aSeriesKeepsItsLabelsAcrossRounds() {
    node.write("mapping/0", "1042\n");
    assertThat(node.round().samples().get(0).labels())
        .isSameAs(node.round().samples().get(0).labels());
  }

  @Test
  void eachSliceHasItsOwnJobs() {
    RecordedSink round = node.write("mapping/1.7", "1042\n").write("mapping/1.9", "1043\n").round();
    assertThat(rows(round)).containsExactly("1 job_id=1042 GPU_I_ID=7", "1 job_id=1043 GPU_I_ID=9");
    assertThat(allocated(round)).containsExactly("0=0", "1=1");
    assertThat(node.board().jobs())
        .isEqualTo(
            Map.of(
                JobNode.GPU1 + "/7",
                List.of(Labels.of("hpc_job", "1042")),
                JobNode.GPU1 + "/9",
                List.of(Labels.of("hpc_job", "1043"))));
  }

  @Test
  void aProcessInASliceIsMergedWithTheJobOfTheSlice() {
    node.write("mapping/1.7", "1042\n").process(77, "slurm-v2", SLURM);
    assertThat(rows(node.occupant(GPU1, 77, OptionalInt.of(7)).round()))
        .containsExactly(
            "1 job_id=1042 job_name=llama user=ada account=physics partition=h100 GPU_I_ID=7");
  }

  @Test
  void theSliceComesFromTheJobIfTheDriverOmitsIt() {
    node.write("mapping/1.7", "1042\n").process(77, "slurm-v2", SLURM);
    assertThat(rows(node.occupant(GPU1, 77).round()))
        .containsExactly(
            "1 job_id=1042 job_name=llama user=ada account=physics partition=h100 GPU_I_ID=7");
  }

  @Test
  void aFileOfAnUnknownGpuIsCountedAndNoGpuIsReportedFree() {
    RecordedSink round = node.write("mapping/9", "1042\n").round();
    assertThat(reasons(round)).containsExactly("unknown_gpu");
    assertThat(allocated(round)).isEmpty();
  }

  @Test
  void otherFilesAreIgnored() throws IOException {
    node.folder("mapping/1").write("mapping/.0.tmp", "7\n").write("mapping/README", "8\n");
    RecordedSink round = node.round();
    assertThat(rows(round)).isEmpty();
    assertThat(reasons(round)).containsExactly("not_a_file");
    assertThat(
            new ProcessBuilder("mkfifo", node.path("mapping/0").toString())
                .start()
                .onExit()
                .join()
                .exitValue())
        .isZero();
    assertThat(reasons(node.round())).containsExactly("not_a_file", "not_a_file");
    assertThat(allocated(node.round())).isEmpty();
  }

  @Test
  void hugeAndUnreadableFilesAreSkipped() {
    node.write("mapping/0", "x".repeat(1 << 20)).write("mapping/1", "1042\n");
    RecordedSink round = node.round();
    assertThat(rows(round)).containsExactly("1 job_id=1042");
    assertThat(reasons(round)).containsExactly("too_large");
    assertThat(allocated(round)).containsExactly("1=1");
  }

  @Test
  void excessJobsAreDroppedAndCounted() {
    String many =
        IntStream.range(0, 1000).mapToObj(String::valueOf).collect(Collectors.joining("\n"));
    RecordedSink round = node.write("mapping/0", many).round();
    assertThat(rows(round)).hasSize(JobTable.Rows.MAX_ROWS);
    assertThat(reasons(round)).containsExactly("too_many");
  }

  @Test
  void excessFilesAreDroppedAndNoGpuIsReportedFree() {
    IntStream.range(0, 1000).forEach(i -> node.write("mapping/" + (1000 + i), "\n"));
    RecordedSink round = node.write("mapping/0", "1042\n").round();
    assertThat(rows(round)).hasSizeLessThanOrEqualTo(1);
    assertThat(reasons(round)).contains("too_many");
    assertThat(allocated(round)).doesNotContain("1=0");
  }

  @Test
  void processesOfSlurmJobsHaveUserAndAccount() {
    List<String> forms =
        List.of("slurm-v2", "slurm-v2-multi-slurmd", "slurm-v1", "slurm-v1-multi-slurmd");
    for (String form : forms) {
      node.process(77, form, SLURM);
      RecordedSink round = node.idle().occupant(GPU1, 77).round();
      assertThat(rows(round))
          .as(form)
          .containsExactly("1 job_id=1042 job_name=llama user=ada account=physics partition=h100");
      assertThat(sources(round)).containsExactly("cgroup=1");
      assertThat(allocated(round))
          .as("a GPU without a process may be allocated")
          .containsExactly("1=1");
    }
  }

  @Test
  void withoutAnEnvironmentTheUidComesFromTheKernel() {
    node.process(77, "slurm-v2");
    assertThat(rows(node.occupant(GPU0, 77).round())).containsExactly("0 job_id=1042 user=ada");
    node.process(78, "slurm-v2").remove("etc/passwd");
    assertThat(rows(node.round())).first().isEqualTo("0 job_id=1042 user=1000");
  }

  @Test
  void anEnvironmentCannotOverrideTheUid() {
    node.process(77, "slurm-v2", "SLURM_JOB_ID=1042", "SLURM_JOB_USER=root");
    assertThat(rows(node.occupant(GPU0, 77).round())).containsExactly("0 job_id=1042 user=ada");
  }

  @Test
  void aUserMissingInPasswdIsTheKernelsNumberNotTheEnvironmentsName() {
    node.process(77, "slurm-v2", SLURM).remove("etc/passwd");
    assertThat(rows(node.occupant(GPU0, 77).round()))
        .containsExactly("0 job_id=1042 job_name=llama user=1000 account=physics partition=h100");
  }

  @Test
  void processesOfPodsHavePodAndNamespace() {
    node.pod(POD, "ml_trainer-0", "trainer").process(77, "kubepods-systemd-burstable");
    assertThat(rows(node.occupant(GPU0, 77).round()))
        .containsExactly("0 pod=trainer-0 namespace=ml container=trainer");
    assertThat(node.board().pods())
        .isEqualTo(
            Map.of(
                GPU0,
                List.of(Labels.of("container", "trainer", "namespace", "ml", "pod", "trainer-0"))));
    assertThat(node.board().jobs()).isEmpty();
  }

  @Test
  void oneOfSeveralContainersIsNotGuessed() {
    node.pod(POD, "ml_trainer-0", "trainer", "sidecar").process(77, "kubepods-cgroupfs");
    assertThat(rows(node.occupant(GPU0, 77).round()))
        .containsExactly("0 pod=trainer-0 namespace=ml");
  }

  @Test
  void aPodWithoutANameIsShownByItsUid() {
    RecordedSink round = node.process(77, "kubepods-crio").occupant(GPU0, 77).round();
    assertThat(rows(round)).containsExactly("0 pod=" + POD);
    assertThat(reasons(round)).containsExactly("unknown_pod");
  }

  @Test
  void aDockerContainerHasItsShortIdAndUser() {
    node.process(77, "docker-systemd");
    assertThat(rows(node.occupant(GPU0, 77).round()))
        .containsExactly("0 user=ada container=4f0c2a9d7b1e");
  }

  @Test
  void aProcessWithoutAJobBelongsToItsUser() {
    RecordedSink round =
        node.process(77, "user")
            .process(78, "user")
            .idle()
            .occupant(GPU0, 77)
            .occupant(GPU0, 78)
            .round();
    assertThat(rows(round)).containsExactly("0 user=ada");
    assertThat(allocated(round)).containsExactly("0=1");
  }

  @Test
  void slurmInAPodHasJobAndPod() {
    node.pod(POD, "slurm_worker-0", "slurmd").process(77, "slurm-in-pod", SLURM);
    node.write("mapping/0", "1042\n")
        .kubelet(new PodResources.Device("slurm", "worker-0", "slurmd", "nvidia.com/gpu", GPU0));
    assertThat(rows(node.occupant(GPU0, 77).round()))
        .containsExactly(
            "0 job_id=1042 job_name=llama user=ada account=physics partition=h100 pod=worker-0 namespace=slurm container=slurmd");
  }

  @Test
  void invisibleProcessesAreCountedAndOccupyTheGpu() {
    node.process(77, "hidden").occupant(GPU0, 77).occupant(GPU0, 0);
    RecordedSink round = node.round();
    assertThat(rows(round)).isEmpty();
    assertThat(reasons(round)).containsExactly("hidden", "hidden");
    assertThat(sources(round)).containsExactly("cgroup=0");
    assertThat(allocated(round)).containsExactly("0=1");
  }

  @Test
  void anExitedProcessIsNotAFailureOnTheHostAndHiddenElsewhere() {
    node.occupant(GPU0, 4711);
    assertThat(node.round().failures()).isEmpty();
    node.write("proc/2/comm", "bash\n");
    assertThat(reasons(node.round())).containsExactly("hidden");
  }

  @Test
  void theKubeletHasThePodsOfIdleGpus() {
    RecordedSink round =
        node.kubelet(
                new PodResources.Device("ml", "trainer-0", "trainer", "nvidia.com/gpu", GPU0),
                new PodResources.Device("ml", "a", "x", "nvidia.com/gpu.shared", GPU1 + "::0"),
                new PodResources.Device("ml", "b", "x", "nvidia.com/gpu.shared", GPU1 + "::1"))
            .round();
    assertThat(rows(round))
        .containsExactly(
            "0 pod=trainer-0 namespace=ml container=trainer",
            "1 pod=a namespace=ml container=x",
            "1 pod=b namespace=ml container=x");
    assertThat(sources(round)).containsExactly("pod_resources=1");
  }

  @Test
  void aKubeletWithoutAllocationsReportsAllGpusFree() {
    assertThat(allocated(node.kubelet().round())).containsExactly("0=0", "1=0");
  }

  @Test
  void aClaimOfDynamicResourceAllocationIsAGpu() {
    RecordedSink round =
        node.kubelet(new PodResources.Device("ml", "a", "x", "gpu.nvidia.com", "gpu-1")).round();
    assertThat(rows(round)).containsExactly("1 pod=a namespace=ml container=x");
    assertThat(allocated(round)).containsExactly("0=0", "1=1");
  }

  @Test
  void aClaimHasTheLabelsOfDcgmExporter() {
    PodResources.Claim claim =
        new PodResources.Claim("single-gpu", "ml", "gpu.nvidia.com", "node-1", "gpu-1");
    node.kubelet(new PodResources.Device("ml", "a", "x", "gpu.nvidia.com", "gpu-1", claim)).round();
    Labels labels = node.board().pods().getOrDefault(GPU1, List.of()).get(0);
    assertThat(labels.names())
        .containsExactly(
            "container",
            "namespace",
            "pod",
            "dra_claim_name",
            "dra_claim_namespace",
            "dra_driver_name",
            "dra_pool_name",
            "dra_device_name");
    assertThat(labels.values())
        .containsExactly("x", "ml", "a", "single-gpu", "ml", "gpu.nvidia.com", "node-1", "gpu-1");
  }

  @Test
  void anUnknownDeviceMayBeAnyGpu() {
    RecordedSink round =
        node.kubelet(
                new PodResources.Device("ml", "a", "x", "gpu.nvidia.com", "gpu-0-mig-1g10gb-19-0"))
            .round();
    assertThat(reasons(round)).containsExactly("unknown_gpu");
    assertThat(allocated(round)).isEmpty();
  }

  @Test
  void theCheckpointIsReadIfTheKubeletFails() {
    node.kubeletFails("timed_out").write("checkpoint", JobNode.resource("checkpoint/now.json"));
    RecordedSink round = node.pod(POD, "ml_trainer-0", "trainer").round();
    assertThat(rows(round))
        .containsExactly(
            "0 pod=trainer-0 namespace=ml container=trainer",
            "1 pod=trainer-0 namespace=ml container=trainer");
    assertThat(reasons(round)).containsExactly("timed_out");
    assertThat(sources(round)).containsExactly("pod_resources=0", "checkpoint=1");
  }

  @Test
  void anEndedPodInTheCheckpointIsStale() {
    node.folder("var/log/pods")
        .write("checkpoint", JobNode.resource("checkpoint/before-1.20.json"));
    RecordedSink round = node.round();
    assertThat(rows(round)).isEmpty();
    assertThat(reasons(round)).containsExactly("stale");
    assertThat(allocated(round)).containsExactly("0=0", "1=0");
  }

  @Test
  void ifAllSourcesFailNoGpuIsReportedFree() {
    RecordedSink round = node.kubeletFails("unimplemented").write("checkpoint", "{").round();
    assertThat(reasons(round)).containsExactly("unimplemented", "malformed");
    assertThat(sources(round)).containsExactly("pod_resources=0", "checkpoint=0");
    assertThat(allocated(round)).isEmpty();
  }

  @Test
  void anUnavailableKubeletBesideAMappingLeavesFreeGpusUnknown() {
    RecordedSink round = node.kubeletFails("refused").write("mapping/0", "7\n").round();
    assertThat(allocated(round)).containsExactly("0=1");
  }

  @Test
  void aJobWithAnIdleGpuIsDescribedByItsOtherProcesses() {
    String job = "sys/fs/cgroup/system.slice/slurmstepd.scope/job_1042/";
    node.write("mapping/0", "1042\n")
        .write(job + "step_extern/user/task_special/cgroup.procs", "76\n")
        .write(job + "step_batch/slurm/cgroup.procs", "75\n")
        .write(job + "step_batch/user/task_0/cgroup.procs", "77\n78\n")
        .process(77, "slurm-v2-batch", SLURM);
    assertThat(rows(node.idle().round()))
        .containsExactly("0 job_id=1042 job_name=llama user=ada account=physics partition=h100");
  }

  @Test
  void inCgroupVersionOneTheFolderHasTheUid() {
    String job = "sys/fs/cgroup/memory/slurm/uid_1000/job_1042/step_0/";
    node.write("mapping/0", "1042\n").write(job + "task_0/cgroup.procs", "77\n");
    assertThat(rows(node.round())).containsExactly("0 job_id=1042 user=ada");
    node.write(job + "task_0/cgroup.procs", "0\nnonsense").write("mapping/0", "1042\n1043\n");
    assertThat(rows(node.round())).hasSize(2);
  }
}
