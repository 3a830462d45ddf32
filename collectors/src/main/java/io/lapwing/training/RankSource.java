package io.lapwing.training;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.Part;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One rank of a training job as a source: what its step file says.
 *
 * <pre>
 * lapwing_training_steps_total{job_id="4711",run="base",rank="3",local_rank="3",gpu="3"} 1200
 * lapwing_training_tokens_per_second{...} 12345.6
 * lapwing_training_phase{...,phase="training"} 1
 * </pre>
 *
 * Once its file can be read no more, it says so and reads it no more; who found it takes it away.
 */
final class RankSource implements Source {

  private static final Access OVER = new Access.NothingHere("the loop is over");

  /** A GPU that is not known yet is looked for at each of so many looks, then at every so many. */
  private static final int LOOKS_FOR_GPU = 12;

  private final String name;
  private final String part;
  private final StepFile file;
  private final RankSurroundings around;
  private final RecordTrail trail;
  private final RankFigures figures;
  private final List<Collector> collectors = List.of(new Steps());
  private volatile RankLabels labels;
  private boolean gpuKnown;
  private int looksForGpu;
  private volatile boolean over;
  private volatile @Nullable Rejection why;

  /**
   * Of a file that was accepted.
   *
   * @param name of the source
   * @param part its name among the parts of the node: {@code 4711/3}
   */
  RankSource(String name, String part, StepFile file, RankSurroundings around) {
    this.name = name;
    this.part = part;
    this.file = file;
    this.around = around;
    this.trail = new RecordTrail(file, around.faults());
    this.figures = new RankFigures(around.faults(), around.now());
    this.labels = new RankLabels(file.header(), part, Optional.empty());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Optional<String> parent() {
    return Optional.of(TrainingSource.KIND);
  }

  @Override
  public String lane() {
    return TrainingSource.KIND;
  }

  @Override
  public Optional<Part> part() {
    return labels.part;
  }

  String partName() {
    return part;
  }

  StepFile file() {
    return file;
  }

  /** Whether it is read no more. May be asked by anybody. */
  boolean isOver() {
    return over;
  }

  /** Why not; empty where the loop ended as it should. */
  Optional<Rejection> why() {
    return Optional.ofNullable(why);
  }

  @Override
  public List<Collector> collectors() {
    return collectors;
  }

  @Override
  public Access begin(List<Collector> due) {
    if (!over) {
      try {
        look();
      } catch (RejectedFile rejected) {
        end(rejected.why());
      } catch (IOException failed) {
        end(StepFile.reason(failed));
      }
    }
    return over ? OVER : Access.READY;
  }

  private void look() throws RejectedFile, IOException {
    file.refresh();
    if (file.phase() == Phase.ENDED) {
      over = true;
      return;
    }
    long before = figures.steps;
    RecordBlock block = around.blocks().take();
    try {
      trail.follow(block, figures);
    } finally {
      around.blocks().giveBack(block);
    }
    // A loop that goes on lives; only of one that does not it is asked whether it does.
    if (figures.steps == before && !around.liveness().isAlive(file, lastSign())) {
      end(Rejection.PROCESS_GONE);
    }
    findGpu();
  }

  private long lastSign() {
    return Math.max(
        file.header().created(),
        Math.max(
            figures.lastEnd().orElse(0), Math.min(file.phaseSince(), around.now().getAsLong())));
  }

  private void end(Rejection reason) {
    why = reason;
    over = true;
  }

  private void findGpu() {
    if (gpuKnown) {
      return;
    }
    looksForGpu++;
    if (looksForGpu <= LOOKS_FOR_GPU || looksForGpu % LOOKS_FOR_GPU == 0) {
      Optional<TrainingGpu> gpu = around.gpu(file.header());
      if (gpu.isPresent()) {
        gpuKnown = true;
        labels = new RankLabels(file.header(), part, gpu);
      }
    }
  }

  @Override
  public void close() {
    file.close();
  }

  private final class Steps implements Collector {

    @Override
    public String name() {
      return TrainingSource.COLLECTOR;
    }

    @Override
    public Cadence cadence() {
      return Cadence.FAST;
    }

    @Override
    public void collect(SampleSink sink) {
      new RankSamples(file, labels, sink).put(figures, trail.missed(), around);
    }
  }
}
