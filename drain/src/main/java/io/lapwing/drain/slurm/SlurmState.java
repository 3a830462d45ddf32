package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.NodeState.Service;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The state of a node, as {@code scontrol show node} prints it: a base state and flags, {@code
 * MIXED+CLOUD+DRAIN}. sinfo and old versions mark some flags with a sign after the base state.
 *
 * @param words all of them, in capitals
 */
record SlurmState(Set<String> words) {

  private static final Set<String> USABLE = Set.of("IDLE", "MIXED", "ALLOCATED", "COMPLETING");

  /**
   * Flags (slurm.h of 22.05 to 26.05) beside which new work starts, or will. RESERVED is one of
   * them although a person may set a node aside by a reservation: every reservation for jobs shows
   * it, too, and a node that fails is most needed out of the way of these jobs. A person's
   * reservation has the flag MAINT, which Slurm shows as MAINTENANCE.
   */
  private static final Set<String> HARMLESS =
      Set.of(
          "BLOCKED",
          "CLOUD",
          "COMPLETING",
          "DYNAMIC_FUTURE",
          "DYNAMIC_NORM",
          "EXTERNAL",
          "NOT_RESPONDING",
          "PLANNED",
          "POWERING_UP",
          "POWER_UP",
          "RESERVED");

  /** What the signs behind a base state mean: sinfo(1), NODE STATE CODES. */
  private static final List<String> SIGNS =
      List.of(
          "*NOT_RESPONDING",
          "~POWERED_DOWN",
          "#POWERING_UP",
          "!POWER_DOWN",
          "%POWERING_DOWN",
          "$MAINTENANCE",
          "@REBOOT_REQUESTED",
          "^REBOOT_ISSUED",
          "-PLANNED");

  SlurmState {
    words = Set.copyOf(words);
  }

  static SlurmState parse(String text) {
    String spelled = text;
    for (String sign : SIGNS) {
      spelled = spelled.replace(sign.substring(0, 1), "+" + sign.substring(1));
    }
    Set<String> words = new HashSet<>(Arrays.asList(spelled.split("\\+", -1)));
    words.remove("");
    return new SlurmState(words);
  }

  /**
   * An unknown word means out of service: the controller must not take a node in an unknown state.
   */
  Service service() {
    boolean usable =
        words.stream().anyMatch(USABLE::contains)
            && words.stream()
                .allMatch(
                    word -> USABLE.contains(word) || HARMLESS.contains(word) || draining(word));
    if (!usable) {
      return Service.OUT;
    }
    return is("DRAIN") ? Service.DRAINED : Service.IN_SERVICE;
  }

  /** A reboot that waits for the node to be drained and idle is a way of draining it. */
  private boolean draining(String word) {
    return word.equals("DRAIN") || (word.equals("REBOOT_REQUESTED") && is("DRAIN"));
  }

  boolean is(String word) {
    return words.contains(word);
  }

  /** Whether slurmd has registered and answers. */
  boolean registered() {
    return words.stream()
        .noneMatch(
            Set.of(
                    "NOT_RESPONDING",
                    "UNKNOWN",
                    "FUTURE",
                    "POWERED_DOWN",
                    "POWERING_DOWN",
                    "POWERING_UP",
                    "POWER_UP",
                    "REBOOT_ISSUED",
                    "INVALID_REG")
                ::contains);
  }

  /** Whether it is allocated to a job for which Slurm powers it up. */
  boolean startsForJob() {
    return (is("ALLOCATED") || is("MIXED"))
        && (is("POWERING_UP") || is("POWER_UP") || is("POWERED_DOWN"));
  }

  /** Whether it is switched off, or will be. */
  boolean powersDown() {
    return is("POWER_DOWN") || is("POWERING_DOWN") || is("POWERED_DOWN");
  }

  /** Whether Slurm has sent the node into a reboot that has not ended. */
  boolean rebooting() {
    return is("REBOOT_ISSUED");
  }

  @Override
  public String toString() {
    return String.join("+", words.stream().sorted().toList());
  }
}
