package io.lapwing.drain.intake;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keys of recently handled requests, so that repetitions have no effect. Drops the oldest beyond a
 * number, which costs only a second check of the node. Not thread-safe.
 */
public final class SeenKeys {

  private final int most;
  private final Duration remembered;
  private final Map<String, Instant> keys = new LinkedHashMap<>();

  /**
   * @param most number of keys
   * @param remembered after which a repetition is handled as if it was new
   */
  public SeenKeys(int most, Duration remembered) {
    this.most = most;
    this.remembered = remembered;
  }

  /** Whether a key was added recently. */
  public boolean contains(String key, Instant now) {
    Instant added = keys.get(key);
    return added != null && now.isBefore(added.plus(remembered));
  }

  public void add(String key, Instant now) {
    keys.remove(key);
    keys.put(key, now);
    if (keys.size() > most) {
      keys.remove(keys.keySet().iterator().next());
    }
  }

  public void remove(String key) {
    keys.remove(key);
  }

  public int size() {
    return keys.size();
  }
}
