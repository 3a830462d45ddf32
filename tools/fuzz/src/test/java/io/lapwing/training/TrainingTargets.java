package io.lapwing.training;

import static io.lapwing.fuzz.Target.demand;

import io.lapwing.fuzz.Scratch;
import io.lapwing.fuzz.Target;
import java.io.IOException;
import java.util.List;

/** The step files of training loops, which any user may write. */
public final class TrainingTargets {

  private TrainingTargets() {}

  public static List<Target> all() {
    return List.of(
        Target.ofBytes("step-file", TrainingTargets::file)
            .recordings("collectors/src/test/resources/io/lapwing/training/*.steps"));
  }

  private static void checkpoint(StepFile file) throws IOException, StepFile.RejectedException {
    long now = 2_000_000_000_000_000_000L;
    DurableCheckpoint checkpoint = new DurableCheckpoint(new RejectionCounts());
    checkpoint.update(file, now);
    DurableCheckpoint.State state = checkpoint.state();
    demand(state.step().orElse(0) >= 0, "a negative step");
    demand(state.durable().orElse(0) >= 0 && state.durable().orElse(0) <= now, "not yet durable");
    demand(state.unsaved().orElse(0) >= 0 && state.unsaved().orElse(0) <= now, "not yet unsaved");
  }

  private static void file(byte[] input) throws IOException {
    try (StepFile file = StepFile.open(Scratch.file("a.steps", input))) {
      StepHeader header = file.header();
      demand(header.job().length() <= StepLayout.NAME_BYTES, "a name that is too long");
      RankNames.safe(header.job() + header.run() + header.framework());
      file.refresh();
      file.phase();
      checkpoint(file);
      RecordBlock block = new RecordBlock();
      for (int slot = 0; slot < header.capacity(); slot += RecordBlock.MAX_RECORDS) {
        int count = Math.min(RecordBlock.MAX_RECORDS, header.capacity() - slot);
        block.load(file, slot, count);
        for (int place = 0; place < count; place++) {
          block.choose(place);
          demand(!block.isWhole(slot + place) || !block.isOverwritten(slot + place), "both");
        }
      }
    } catch (StepFile.RejectedException declared) {
      // Counted under its reason.
    }
  }
}
