package io.lapwing.node;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What schedules work on a node and replaces it; each has its own commands. */
public enum Platform {
  SLURM("Slurm on EC2", true),
  PARALLELCLUSTER("AWS ParallelCluster", true),
  PCS("AWS PCS", true),
  HYPERPOD_SLURM("SageMaker HyperPod on Slurm", true),
  HYPERPOD_EKS("SageMaker HyperPod on EKS", false),
  EKS_NODE_GROUP("EKS managed node group", false),
  KARPENTER("Karpenter on EKS", false);

  private final String title;
  private final boolean slurm;

  Platform(String title, boolean slurm) {
    this.title = title;
    this.slurm = slurm;
  }

  /** As in settings, tables and JSON: {@code hyperpod-eks}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String title() {
    return title;
  }

  /** Whether Slurm schedules the work; otherwise Kubernetes does. */
  public boolean isSlurm() {
    return slurm;
  }

  public static Optional<Platform> of(String id) {
    return Arrays.stream(values()).filter(one -> one.id().equals(id)).findFirst();
  }

  @Override
  public String toString() {
    return id();
  }

  /**
   * The platform of a node.
   *
   * @param platform empty if it is not recognized
   * @param why what shows it, or what is missing
   */
  public record Found(Optional<Platform> platform, String why) {

    public static final Found UNKNOWN = new Found(Optional.empty(), "not detected");

    static Found of(Platform platform, String why) {
      return new Found(Optional.of(platform), why);
    }
  }
}
