package io.lapwing.node;

import io.lapwing.collect.Reading;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.SmallFile;
import io.lapwing.linux.SysFs;
import io.lapwing.node.Platform.Found;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Recognizes the platform by a few local files. Kubernetes counts first: HyperPod's file is there
 * under both schedulers, and Slurm may run in pods.
 *
 * <pre>
 * the kubelet's flag --node-labels      sagemaker.amazonaws.com/, karpenter.sh/, eks.amazonaws.com/nodegroup
 * opt/ml/config/resource_config.json    HyperPod, on each of its nodes
 * etc/parallelcluster                   ParallelCluster
 * opt/aws/pcs                           AWS PCS, by its agent
 * slurmd                                Slurm
 * </pre>
 *
 * @param hostname the node's name; HyperPod on EKS names its nodes after the instance
 * @param podResources the kubelet's socket, which a container sees too
 * @param slurmd whether systemd runs slurmd
 */
public record PlatformProbe(
    String hostname,
    Path rootfs,
    SysFs sys,
    ProcFs proc,
    Path podResources,
    BooleanSupplier slurmd) {

  private static final String HYPERPOD = "opt/ml/config/resource_config.json";
  private static final String PARALLELCLUSTER = "etc/parallelcluster";
  private static final String PCS = "opt/aws/pcs";
  private static final String HYPERPOD_NODE = "hyperpod-i-";

  /** Where systemd runs the kubelet: Amazon Linux and Bottlerocket, others; then cgroup v1. */
  private static final List<String> KUBELETS =
      List.of(
          "fs/cgroup/runtime.slice/kubelet.service",
          "fs/cgroup/system.slice/kubelet.service",
          "fs/cgroup/systemd/system.slice/kubelet.service");

  private static final List<String> SLURMDS =
      List.of(
          "fs/cgroup/system.slice/slurmd.service", "fs/cgroup/systemd/system.slice/slurmd.service");

  /** The labels that name a platform, the most specific first. */
  private static final List<Label> LABELS =
      List.of(
          new Label("sagemaker.amazonaws.com/", Platform.HYPERPOD_EKS),
          new Label("karpenter.sh/", Platform.KARPENTER),
          new Label("eks.amazonaws.com/nodegroup", Platform.EKS_NODE_GROUP));

  private static final int MAX_COMMAND_LINE = 64 * 1024;

  private record Label(String start, Platform platform) {}

  public Found find() {
    Optional<String> kubelet = kubelet();
    if (kubelet.isPresent() || Files.exists(podResources)) {
      return kubernetes(kubelet.orElse(""));
    }
    if (has(HYPERPOD)) {
      return Found.of(Platform.HYPERPOD_SLURM, "/" + HYPERPOD + " exists, and no kubelet runs");
    }
    if (has(PARALLELCLUSTER)) {
      return Found.of(Platform.PARALLELCLUSTER, "/" + PARALLELCLUSTER + " exists");
    }
    if (has(PCS)) {
      return Found.of(Platform.PCS, "/" + PCS + " exists");
    }
    return slurm()
        ? Found.of(Platform.SLURM, "slurmd runs")
        : new Found(Optional.empty(), "neither slurmd nor a kubelet was found");
  }

  private Found kubernetes(String commandLine) {
    for (Label label : LABELS) {
      // A label is the value of a flag, or follows another label.
      if (Stream.of("=", ",", "\"", "'").anyMatch(c -> commandLine.contains(c + label.start()))) {
        return Found.of(label.platform(), "the kubelet's labels have " + label.start());
      }
    }
    if (hostname.startsWith(HYPERPOD_NODE)) {
      return Found.of(Platform.HYPERPOD_EKS, "the node's name starts with " + HYPERPOD_NODE);
    }
    if (has(HYPERPOD)) {
      return Found.of(Platform.HYPERPOD_EKS, "/" + HYPERPOD + " exists, and a kubelet runs");
    }
    return new Found(
        Optional.empty(),
        commandLine.isEmpty()
            ? "Kubernetes, but the kubelet's labels cannot be read"
            : "Kubernetes, but the kubelet's labels name no node group and no node pool");
  }

  /**
   * The command line of the kubelet, words separated by NUL; empty if it runs but is unreadable.
   */
  private Optional<String> kubelet() {
    return KUBELETS.stream()
        .map(sys.path()::resolve)
        .filter(Files::isDirectory)
        .findFirst()
        .map(folder -> process(folder).stream().mapToObj(this::commandLine).findFirst().orElse(""));
  }

  private static OptionalLong process(Path folder) {
    return SmallFile.text(folder.resolve("cgroup.procs"))
        .toOptional()
        .map(
            text ->
                text.lines()
                    .filter(line -> line.matches("[1-9][0-9]{0,9}"))
                    .mapToLong(Long::parseLong))
        .orElseGet(LongStream::empty)
        .findFirst();
  }

  private String commandLine(long pid) {
    Reading<byte[]> words = SmallFile.head(proc.process(pid).resolve("cmdline"), MAX_COMMAND_LINE);
    return words.toOptional().map(all -> new String(all, StandardCharsets.UTF_8)).orElse("");
  }

  private boolean slurm() {
    return slurmd.getAsBoolean()
        || SLURMDS.stream().map(sys.path()::resolve).anyMatch(Files::isDirectory);
  }

  private boolean has(String file) {
    return Files.exists(rootfs.resolve(file));
  }
}
