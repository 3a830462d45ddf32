package io.lapwing.drain.cluster;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The state of a node in its scheduler.
 *
 * @param service whether new work may start there
 * @param reason why it is out of service, as set by whoever drained it; empty if none
 * @param reasonBy the account that wrote the reason; empty if unknown
 * @param groups partitions or node groups
 * @param registered whether the node answers its scheduler
 * @param instanceId of the cloud; empty if the scheduler does not have it
 * @param booted when the node was booted, by its scheduler
 * @param gpus number of GPUs; 0 if unknown
 * @param more properties that not every scheduler has
 */
public record NodeState(
    NodeName name,
    Service service,
    String reason,
    String reasonBy,
    Set<String> groups,
    boolean registered,
    String instanceId,
    Optional<Instant> booted,
    int gpus,
    More more) {

  /** With which the reason of a node begins that the controller took. */
  public static final String OURS = "lapwing-drain ";

  private static final Pattern ALONE = Pattern.compile(OURS + "\\d+-\\d+(?: : reboot .*)?");

  private static final Pattern OF_SOME_REMEDIATION =
      Pattern.compile(OURS + "\\d+-\\d+(?: : .*)?", Pattern.DOTALL);

  public NodeState {
    groups = Set.copyOf(groups);
  }

  /** Of a scheduler without further properties. */
  public NodeState(
      NodeName name,
      Service service,
      String reason,
      String reasonBy,
      Set<String> groups,
      boolean registered,
      String instanceId,
      Optional<Instant> booted,
      int gpus) {
    this(name, service, reason, reasonBy, groups, registered, instanceId, booted, gpus, More.NONE);
  }

  /**
   * Properties that not every scheduler has; empty if unknown.
   *
   * @param features of Slurm, or labels of Kubernetes
   * @param nvlinkDomain of nodes whose GPUs share a fabric
   * @param instanceType as in the price list: {@code p5.48xlarge}
   * @param serial of the host, the same in all of its instances
   * @param heldBy another program that is at work on the node: {@code EKS node repair}
   * @param bootId of the kernel, which shows a reboot if {@link #booted} is unknown
   * @param leftOver our reason, on a node from which another user has removed a part of our marks,
   *     and thereby taken it over
   * @param mayAct sentences about other programs that may repair, reboot or delete the node by
   *     themselves
   * @param registration of the node in its scheduler; another one means a new registration
   * @param absent whether it has no machine at present: its scheduler starts one for a job, if the
   *     node may take one
   */
  public record More(
      Set<String> features,
      String nvlinkDomain,
      String instanceType,
      String serial,
      String heldBy,
      String bootId,
      String leftOver,
      List<String> mayAct,
      String registration,
      boolean absent) {

    public static final More NONE = new More(Set.of(), "", "", "", "");

    /** Of a scheduler without a boot id, whose mark is the drain itself. */
    public More(
        Set<String> features,
        String nvlinkDomain,
        String instanceType,
        String serial,
        String heldBy) {
      this(features, nvlinkDomain, instanceType, serial, heldBy, "", "", List.of(), "", false);
    }

    public More {
      features = Set.copyOf(features);
      mayAct = List.copyOf(mayAct);
    }

    /** Of a scheduler that has only these. */
    public More(
        Set<String> features,
        String nvlinkDomain,
        String instanceType,
        String heldBy,
        List<String> mayAct,
        boolean absent) {
      this(features, nvlinkDomain, instanceType, "", heldBy, "", "", mayAct, "", absent);
    }
  }

  /** Whether new work may start on a node. */
  public enum Service {
    IN_SERVICE,
    /** Drained or draining: running work goes on. */
    DRAINED,
    /** Down, failed, in maintenance or powered down: not ours. */
    OUT
  }

  /** Sentences about the other programs that act on it, or may. */
  public List<String> others() {
    List<String> all = new ArrayList<>();
    if (!more.heldBy().isEmpty()) {
      all.add(more.heldBy() + " is at work on the node");
    }
    all.addAll(more.mayAct());
    return all;
  }

  /** Whether it is out of service for that reason; schedulers may append to it. */
  public boolean heldFor(String ours) {
    return service != Service.IN_SERVICE && isFor(ours);
  }

  /** Whether the controller took it out of service, for any remediation. */
  public boolean isOurs() {
    return service != Service.IN_SERVICE && OF_SOME_REMEDIATION.matcher(reason).matches();
  }

  /**
   * The reason of a controller, if the node has it unchanged; also of its taint or annotations that
   * remain after another user has uncordoned the node.
   */
  public Optional<String> mark() {
    return Optional.of(service == Service.IN_SERVICE ? more.leftOver() : reason)
        .filter(ours -> ALONE.matcher(ours).matches());
  }

  /** Whether another party took it out of service. */
  public boolean heldByOthers(String ours) {
    return service != Service.IN_SERVICE && !isFor(ours);
  }

  /**
   * Slurm appends {@code " : reboot issued"}; any other addition means that a person has taken the
   * node over.
   */
  private boolean isFor(String ours) {
    return reason.equals(ours) || reason.startsWith(ours + " : ");
  }
}
