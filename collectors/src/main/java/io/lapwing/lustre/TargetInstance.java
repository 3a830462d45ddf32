package io.lapwing.lustre;

import io.lapwing.collect.Reading;
import io.lapwing.linux.KernelText;
import java.util.Optional;

/** One mount's connection to a target, with what was seen of it. Used by its source's thread. */
final class TargetInstance {

  final LustreName name;
  final StateWatch states = new StateWatch();
  final Attendance stats = new Attendance();
  final Attendance rpcStats = new Attendance();

  /** The file {@code import} of this round. */
  Reading<KernelText> importText = new Reading.Missing<>("import");

  /** How the connection stood in this round. */
  Optional<ImportState> state = Optional.empty();

  TargetInstance(LustreName name) {
    this.name = name;
  }

  /** Whether a file was asked for in vain before it was read for the first time. */
  static final class Attendance {
    private boolean missed;
    private boolean seen;

    /** Takes whether it was read now, and hands it on. */
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
