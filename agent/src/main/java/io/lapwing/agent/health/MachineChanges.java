package io.lapwing.agent.health;

import io.lapwing.agent.events.Event;

/**
 * Detects, event by event in their order, that the state directory came to another machine: it
 * booted with another instance ID, or none of the known GPUs is left.
 */
public final class MachineChanges {

  private String instance = "";

  /** Whether this event shows another machine. */
  public boolean isChange(Event event) {
    if (event instanceof Event.Booted boot && !boot.instanceId().isEmpty()) {
      boolean another = !instance.isEmpty() && !boot.instanceId().equals(instance);
      instance = boot.instanceId();
      return another;
    }
    return event instanceof Event.MachineReplaced;
  }
}
