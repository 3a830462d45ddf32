package io.lapwing.training;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** When a file last told of its loop. */
final class LastSign {

  private LastSign() {}

  /** In nanoseconds since the epoch: its creation, a change of phase, or the end of a step. */
  static long of(StepFile file, RankSurroundings around) {
    long since = Math.min(file.phaseSince(), around.now().getAsLong());
    return Math.max(Math.max(file.header().created(), since), lastEnd(file, around));
  }

  private static long lastEnd(StepFile file, RankSurroundings around) {
    long last = file.written() - 1;
    if (last < 0) {
      return 0;
    }
    RecordBlock block = around.blocks().take();
    try {
      block.load(file, (int) (last % file.header().capacity()), 1);
      block.choose(0);
      double seconds = block.number(StepLayout.AT_DURATION);
      return block.isWhole(last) && seconds > 0
          ? block.integer(StepLayout.AT_START) + (long) (seconds * TimeUnit.SECONDS.toNanos(1))
          : 0;
    } catch (IOException | RejectedFile unreadable) {
      return 0;
    } finally {
      around.blocks().giveBack(block);
    }
  }
}
