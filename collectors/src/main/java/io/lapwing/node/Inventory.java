package io.lapwing.node;

import java.util.Optional;
import java.util.OptionalInt;

/** The hardware that nodes should have: {@code instances.csv} and the operator's overrides. */
public record Inventory(
    InstanceTypes types, OptionalInt configuredGpus, OptionalInt configuredEfaDevices) {

  public Expectation of(NodeIdentity node) {
    Optional<InstanceType> type = types.find(node.instanceType().text());
    return new Expectation(
        type,
        first(configuredGpus, type.map(InstanceType::gpus).map(OptionalInt::of)),
        first(configuredEfaDevices, type.map(InstanceType::certainEfaDevices)));
  }

  private static OptionalInt first(OptionalInt configured, Optional<OptionalInt> byType) {
    return configured.isPresent() ? configured : byType.orElse(OptionalInt.empty());
  }

  /**
   * The hardware that a node should have, from the configuration, else from its type, which is
   * empty if unknown; EFA devices are then the type's maximum.
   */
  public record Expectation(
      Optional<InstanceType> type, OptionalInt gpus, OptionalInt efaDevices) {}
}
