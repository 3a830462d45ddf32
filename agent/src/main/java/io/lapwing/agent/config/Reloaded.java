package io.lapwing.agent.config;

import java.util.List;

/**
 * What comes of reading the configuration anew.
 *
 * @param configuration what holds from now on: the new one, with the values of before where only a
 *     restart changes them
 * @param changes those that hold from now on
 * @param waiting those that a restart would bring
 */
public record Reloaded(Configuration configuration, List<Change> changes, List<Change> waiting) {

  public Reloaded {
    changes = List.copyOf(changes);
    waiting = List.copyOf(waiting);
  }
}
