package io.lapwing.agent.actions;

import io.lapwing.agent.health.Action;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A step of taking a node out of service, repairing it and giving it back, in this order. */
public enum Step {
  DRAIN("Drain the node"),
  RESET_GPU("Reset a GPU"),
  REBOOT_NODE("Reboot the node"),
  REPLACE_NODE("Replace the node"),
  GIVE_BACK("Return the node to service");

  private final String title;

  Step(String title) {
    this.title = title;
  }

  /** As in the table and in JSON: {@code reset_gpu}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  public String title() {
    return title;
  }

  static Optional<Step> of(String id) {
    return Arrays.stream(values()).filter(one -> one.id().equals(id)).findFirst();
  }

  /** The steps of an action on the hardware; none for other actions. */
  public static List<Step> of(Action action) {
    return switch (action) {
      case NONE, WATCH, RESTART_APP, RESTART_SERVICE -> List.of();
      case RESET_GPU -> List.of(DRAIN, RESET_GPU, GIVE_BACK);
      case REBOOT_NODE -> List.of(DRAIN, REBOOT_NODE, GIVE_BACK);
      case REPLACE_NODE -> List.of(DRAIN, REPLACE_NODE, GIVE_BACK);
    };
  }
}
