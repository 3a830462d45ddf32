package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import java.util.Optional;

/** Derives remediations from events, in their order. */
public final class Remediations {

  private String instance = "";

  public Remediations() {}

  /** The remediation of a GPU that this event implies; empty if none. */
  public Optional<Action> of(Event event, String gpu) {
    if (event instanceof Event.Booted boot) {
      return Optional.of(booted(boot));
    }
    if (event instanceof Event.DriverLoaded
        || (event instanceof Event.GpuReset reset && reset.gpu().equals(gpu))) {
      return Optional.of(Action.RESET_GPU);
    }
    return Optional.empty();
  }

  /** Another instance with the same state directory is another machine. */
  private Action booted(Event.Booted boot) {
    boolean another =
        !instance.isEmpty() && !boot.instanceId().isEmpty() && !boot.instanceId().equals(instance);
    if (!boot.instanceId().isEmpty()) {
      instance = boot.instanceId();
    }
    return another ? Action.REPLACE_NODE : Action.REBOOT_NODE;
  }
}
