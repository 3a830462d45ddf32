package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.policy.Verb;
import java.time.Instant;
import java.util.Collections;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A repair that was begun, or may have been: written down before the command, so that it is never
 * begun twice.
 *
 * @param at when
 * @param bootId of the node before it; empty if unknown
 * @param instanceId of the node before it; empty if unknown
 * @param hardware by which the node is known over its instances; see {@link Lemons}
 * @param outcome empty while it runs
 */
public record Attempt(
    Remedy remedy,
    Instant at,
    String bootId,
    String instanceId,
    Set<String> hardware,
    Optional<Outcome> outcome) {

  public Attempt {
    hardware = Set.copyOf(hardware);
  }

  /** What came of it. */
  public enum Outcome {
    /** The node passed the gate. */
    HELPED,
    /** The node was not healthy before the deadline. */
    NOT_HELPED,
    /** The node was healthy, and did not pass the site's test. */
    TEST_FAILED,
    /** The driver reported that it failed. */
    FAILED,
    /** The driver cannot do it with this node. */
    REFUSED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  Attempt ended(Outcome how) {
    return outcome.isPresent()
        ? this
        : new Attempt(remedy, at, bootId, instanceId, hardware, Optional.of(how));
  }

  /** Whether node and agent show that it was carried out. */
  boolean happened(NodeState node, NodeHealth health) {
    return missing(node, health).isEmpty();
  }

  /** Whether the scheduler shows that the node has booted since. */
  boolean booted(NodeState node) {
    String now = node.more().bootId();
    return (bootId.isEmpty() || now.isEmpty())
        ? node.booted().filter(boot -> boot.isAfter(at)).isPresent()
        : !bootId.equals(now);
  }

  /** What node and agent do not show yet of its having been carried out; empty if they show it. */
  Optional<String> missing(NodeState node, NodeHealth health) {
    boolean known = !bootId.isEmpty() && !health.bootId().isEmpty();
    boolean booted = known ? !bootId.equals(health.bootId()) : booted(node);
    Optional<String> notBooted =
        booted
            ? Optional.empty()
            : Optional.of("it has not booted since the " + Verb.of(remedy).word() + " began");
    return switch (remedy) {
      case REPLACE_NODE ->
          hasOtherGpus(health)
              ? Optional.empty()
              : (instanceId.isEmpty() || health.instanceId().isEmpty())
                  ? notBooted
                  : Optional.of("its instance is still " + instanceId)
                      .filter(any -> instanceId.equals(health.instanceId()));
      case REBOOT_NODE -> notBooted;
      default -> Optional.empty();
    };
  }

  /** An instance that was stopped and started keeps its id, and runs on another host. */
  private boolean hasOtherGpus(NodeHealth health) {
    Set<String> before = gpus(hardware);
    Set<String> now = gpus(health.serials());
    return !before.isEmpty() && !now.isEmpty() && Collections.disjoint(before, now);
  }

  private static Set<String> gpus(Set<String> hardware) {
    return hardware.stream().filter(one -> one.startsWith("GPU-")).collect(Collectors.toSet());
  }
}
