package io.lapwing.agent.privacy;

import io.lapwing.metric.Labels;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Labels of jobs or pods by GPU as they are shown; the same object until one changes. Thread-safe.
 */
public final class ShownHolders implements Supplier<Map<String, List<Labels>>> {

  private final Supplier<Map<String, List<Labels>>> holders;
  private final Privacy privacy;
  private Map<String, List<Labels>> known = Map.of();
  private Map<String, List<Labels>> shown = Map.of();

  public ShownHolders(Supplier<Map<String, List<Labels>>> holders, Privacy privacy) {
    this.holders = holders;
    this.privacy = privacy;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // a new object signals a change
  public synchronized Map<String, List<Labels>> get() {
    Map<String, List<Labels>> now = holders.get();
    if (now != known) {
      known = now;
      shown = privacy.holders(now);
    }
    return shown;
  }
}
