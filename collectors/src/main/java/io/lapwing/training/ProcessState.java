package io.lapwing.training;

import io.lapwing.metric.LabelWord;

/** The state of a process, of those in {@code PID/stat} that explain why it does not proceed. */
public enum ProcessState implements LabelWord {
  /** Running, or waiting for something in the usual way; or unknown. */
  ACTIVE,
  /** {@code T}, {@code t}: by a signal or a debugger. */
  STOPPED,
  /** {@code D}: in a system call that no signal interrupts, such as a read of a hung disk. */
  BLOCKED,
  /** {@code Z}, {@code X}: it has ended, and its parent has not fetched its exit status. */
  ENDED;

  static ProcessState of(char letter) {
    return switch (letter) {
      case 'T', 't' -> STOPPED;
      case 'D' -> BLOCKED;
      case 'Z', 'X', 'x' -> ENDED;
      default -> ACTIVE;
    };
  }
}
