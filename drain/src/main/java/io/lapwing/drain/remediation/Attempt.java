package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.health.Remedy;
import java.time.Instant;

/**
 * A repair that was begun, or may have been: written down before the command, so that it is never
 * begun twice.
 *
 * @param at when
 * @param bootId of the node before it; empty if unknown
 * @param instanceId of the node before it; empty if unknown
 */
public record Attempt(Remedy remedy, Instant at, String bootId, String instanceId) {

  /** Whether node and agent show that it was carried out. */
  boolean happened(NodeState node, NodeHealth health) {
    boolean known = !bootId.isEmpty() && !health.bootId().isEmpty();
    boolean booted =
        known
            ? !bootId.equals(health.bootId())
            : node.booted().filter(boot -> boot.isAfter(at)).isPresent();
    return switch (remedy) {
      case REPLACE_NODE -> instanceId.isEmpty() ? booted : !instanceId.equals(health.instanceId());
      case REBOOT_NODE -> booted;
      default -> true;
    };
  }
}
