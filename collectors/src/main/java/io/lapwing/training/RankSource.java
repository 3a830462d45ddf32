package io.lapwing.training;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.PageShare;
import io.lapwing.collect.Part;
import io.lapwing.collect.SampleSink;
import io.lapwing.training.StepFile.Rejection;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One rank of a training job as a source, read from its step file.
 *
 * <pre>
 * lapwing_training_steps_total{job_id="4711",run="base",rank="3",local_rank="3",gpu="3"} 1200
 * lapwing_training_tokens_per_second{...} 12345.6
 * lapwing_training_phase{...,phase="training"} 1
 * </pre>
 *
 * After the loop has ended or its file has become unreadable, {@link #isOver} is true and {@link
 * StepFiles} removes the source.
 */
final class RankSource extends FixedSource {

  private static final Access ENDED = new Access.NothingHere("the training loop has ended");
  private static final Access GONE =
      new Access.NothingHere("its process ended without having ended the training loop");
  private static final Access UNREADABLE =
      new Access.NothingHere("its file is no longer read; the training source has the reason");

  /**
   * The GPU is looked up on each of the first 12 reads: MIG instances and the processes on them are
   * read later than the GPUs. A GPU that is unknown then is looked up on every 12th read.
   */
  private static final int GPU_LOOKUPS = 12;

  /** Of a loop that makes progress, the writer is checked on every 12th read. */
  private static final int READS_PER_CHECK = 12;

  private static final int READS_PER_RUN_DELAY = 3;

  /** Without a record, from which on the writer is checked. */
  private static final long QUIET = TimeUnit.SECONDS.toNanos(1);

  private final String part;
  private final StepFile file;
  private final RankWriter writer;
  private final RankContext context;
  private final StepRecordReader reader;
  private final RankStats stats;
  private final DurableCheckpoint checkpoint;
  private volatile RankLabels labels;
  private Optional<TrainingGpus.RankGpu> gpu = Optional.empty();
  private boolean gpuSettled;
  private int gpuLookups;
  private long reads;
  private volatile boolean over;
  private volatile @Nullable Rejection why;
  private volatile ProcessState state = ProcessState.ACTIVE;
  private volatile Phase phase = Phase.UNKNOWN;
  private volatile long lastSign;
  private volatile long lastAlive;
  private OptionalDouble runDelay = OptionalDouble.empty();

  /** The source of an accepted file, with its name among the parts: {@code 4711/3}. */
  RankSource(RankNames names, StepFile file, RankWriter writer, RankContext context) {
    super(names.source(), TrainingSource.KIND, FILES);
    add(TrainingSource.COLLECTOR, Cadence.FAST, this::collect);
    this.part = names.part();
    this.file = file;
    this.writer = writer;
    this.context = context;
    this.reader = new StepRecordReader(file, context.faults());
    this.stats = new RankStats(context.faults(), context.now());
    this.checkpoint = new DurableCheckpoint(context.faults());
    this.labels = new RankLabels(file.header(), writer, part, Optional.empty());
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

  RankWriter writer() {
    return writer;
  }

  /** Whether it is no longer read. Thread-safe. */
  boolean isOver() {
    return over;
  }

  Optional<Rejection> why() {
    return Optional.ofNullable(why);
  }

  /** When its writer last wrote, in nanoseconds since the epoch, by its own clock. Thread-safe. */
  long lastSign() {
    return lastSign;
  }

  RankLabels labels() {
    return labels;
  }

  /**
   * When its process was last known to exist, in nanoseconds since the epoch: by a record, or by a
   * check of its lock. Thread-safe.
   */
  long lastAlive() {
    return Math.max(lastAlive, lastSign);
  }

  /**
   * When the loop ended, in nanoseconds since the epoch, by its own clock; empty if it has not,
   * also after its file was removed. Thread-safe.
   */
  OptionalLong ended() {
    try {
      return file.endedNow();
    } catch (IOException | StepFile.RejectedException unreadable) {
      return OptionalLong.empty();
    }
  }

  /** What its loop did when its file was last read. */
  Phase phase() {
    return phase;
  }

  /** Whether its process has ended, after its file was removed. Thread-safe. */
  boolean isProcessGone() {
    try {
      RankWriter.of(file, context.processes());
      return false;
    } catch (StepFile.RejectedException gone) {
      return gone.why() == Rejection.PROCESS_GONE;
    }
  }

  @Override
  public PageShare share() {
    return writer.isVerified() ? PageShare.TRAINING : PageShare.UNVERIFIED_TRAINING;
  }

  @Override
  public Optional<NameOwner> nameOwner() {
    return Optional.of(new NameOwner(writer.user(), writer.standing() == RankWriter.Standing.JOB));
  }

  @Override
  public Access begin(List<Collector> due) {
    if (!over) {
      try {
        readFile();
      } catch (StepFile.RejectedException rejected) {
        end(rejected.why());
      } catch (IOException failed) {
        end(StepFile.reason(failed));
      }
    }
    return over ? reason(why) : Access.READY;
  }

  private static Access reason(@Nullable Rejection why) {
    return why == null ? ENDED : why == Rejection.PROCESS_GONE ? GONE : UNREADABLE;
  }

  private void readFile() throws StepFile.RejectedException, IOException {
    file.refresh();
    phase = file.phase();
    if (phase == Phase.ENDED) {
      over = true;
      return;
    }
    checkpoint.update(file, context.now().getAsLong());
    long before = stats.steps;
    RecordBlock block = context.blocks().take();
    try {
      reader.readNew(block, stats);
    } finally {
      context.blocks().release(block);
    }
    reads++;
    boolean idle = stats.steps == before;
    if (idle || isQuiet() || reads % READS_PER_CHECK == 0) {
      check();
    }
    OptionalLong pid = writer.pid();
    state =
        idle && pid.isPresent() ? context.processes().state(pid.getAsLong()) : ProcessState.ACTIVE;
    if (pid.isPresent() && reads % READS_PER_RUN_DELAY == 1) {
      runDelay = context.processes().runDelay(pid.getAsLong());
    }
    long written = Math.max(file.phaseSince(), file.waitingSince());
    lastSign = Math.max(stats.lastEnd().orElse(0), written);
    findGpu();
  }

  /** Its steps are new to this read, but it may have stopped since. */
  private boolean isQuiet() {
    return context.now().getAsLong() - stats.lastEnd().orElse(0) > QUIET;
  }

  /** Its process may have exited, or have been moved to the cgroup of a job. */
  private void check() throws StepFile.RejectedException {
    if (!RankWriter.of(file, context.processes()).equals(writer)) {
      end(Rejection.REPLACED);
    } else {
      lastAlive = context.now().getAsLong();
    }
  }

  private void end(Rejection reason) {
    why = reason;
    over = true;
  }

  private void findGpu() {
    if (gpuSettled) {
      return;
    }
    gpuLookups++;
    if (gpuLookups <= GPU_LOOKUPS || gpuLookups % GPU_LOOKUPS == 0) {
      Optional<TrainingGpus.RankGpu> found =
          context.gpu(file.header(), writer).filter(this::isMine);
      if (found.isPresent() && !found.equals(gpu)) {
        gpu = found;
        labels = new RankLabels(file.header(), writer, part, gpu);
      }
      gpuSettled = gpu.filter(this::isSettled).isPresent();
    }
  }

  private boolean isSettled(TrainingGpus.RankGpu found) {
    return found.share().isPresent() && (found.instance().isPresent() || gpuLookups >= GPU_LOOKUPS);
  }

  private boolean isMine(TrainingGpus.RankGpu found) {
    return gpu.isEmpty() || gpu.get().uuid().equals(found.uuid());
  }

  /** An unknown GPU is a whole one only on a node that divides none. */
  private OptionalDouble gpuShare() {
    if (gpu.isPresent()) {
      return gpu.get().share();
    }
    return file.header().isOnMigDevice() ? OptionalDouble.empty() : context.gpus().share();
  }

  @Override
  public void close() {
    file.close();
  }

  private void collect(SampleSink sink) {
    RankSamples samples = new RankSamples(file, labels, sink);
    samples.put(stats, reader.missed(), context, gpuShare());
    samples.put(checkpoint.state());
    sink.add(TrainingMetrics.VERIFIED, labels.base, writer.isVerified() ? 1 : 0);
    sink.add(TrainingMetrics.OWNER, labels.base, (double) writer.user());
    labels.pod.ifPresent(pod -> sink.add(TrainingMetrics.POD, pod, 1));
    runDelay.ifPresent(
        seconds -> sink.add(TrainingMetrics.RUN_DELAY_SECONDS, labels.base, seconds));
    ProcessState now = state;
    if (now != ProcessState.ACTIVE) {
      sink.add(TrainingMetrics.PROCESS_STATE, labels.base.with("state", now.text()), 1);
    }
  }
}
