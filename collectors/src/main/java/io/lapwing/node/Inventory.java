package io.lapwing.node;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * The hardware that nodes should have: {@code instances.csv} and the operator's overrides.
 *
 * @param configuredGpus if empty, those of the instance type
 * @param configuredEfaDevices if empty, those of the instance type
 */
public record Inventory(
    InstanceTypes types, OptionalInt configuredGpus, OptionalInt configuredEfaDevices) {

  /** The expectation for a node. */
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
   * The hardware that a node should have.
   *
   * @param type its instance type; empty if unknown or not in the table
   * @param gpus from the configuration, else from the type
   * @param efaDevices from the configuration, else the maximum of the type
   */
  public record Expectation(
      Optional<InstanceType> type, OptionalInt gpus, OptionalInt efaDevices) {}
}
