package io.lapwing.lustre;

import io.lapwing.collect.Reading;
import io.lapwing.linux.KernelText;
import java.util.Optional;

/** One mount's connection to a target, with its state. For its source's thread. */
final class TargetInstance {

  final LustreName name;
  final StateWatch states = new StateWatch();
  final FirstRead stats = new FirstRead();
  final FirstRead rpcStats = new FirstRead();

  /** {@code import} as of this round. */
  Reading<KernelText> importText = new Reading.Missing<>("import");

  /** Connection state as of this round. */
  Optional<ImportState> state = Optional.empty();

  TargetInstance(LustreName name) {
    this.name = name;
  }

  /** Whether reading a file failed before it succeeded for the first time. */
  static final class FirstRead {
    private boolean missed;
    private boolean seen;

    /** Registers the result of a read and returns it. */
    <T> Optional<T> note(Optional<T> read) {
      seen |= read.isPresent();
      missed |= !seen;
      return read;
    }

    boolean late() {
      return missed;
    }
  }
}
