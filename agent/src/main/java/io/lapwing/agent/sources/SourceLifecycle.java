package io.lapwing.agent.sources;

import io.lapwing.agent.config.Settings;
import io.lapwing.agent.privacy.Privacy;
import io.lapwing.agent.privacy.PrivateSources;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The sources under the current settings. Unaffected ones keep running with their counts; those of
 * a changed setting are recreated.
 */
public final class SourceLifecycle {

  private final Poller poller;
  private final List<SourceDefinition> roots;
  private final Privacy privacy;
  private final Map<SourceDefinition, SourceGroup> families = new HashMap<>();
  private volatile Settings settings;

  /** Starts no source yet; {@code roots} have the order of the /metrics page. */
  public SourceLifecycle(
      Poller poller, List<SourceDefinition> roots, Settings settings, Privacy privacy) {
    this.privacy = privacy;
    this.poller = poller;
    this.roots = List.copyOf(roots);
    this.settings = settings;
  }

  public synchronized void start() {
    roots.forEach(root -> follow(root, settings));
    poller.start();
  }

  /**
   * Applies changed settings. A hung source is never removed: adding it again would repeat the
   * stuck call. A later reload applies its change.
   */
  public synchronized void change(Settings now) {
    Settings before = settings;
    List<String> hung = hung();
    settings = now;
    for (SourceDefinition root : roots) {
      SourceGroup running = families.get(root);
      boolean stays =
          root.wanted().test(now)
              && root.dependencies().apply(now).equals(root.dependencies().apply(before));
      if (running != null && !stays && hung.stream().noneMatch(running::has)) {
        running.close();
        families.remove(root);
      }
      follow(root, now);
    }
    if (!now.collectors().equals(before.collectors())) {
      poller.collectorsChanged();
    }
  }

  private void follow(SourceDefinition root, Settings now) {
    if (root.wanted().test(now) && !families.containsKey(root)) {
      SourceGroup family = new SourceGroup(poller);
      families.put(root, family);
      FilteredSources switched =
          new FilteredSources(PrivateSources.of(family, privacy), this::enabled);
      switched.add(root.source().apply(now, switched));
    }
  }

  private List<String> hung() {
    return poller.activities().stream()
        .filter(SourceActivity::hung)
        .map(SourceActivity::source)
        .toList();
  }

  boolean enabled(String collector) {
    return settings.collectors().enabled(collector);
  }

  /**
   * The keys that cannot be applied now: their source hangs, and a stuck call is never repeated.
   */
  public synchronized Set<String> keysOfHungSources() {
    Set<String> held = new HashSet<>();
    List<String> hung = hung();
    families.forEach(
        (root, family) -> {
          if (hung.stream().anyMatch(family::has)) {
            held.addAll(root.keys());
          }
        });
    return held;
  }
}
