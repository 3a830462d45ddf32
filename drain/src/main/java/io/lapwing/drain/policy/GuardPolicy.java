package io.lapwing.drain.policy;

import java.util.List;
import java.util.Set;

/**
 * Limits of actions besides the budget.
 *
 * @param optOut a node with this feature or label is left alone
 * @param only nodes with one of these features or labels, or in one of these partitions or node
 *     groups, are acted upon; all if empty
 * @param windows in which actions are permitted or refused
 * @param blockingAlerts nothing is done while one of them fires
 */
public record GuardPolicy(
    String optOut, Set<String> only, List<Window> windows, Set<String> blockingAlerts) {

  public static final GuardPolicy DEFAULT =
      new GuardPolicy("lapwing-drain-off", Set.of(), List.of(), Set.of());

  public GuardPolicy {
    only = Set.copyOf(only);
    windows = List.copyOf(windows);
    blockingAlerts = Set.copyOf(blockingAlerts);
  }
}
