package io.lapwing.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.linux.ProcFs;
import io.lapwing.linux.SysFs;
import io.lapwing.node.Platform.Found;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlatformProbeTest {

  private static final String HYPERPOD = "root/opt/ml/config/resource_config.json";

  private final Path dir;

  PlatformProbeTest(@TempDir Path dir) {
    this.dir = dir;
  }

  private Found find(String hostname, boolean slurmd) {
    return new PlatformProbe(
            hostname,
            dir.resolve("root"),
            new SysFs(dir.resolve("sys")),
            new ProcFs(dir.resolve("proc")),
            dir.resolve("kubelet.sock"),
            () -> slurmd)
        .find();
  }

  private void write(String file, String text) throws IOException {
    Files.createDirectories(dir.resolve(file).getParent());
    Files.writeString(dir.resolve(file), text);
  }

  private void kubelet(String slice, String labels) throws IOException {
    write("sys/fs/cgroup/" + slice + "/kubelet.service/cgroup.procs", "4711\n4712\n");
    write(
        "proc/4711/cmdline",
        "/usr/bin/kubelet\0--node-ip=10.0.0.7\0--node-labels=" + labels + "\0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "eks.amazonaws.com/nodegroup=gpu,eks.amazonaws.com/capacityType=ON_DEMAND | eks-node-group",
        "karpenter.sh/capacity-type=on-demand,karpenter.sh/nodepool=gpu | karpenter",
        "eks.amazonaws.com/compute-type=auto,karpenter.sh/nodepool=gpu | karpenter",
        "a=b,sagemaker.amazonaws.com/compute-type=hyperpod | hyperpod-eks",
        "\"eks.amazonaws.com/nodegroup=gpu\" | eks-node-group",
      })
  void theKubeletsLabelsNameThePlatform(String labels, String platform) throws Exception {
    kubelet("runtime.slice", labels);

    assertThat(find("n", false).platform()).contains(Platform.of(platform).orElseThrow());
    assertThat(find("n", false).why()).startsWith("the kubelet's labels have ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"system.slice", "systemd/system.slice"})
  void theKubeletMayBeInAnotherSlice(String slice) throws Exception {
    kubelet(slice, "karpenter.sh/nodepool=gpu");

    assertThat(find("n", true).platform()).contains(Platform.KARPENTER);
  }

  /** The label of a site may contain the name of another one. */
  @Test
  void aLabelCountsFromItsStart() throws Exception {
    kubelet("runtime.slice", "not-karpenter.sh/nodepool=gpu");

    assertThat(find("n", false).platform()).isEmpty();
    assertThat(find("n", false).why())
        .isEqualTo("Kubernetes, but the kubelet's labels name no node group and no node pool");
  }

  @Test
  void withoutLabelsHyperPodsNamesCount() throws Exception {
    write("kubelet.sock", "");

    assertThat(find("hyperpod-i-0123456789abcdef0", false).platform())
        .contains(Platform.HYPERPOD_EKS);
    assertThat(find("ip-10-0-0-7", false).platform()).isEmpty();
    assertThat(find("ip-10-0-0-7", false).why()).contains("labels cannot be read");
    write(HYPERPOD, "{}");
    assertThat(find("ip-10-0-0-7", false).platform()).contains(Platform.HYPERPOD_EKS);
  }

  @ParameterizedTest
  @CsvSource({
    HYPERPOD + ", hyperpod-slurm",
    "root/etc/parallelcluster/cfnconfig, parallelcluster",
    "root/opt/aws/pcs/bin/pcs_bootstrap, pcs",
  })
  void aServiceOfAwsHasItsFiles(String file, String platform) throws Exception {
    write(file, "");

    assertThat(find("n", true).platform()).contains(Platform.of(platform).orElseThrow());
  }

  @Test
  void slurmdAloneIsSlurm() throws Exception {
    assertThat(find("n", true).platform()).contains(Platform.SLURM);
    assertThat(find("n", false).platform()).isEmpty();
    assertThat(find("n", false).why()).isEqualTo("neither slurmd nor a kubelet was found");

    Files.createDirectories(dir.resolve("sys/fs/cgroup/system.slice/slurmd.service"));
    assertThat(find("n", false)).isEqualTo(Found.of(Platform.SLURM, "slurmd runs"));
  }

  @Test
  void aKubeletThatHasEndedIsNoFailure() throws Exception {
    write("sys/fs/cgroup/runtime.slice/kubelet.service/cgroup.procs", "99\nnonsense\n");

    assertThat(find("n", true).platform()).isEmpty();
    assertThat(find("n", true).why()).startsWith("Kubernetes, but ");
  }

  @Test
  void everyPlatformHasItsId() {
    for (Platform platform : Platform.values()) {
      assertThat(Platform.of(platform.id())).contains(platform);
    }
    assertThat(Platform.of("gke")).isEmpty();
  }
}
