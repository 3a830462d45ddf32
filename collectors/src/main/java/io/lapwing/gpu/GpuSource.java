package io.lapwing.gpu;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Series;
import io.lapwing.nvml.FieldKey;
import io.lapwing.nvml.FieldValues;
import io.lapwing.nvml.Nvml;
import io.lapwing.nvml.NvmlField;
import io.lapwing.nvml.NvmlGpu;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One GPU as a source: opened once the driver answers, all due fields read together each round,
 * closed when the driver is unloaded. Runs on the source's own thread, except {@link #up}.
 */
public final class GpuSource extends FixedSource {

  /** In every batch, so that a round without other fields still notices a lost GPU. */
  private static final FieldKey KEEP_ALIVE = NvmlField.TOTAL_ENERGY.whole();

  private static final Comparator<FieldKey> BY_ID =
      Comparator.<FieldKey>comparingInt(key -> key.field().id()).thenComparingInt(FieldKey::scope);

  /** Switching collectors on and off makes new lists. */
  private static final int MAX_LISTS = 64;

  private final int index;
  private final GpuContext context;
  private final NvmlDriver driver;
  private final List<GpuSubject> subjects;

  /** By the identity of the list of due collectors, of which there are few. */
  private final IdentityHashMap<List<Collector>, List<FieldKey>> wanted = new IdentityHashMap<>();

  private @Nullable OpenGpu open;
  private FieldValues values = FieldValues.NONE;
  private double energy;

  /** Of the GPU that was open last: if the driver has fewer GPUs, indices move. */
  private String uuid = "";

  private volatile Optional<Series> up = Optional.empty();

  /** A GPU with a handle, valid while the driver has this generation. */
  record OpenGpu(NvmlGpu gpu, GpuIdentity identity, GpuLabels labels, long driverGeneration) {}

  /** The source of a GPU that is not yet open; the subjects are its own, since some keep state. */
  public GpuSource(int index, GpuContext context, List<GpuSubject> subjects) {
    super(name(index), GPUS);
    this.index = index;
    this.context = context;
    this.driver = context.driver();
    this.subjects = List.copyOf(subjects);
    subjects.stream().map(SubjectCollector::new).forEach(this::add);
  }

  static String name(int index) {
    return "gpu" + index;
  }

  @Override
  public Optional<Series> up() {
    return up;
  }

  @Override
  public Access begin(List<Collector> due) {
    Optional<String> released = driver.release().why();
    if (released.isPresent() || !driver.release().enter(this)) {
      close();
      return new Access.Down(GpuRelease.REASON, released.orElse("released"));
    }
    Reading<OpenGpu> device = device();
    if (device instanceof Reading.Present<OpenGpu> present) {
      if (wanted.size() > MAX_LISTS) {
        wanted.clear();
      }
      values = present.value().gpu().fields(wanted.computeIfAbsent(due, GpuSource::fields));
      if (wasReset()) {
        close();
        return begin(due);
      }
      return values.failure().map(this::down).orElse(Access.READY);
    }
    return down(device.failure().orElse("unsupported"));
  }

  /**
   * The energy counter restarts with a reset, which changes what a GPU supports, such as ECC; a
   * handle caches what was unsupported. An H100 takes 4 ms of CPU time to answer, but a reset must
   * be detected before the next XID.
   */
  private boolean wasReset() {
    double before = energy;
    energy = values.get(KEEP_ALIVE).toOptional().orElse(before);
    return energy < before;
  }

  @Override
  public void close() {
    OpenGpu device = open;
    if (device != null) {
      device.gpu().close();
      open = null;
    }
    driver.release().leave(this);
  }

  private Access down(String reason) {
    driver.suspect(reason);
    return new Access.Down(reason, name() + " does not answer: " + reason);
  }

  /** The open device; opened again if the driver was initialised since. */
  private Reading<OpenGpu> device() {
    OpenGpu device = open;
    if (device != null && device.driverGeneration() == driver.generation()) {
      return Reading.of(device);
    }
    open = null;
    Reading<OpenGpu> opened = open();
    opened.toOptional().ifPresent(this::remember);
    return opened;
  }

  private Reading<OpenGpu> open() {
    long generation = driver.generation();
    Optional<Nvml> nvml = driver.nvml();
    if (nvml.isEmpty()) {
      return new Reading.Failed<>(name(), "driver_not_loaded");
    }
    Reading<NvmlGpu> handle = nvml.get().gpu(index);
    if (!(handle instanceof Reading.Present<NvmlGpu> present)) {
      return handle.map(unreachable -> null);
    }
    NvmlGpu gpu = present.value();
    return GpuIdentity.read(gpu)
        .map(
            identity ->
                new OpenGpu(
                    gpu,
                    identity,
                    context
                        .view()
                        .labelling()
                        .labels(identity, new LabelField.Facts(identity, driver.versions(), gpu)),
                    generation));
  }

  private void remember(OpenGpu device) {
    if (!device.identity().uuid().equals(uuid)) {
      uuid = device.identity().uuid();
      energy = 0;
      subjects.forEach(GpuSubject::forget);
    }
    open = device;
    up = Optional.of(new Series(GpuMetrics.UP, device.labels().of(GpuMetrics.UP)));
    context
        .roster()
        .present(
            new GpuRoster.Known(
                device.identity(),
                device.labels().foreign(),
                device.labels().own(),
                device.driverGeneration()));
  }

  private static List<FieldKey> fields(List<Collector> due) {
    Set<FieldKey> wanted = new HashSet<>();
    wanted.add(KEEP_ALIVE);
    due.forEach(collector -> wanted.addAll(((SubjectCollector) collector).subject.fields()));
    return wanted.stream().sorted(BY_ID).toList();
  }

  private final class SubjectCollector implements Collector {

    private final GpuSubject subject;

    SubjectCollector(GpuSubject subject) {
      this.subject = subject;
    }

    @Override
    public String name() {
      return subject.name();
    }

    @Override
    public Cadence cadence() {
      return subject.cadence();
    }

    @Override
    public void collect(SampleSink sink) {
      OpenGpu device = open;
      if (device != null) {
        subject.collect(
            new GpuRound(
                device,
                values,
                context.view().selection(),
                context.clock().instant(),
                context.nanoTime().getAsLong(),
                sink));
      }
    }
  }
}
