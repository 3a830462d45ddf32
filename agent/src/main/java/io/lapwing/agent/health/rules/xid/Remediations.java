package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.MachineChanges;
import java.util.Optional;

/** Derives remediations from events, in their order. */
public final class Remediations {

  private final MachineChanges machines = new MachineChanges();

  public Remediations() {}

  /** The remediation of a GPU that this event implies; empty if none. */
  public Optional<Action> of(Event event, String gpu) {
    if (machines.isChange(event)
        || (event instanceof Event.GpuRemoved removed && removed.gpu().equals(gpu))) {
      return Optional.of(Action.REPLACE_NODE);
    }
    if (event instanceof Event.Booted) {
      return Optional.of(Action.REBOOT_NODE);
    }
    return event.restarts(gpu) ? Optional.of(Action.RESET_GPU) : Optional.empty();
  }
}
