package io.lapwing.training;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.Part;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.SourceSet;
import io.lapwing.linux.UserFolder;
import io.lapwing.metric.Labels;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * The training loops of this node. Finds the step files of the ranks, starts a source for each
 * valid one, and exposes
 *
 * <pre>
 * lapwing_training_ranks 8                                             sources that it started
 * lapwing_training_files_rejected_total{reason="process_gone"} 2       files that are not read
 * lapwing_training_records_rejected_total{reason="torn"} 0             records of those that are
 * </pre>
 *
 * <p>The folder is listed when its modification time changed, checked at the fast cadence and when
 * inotify reports a change, and about once a minute. Another user may flood it; it is then listed
 * on every third check, or on each while files wait to be opened.
 */
public final class TrainingSource extends FixedSource {

  public static final String COLLECTOR = "training";

  /** {@link Part#kind} of the ranks. */
  public static final String KIND = "training";

  static final String SUFFIX = ".steps";

  private static final int SCANS_PER_SWEEP = 12;
  private static final int SCANS_WHERE_CROWDED = 3;

  private final UserFolder folder;
  private final StepFolderWatch watch;
  private final Access noFolder;
  private final StepFiles files;
  private final RejectionCounts faults = new RejectionCounts();
  private final InstantSource clock;
  private long scans;
  private boolean changed;

  /**
   * Training loops in a folder, which need not exist.
   *
   * @param accounts the account of a uid: the ranks of one have a common limit
   * @param clock the time of day
   * @param warnings for the log
   */
  public TrainingSource(
      Path folder,
      SourceSet sources,
      TrainingProcesses processes,
      TrainingGpus gpus,
      LongFunction<String> accounts,
      PeakFlops peaks,
      InstantSource clock,
      Consumer<String> warnings) {
    super(KIND, Part.whole(KIND));
    add(COLLECTOR, Cadence.FAST, this::collect);
    this.clock = clock;
    this.folder = new UserFolder(folder, SUFFIX);
    this.watch = new StepFolderWatch(folder, () -> sources.wake(KIND));
    this.noFolder = new Access.NothingHere("no folder " + folder);
    this.files =
        new StepFiles(
            this.folder,
            sources,
            new RankContext(
                faults,
                processes,
                gpus,
                accounts,
                peaks,
                new RecordBlock.Pool(),
                this::nanos,
                warnings));
  }

  private long nanos() {
    Instant now = clock.instant();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }

  @Override
  public Access begin(List<Collector> due) {
    try {
      scan();
      return Access.READY;
    } catch (NoSuchFileException none) {
      files.dropAll();
      folder.unsettle();
      watch.awaitFolder();
      return noFolder;
    } catch (IOException failed) {
      folder.unsettle();
      String reason = failed instanceof AccessDeniedException ? "no_permission" : "io";
      return new Access.Down(reason, "the steps folder cannot be read: " + reason);
    }
  }

  private void scan() throws IOException {
    files.dropEnded();
    changed |= folder.changed() || files.waiting();
    watch.follow(folder.key());
    boolean sweep = scans % SCANS_PER_SWEEP == 0;
    boolean time = files.waiting() || !files.crowded() || scans % SCANS_WHERE_CROWDED == 0;
    scans++;
    if (sweep) {
      files.recheckAll();
    }
    if (sweep || (changed && time)) {
      changed = false;
      files.scan();
    }
  }

  @Override
  public void close() {
    watch.stop();
  }

  private void collect(SampleSink sink) {
    sink.add(TrainingMetrics.RANKS, Labels.NONE, files.size());
    sink.add(TrainingMetrics.RANKS_OMITTED, Labels.NONE, (double) files.omitted());
    files.gone().put(sink);
    faults.put(sink);
  }
}
