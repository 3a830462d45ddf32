package io.lapwing.agent;

import io.lapwing.agent.config.Settings;
import io.lapwing.agent.poll.Poller;
import io.lapwing.agent.poll.SourceState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is read of this node under the settings of the moment. When they change, what they do not
 * touch is read on, with its counts; only what is made of other settings now is made anew.
 */
final class NodeReading {

  private final Poller poller;
  private final List<ReadRoot> roots;
  private final Map<ReadRoot, SourceFamily> families = new HashMap<>();
  private volatile Settings settings;

  /**
   * Nothing is read yet.
   *
   * @param roots in the order in which they stand on the page
   */
  NodeReading(Poller poller, List<ReadRoot> roots, Settings settings) {
    this.poller = poller;
    this.roots = List.copyOf(roots);
    this.settings = settings;
  }

  /** Begins to read. */
  synchronized void start() {
    roots.forEach(root -> follow(root, settings));
    poller.start();
  }

  /** Goes on under other settings. */
  synchronized void change(Settings now) {
    Settings before = settings;
    settings = now;
    for (ReadRoot root : roots) {
      SourceFamily running = families.get(root);
      boolean stays =
          root.wanted().test(now) && root.madeOf().apply(now).equals(root.madeOf().apply(before));
      if (running != null && !stays) {
        running.close();
        families.remove(root);
      }
      follow(root, now);
    }
    if (!now.collectors().equals(before.collectors())) {
      poller.collectorsChanged();
    }
  }

  private void follow(ReadRoot root, Settings now) {
    if (root.wanted().test(now) && !families.containsKey(root)) {
      SourceFamily family = new SourceFamily(poller);
      families.put(root, family);
      SwitchedSources switched = new SwitchedSources(family, this::enabled);
      switched.add(root.source().apply(now, switched));
    }
  }

  boolean enabled(String collector) {
    return settings.collectors().enabled(collector);
  }

  /**
   * The keys that cannot be taken up now: a source hangs that would have to be made anew, and there
   * is never a second call to one that has not come back.
   */
  synchronized Set<String> heldByHangs() {
    Set<String> held = new HashSet<>();
    List<String> hung =
        poller.states().stream().filter(SourceState::hung).map(SourceState::source).toList();
    families.forEach(
        (root, family) -> {
          if (hung.stream().anyMatch(family::has)) {
            held.addAll(root.keys());
          }
        });
    return held;
  }
}
