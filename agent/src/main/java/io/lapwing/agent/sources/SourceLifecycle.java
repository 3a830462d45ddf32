package io.lapwing.agent.sources;

import io.lapwing.agent.config.Settings;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is read of this node under the settings of the moment. When they change, what they do not
 * touch is read on, with its counts; only what is made of other settings now is made anew.
 */
public final class SourceLifecycle {

  private final Poller poller;
  private final List<SourceDefinition> roots;
  private final Map<SourceDefinition, SourceGroup> families = new HashMap<>();
  private volatile Settings settings;

  /**
   * Nothing is read yet.
   *
   * @param roots in the order in which they stand on the page
   */
  public SourceLifecycle(Poller poller, List<SourceDefinition> roots, Settings settings) {
    this.poller = poller;
    this.roots = List.copyOf(roots);
    this.settings = settings;
  }

  /** Begins to read. */
  public synchronized void start() {
    roots.forEach(root -> follow(root, settings));
    poller.start();
  }

  /**
   * Goes on under other settings. A source that hangs is not let go, lest it be called a second
   * time when it is wanted again: it loses its collectors, and the next change lets it go.
   */
  public synchronized void change(Settings now) {
    Settings before = settings;
    List<String> hung = hung();
    settings = now;
    for (SourceDefinition root : roots) {
      SourceGroup running = families.get(root);
      boolean stays =
          root.wanted().test(now) && root.madeOf().apply(now).equals(root.madeOf().apply(before));
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
      FilteredSources switched = new FilteredSources(family, this::enabled);
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
   * The keys that cannot be taken up now: a source hangs that would have to be made anew, and there
   * is never a second call to one that has not come back.
   */
  public synchronized Set<String> heldByHangs() {
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
