package io.lapwing.training;

import io.lapwing.metric.LabelWord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The last durable checkpoint of a rank, as its writer reports it. Keeps its values while those of
 * the header are impossible. Not thread-safe.
 */
final class DurableCheckpoint {

  private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

  /** 2000-01-01. */
  private static final long LONG_AGO = 946_684_800L * NANOS;

  private static final long AHEAD = 300 * NANOS;

  /** As many steps as a double counts exactly. */
  private static final long MAX_STEP = 1L << 53;

  private final RejectionCounts faults;
  private final ByteBuffer again =
      ByteBuffer.allocate(StepLayout.CHECKPOINT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private long sequence;
  private State state = State.NOT_REPORTED;

  /**
   * All times in nanoseconds since the epoch.
   *
   * @param step the last one in the checkpoint
   * @param durable since when it is durable; empty if none is
   * @param unsaved since when work is in no durable checkpoint; empty if checkpoints are not
   *     reported
   */
  record State(OptionalLong step, OptionalLong durable, OptionalLong unsaved, Reporter reporter) {

    static final State NOT_REPORTED =
        new State(
            OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), Reporter.UNKNOWN);
  }

  /** Who reports that a checkpoint is durable. The order is that of the numbers in the file. */
  enum Reporter implements LabelWord {
    UNKNOWN,
    /** The loop or its saver. */
    LOOP,
    /** The callback of a framework. */
    FRAMEWORK,
    /** Megatron's {@code latest_checkpointed_iteration.txt}. */
    MEGATRON,
    /** DeepSpeed's {@code latest}. */
    DEEPSPEED,
    /** {@code .metadata} of PyTorch's distributed checkpoint. */
    DCP;

    private static final Reporter[] ALL = values();

    static Reporter of(long number) {
      return number >= 0 && number < ALL.length ? ALL[(int) number] : UNKNOWN;
    }
  }

  DurableCheckpoint(RejectionCounts faults) {
    this.faults = faults;
  }

  State state() {
    return state;
  }

  /**
   * Takes the values of the header, which was just read; {@code now} in nanoseconds since the
   * epoch.
   */
  void update(StepFile file, long now) throws IOException, StepFile.RejectedException {
    ByteBuffer words = file.checkpoint();
    long found = words.getLong(0);
    if (found == sequence || found % 2 != 0) {
      return;
    }
    file.read(again, StepLayout.AT_CHECKPOINT);
    if (!again.flip().equals(words)) {
      return;
    }
    sequence = found;
    OptionalLong durable = time(words.getLong(2 * Long.BYTES), now);
    OptionalLong unsaved = time(words.getLong(3 * Long.BYTES), now);
    boolean isPossible =
        isPossible(durable)
            && isPossible(unsaved)
            && durable.orElse(0) >= state.durable().orElse(0);
    if (isPossible) {
      long step = words.getLong(Long.BYTES);
      state =
          new State(
              step >= 0 && step < MAX_STEP && durable.isPresent()
                  ? OptionalLong.of(step)
                  : OptionalLong.empty(),
              durable,
              unsaved,
              Reporter.of(words.getLong(4 * Long.BYTES)));
    } else {
      faults.record(RejectionCounts.RecordFault.BAD_CHECKPOINT);
    }
  }

  /** Empty for 0, and -1 for an impossible time; no time is later than now. */
  private static OptionalLong time(long nanos, long now) {
    if (nanos == 0) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(nanos < LONG_AGO || nanos > now + AHEAD ? -1 : Math.min(nanos, now));
  }

  private static boolean isPossible(OptionalLong time) {
    return time.orElse(0) >= 0;
  }
}
