package io.lapwing.node;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What nodes should have: {@code instances.csv}, and what the operator says otherwise.
 *
 * @param askedGpus empty goes by the instance type
 * @param askedEfaDevices empty goes by the instance type
 */
public record Inventory(InstanceTypes types, OptionalInt askedGpus, OptionalInt askedEfaDevices) {

  /** What a node of that identity should have. */
  public Expectation of(NodeIdentity node) {
    Optional<InstanceType> type = types.find(node.instanceType().text());
    return new Expectation(
        type,
        first(askedGpus, type.map(InstanceType::gpus).map(OptionalInt::of)),
        first(askedEfaDevices, type.map(InstanceType::certainEfaDevices)));
  }

  private static OptionalInt first(OptionalInt asked, Optional<OptionalInt> byType) {
    return asked.isPresent() ? asked : byType.orElse(OptionalInt.empty());
  }
}
