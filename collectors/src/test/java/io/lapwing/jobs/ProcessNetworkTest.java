package io.lapwing.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProcessNetworkTest {

  private static final Set<String> TORCH = Set.of("libnccl.so.2", "libtorch_cuda.so");
  private static final Set<String> WITH_EFA =
      Set.of("libnccl.so.2", "libnccl-net-ofi.so", "libfabric.so.1.29.0", "libefa.so.1.3.58.0");

  private static ProcessNetwork of(Set<String> files, String... environment) {
    return of(files, NcclDebugFile.NONE, environment);
  }

  private static ProcessNetwork of(Set<String> files, NcclDebugFile log, String... environment) {
    Map<String, String> values = new HashMap<>();
    for (String line : environment) {
      values.put(line.split("=", 2)[0], line.split("=", 2)[1]);
    }
    return ProcessNetwork.of(Reading.of(files), values, log);
  }

  private static NcclDebugFile log(String network, String provider) {
    return new NcclDebugFile(
        Optional.of(network), Optional.of(provider).filter(name -> !name.isEmpty()));
  }

  private static void assertTcp(ProcessNetwork found, String missing) {
    assertThat(found.network()).isEqualTo(ProcessNetwork.Network.TCP);
    assertThat(found.missing()).isEqualTo(missing);
  }

  @Test
  void withoutThePluginNcclHasTcpOnly() {
    assertTcp(of(TORCH), "libnccl-net");
  }

  @Test
  void ncclMayBeAPartOfTorch() {
    assertTcp(of(Set.of("libtorch_cuda.so")), "libnccl-net");
    assertTcp(of(Set.of("libtorch_cuda_cpp.so")), "libnccl-net");
  }

  @Test
  void aPluginForOtherHardwareDoesNotHelp() {
    assertTcp(of(Set.of("libnccl.so.2", "libnccl-net.so.0.0.0")), "libfabric.so");
  }

  @Test
  void libfabricWithoutItsEfaProviderDoesNotHelp() {
    assertTcp(of(Set.of("libnccl.so.2", "libnccl-net.so", "libfabric.so.1.20.1")), "libefa.so");
  }

  @Test
  void whatIsLoadedIsUsedUnlessTheEnvironmentForbidsIt() {
    assertThat(of(WITH_EFA).network()).isEqualTo(ProcessNetwork.Network.EFA);
    assertThat(of(WITH_EFA, "FI_PROVIDER=efa").network()).isEqualTo(ProcessNetwork.Network.EFA);
    assertThat(of(WITH_EFA, "FI_PROVIDER=^tcp").network()).isEqualTo(ProcessNetwork.Network.EFA);
    assertTcp(of(WITH_EFA, "FI_PROVIDER=tcp"), "");
    assertTcp(of(WITH_EFA, "FI_PROVIDER=^efa"), "");
    assertTcp(of(WITH_EFA, "NCCL_NET=Socket"), "");
  }

  @Test
  void aProcessWithoutNcclUsesNone() {
    assertThat(of(Set.of("libfabric.so.1")).network()).isEqualTo(ProcessNetwork.Network.NONE);
  }

  @Test
  void whatCannotBeReadIsUnknown() {
    ProcessNetwork found =
        ProcessNetwork.of(
            new Reading.Failed<>("maps", "no_permission"), Map.of(), NcclDebugFile.NONE);

    assertThat(found).isEqualTo(new ProcessNetwork(ProcessNetwork.Network.UNKNOWN, "", "", ""));
  }

  @Test
  void ncclsLogIsBelievedBeforeTheLibraries() {
    assertTcp(of(WITH_EFA, log("Socket", "")), "");
    assertTcp(of(WITH_EFA, log("AWS Libfabric", "tcp;ofi_rxm")), "");
    assertThat(of(TORCH, log("AWS Libfabric", "efa")).network())
        .isEqualTo(ProcessNetwork.Network.EFA);
    assertThat(of(WITH_EFA, log("IB", "")).network()).isEqualTo(ProcessNetwork.Network.UNKNOWN);
  }

  @Test
  void onlySettingsOfTheListAreShownAndNoValueThatIsMoreThanAWord() {
    assertThat(
            of(
                    TORCH,
                    "NCCL_NET_PLUGIN=/home/ada/lib/libnccl-net-x.so",
                    "NCCL_SOCKET_IFNAME=eth0",
                    "NCCL_NET=a\nb{}",
                    "FI_PROVIDER=" + "x".repeat(99),
                    "HF_TOKEN=secret",
                    "NCCL_DEBUG_FILE=/home/ada/nccl.log")
                .settings())
        .isEqualTo(
            "NCCL_NET=? NCCL_NET_PLUGIN=libnccl-net-x.so FI_PROVIDER=? NCCL_SOCKET_IFNAME=eth0");
  }

  @Test
  void theLaunchersVariablesTellWhetherThereAreOtherNodes() {
    assertThat(JobNodes.of(Map.of("WORLD_SIZE", "16", "LOCAL_WORLD_SIZE", "8"), 8))
        .isEqualTo(JobNodes.SEVERAL);
    assertThat(JobNodes.of(Map.of("WORLD_SIZE", "8", "LOCAL_WORLD_SIZE", "8"), 8))
        .isEqualTo(JobNodes.ONE);
    assertThat(JobNodes.of(Map.of("WORLD_SIZE", "16"), 8)).isEqualTo(JobNodes.SEVERAL);
    assertThat(JobNodes.of(Map.of("WORLD_SIZE", "8"), 8)).isEqualTo(JobNodes.UNKNOWN);
    assertThat(JobNodes.of(Map.of("WORLD_SIZE", "99999999999"), 8)).isEqualTo(JobNodes.UNKNOWN);
    assertThat(
            JobNodes.of(Map.of("OMPI_COMM_WORLD_SIZE", "2", "OMPI_COMM_WORLD_LOCAL_SIZE", "1"), 8))
        .isEqualTo(JobNodes.SEVERAL);
    assertThat(JobNodes.of(Map.of("SLURM_STEP_NUM_NODES", "4"), 8)).isEqualTo(JobNodes.SEVERAL);
    // An allocation of several nodes may run a job of its own on each.
    assertThat(JobNodes.of(Map.of("SLURM_JOB_NUM_NODES", "4", "SLURM_STEP_NUM_NODES", "1"), 8))
        .isEqualTo(JobNodes.ONE);
    assertThat(JobNodes.of(Map.of("SLURM_JOB_NUM_NODES", "4"), 8)).isEqualTo(JobNodes.UNKNOWN);
  }
}
