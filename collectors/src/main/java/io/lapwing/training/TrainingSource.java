package io.lapwing.training;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.Part;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import io.lapwing.metric.Labels;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The training loops of this node together. It looks for the files in which ranks leave the records
 * of their steps, starts a source for each that can be believed, and shows
 *
 * <pre>
 * lapwing_training_ranks 8                                             sources that it started
 * lapwing_training_files_rejected_total{reason="process_gone"} 2       files that are not read
 * lapwing_training_records_rejected_total{reason="torn"} 0             records of those that are
 * </pre>
 *
 * <p>A second is how long a new rank may wait: asking the folder's time costs a few microseconds,
 * and the folder is listed only where that moved, and once a minute. Who else may write to the
 * folder can fill it; then it is listed every ten seconds, and what comes behind the first 12,000
 * names is not seen.
 */
public final class TrainingSource implements Source {

  public static final String COLLECTOR = "training";

  /** What the ranks are parts of: {@link Part#kind}. */
  public static final String KIND = "training";

  private static final Access NO_FOLDER = new Access.NothingHere("no folder of step files");
  private static final int LOOKS_OF_A_SWEEP = 60;
  private static final int LOOKS_WHERE_CROWDED = 10;

  private final StepsFolder folder;
  private final StepFiles files;
  private final FaultCounts faults = new FaultCounts();
  private final InstantSource clock;
  private final Optional<Part> part = Optional.of(Part.whole(KIND));
  private final List<Collector> collectors = List.of(new Ranks());
  private long looks;
  private boolean changed;

  /**
   * The source of what ranks there are.
   *
   * @param folder of the step files; it need not be there
   * @param sources where the ranks' sources are started and stopped
   * @param clock the time of day by which the loops write
   */
  public TrainingSource(
      Path folder,
      SourceSet sources,
      TrainingProcesses processes,
      TrainingGpus gpus,
      PeakFlops peaks,
      InstantSource clock) {
    this.clock = clock;
    this.folder = new StepsFolder(folder);
    this.files =
        new StepFiles(
            this.folder,
            sources,
            new RankSurroundings(
                faults,
                new Liveness(processes, this::nanos),
                gpus,
                peaks,
                new BlockPool(),
                this::nanos));
  }

  private long nanos() {
    Instant now = clock.instant();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }

  @Override
  public String name() {
    return KIND;
  }

  @Override
  public Optional<Part> part() {
    return part;
  }

  @Override
  public List<Collector> collectors() {
    return collectors;
  }

  @Override
  public Access begin(List<Collector> due) {
    try {
      look();
      return Access.READY;
    } catch (NoSuchFileException none) {
      files.dropAll();
      folder.unsettle();
      return NO_FOLDER;
    } catch (IOException failed) {
      folder.unsettle();
      String reason = failed instanceof AccessDeniedException ? "no_permission" : "io";
      return new Access.Down(reason, "the folder of step files cannot be read: " + reason);
    }
  }

  private void look() throws IOException {
    files.dropOver();
    changed |= folder.changed() || files.waiting();
    boolean sweep = looks % LOOKS_OF_A_SWEEP == 0;
    boolean time = files.waiting() || !files.crowded() || looks % LOOKS_WHERE_CROWDED == 0;
    looks++;
    if (sweep) {
      files.doubt();
    }
    if (sweep || (changed && time)) {
      changed = false;
      files.look();
    }
  }

  private final class Ranks implements Collector {

    @Override
    public String name() {
      return COLLECTOR;
    }

    @Override
    public Cadence cadence() {
      return Cadence.QUICK;
    }

    @Override
    public void collect(SampleSink sink) {
      sink.add(TrainingMetrics.RANKS, Labels.NONE, files.size());
      faults.put(sink);
    }
  }
}
