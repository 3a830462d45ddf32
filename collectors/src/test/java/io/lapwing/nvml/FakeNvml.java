package io.lapwing.nvml;

import io.lapwing.collect.Reading;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A driver without any native library: a script sets its GPUs and versions. */
public final class FakeNvml implements Nvml {

  private final List<FakeGpu> gpus;
  private final BlockingQueue<Reading<Optional<NvmlEvents.Xid>>> events =
      new LinkedBlockingQueue<>();
  private volatile DriverVersions versions = new DriverVersions("570.1", "12.570.1", "12.8");
  private volatile Optional<String> failure = Optional.empty();
  private volatile Reading<Boolean> eventSupport = Reading.of(true);
  private volatile int initialisations;
  private volatile int generation;
  private volatile boolean initialised;
  private volatile int eventSets;

  /** GPUs with the UUIDs {@code GPU-0}, {@code GPU-1} and so on. */
  public FakeNvml(int gpus) {
    this.gpus =
        new CopyOnWriteArrayList<>(
            IntStream.range(0, gpus).mapToObj(index -> new FakeGpu("GPU-" + index)).toList());
  }

  /** The GPU that has this index now. */
  public FakeGpu device(int index) {
    return gpus.get(index);
  }

  /** The next initialisation does not find it; those behind it move up. */
  public FakeGpu unplug(int index) {
    return gpus.remove(index);
  }

  /** The opposite of {@link #unplug}. */
  public void putBack(int index, FakeGpu gpu) {
    gpus.add(index, gpu);
  }

  public void versions(String driver, String nvml, String cuda) {
    versions = new DriverVersions(driver, nvml, cuda);
  }

  /** Every call to the driver fails from now on. */
  public void fails(String reason) {
    failure = Optional.of(reason);
    initialised &= !reason.equals("uninitialized");
  }

  public void recover() {
    failure = Optional.empty();
  }

  public int initialisations() {
    return initialisations;
  }

  /** The result of the next wait for an XID. */
  public void nextEvent(Reading<Optional<NvmlEvents.Xid>> answer) {
    events.add(answer);
  }

  public void xid(int gpu, long number) {
    nextEvent(Reading.of(Optional.of(new NvmlEvents.Xid(gpu, number, OptionalInt.empty()))));
  }

  public void eventSupport(Reading<Boolean> answer) {
    eventSupport = answer;
  }

  /** How many sets of events were opened so far. */
  public int eventSets() {
    return eventSets;
  }

  @Override
  public synchronized Reading<Boolean> init() {
    if (failure.isPresent()) {
      return new Reading.Failed<>("nvmlInit_v2", failure.get());
    }
    initialised = true;
    initialisations++;
    generation++;
    return Reading.of(true);
  }

  @Override
  public void shutdown() {
    initialised = false;
  }

  @Override
  public Reading<DriverVersions> versions() {
    return system("nvmlSystemGetDriverVersion", versions);
  }

  @Override
  public Reading<Integer> gpuCount() {
    return system("nvmlDeviceGetCount_v2", gpus.size());
  }

  private <T> Reading<T> system(String question, T value) {
    if (failure.isPresent()) {
      return new Reading.Failed<>(question, failure.get());
    }
    return initialised ? Reading.of(value) : new Reading.Failed<>(question, "uninitialized");
  }

  @Override
  public Reading<NvmlGpu> gpu(int index) {
    String question = "nvmlDeviceGetHandleByIndex_v2";
    if (index >= gpus.size()) {
      return new Reading.Failed<>(question, "invalid_argument");
    }
    Optional<String> lost = gpus.get(index).failure();
    return lost.isPresent()
        ? new Reading.Failed<>(question, lost.get())
        : system(question, handle(index));
  }

  /** A handle as of the present initialisation. */
  NvmlGpu handle(int index) {
    FakeGpu device = gpus.get(index);
    int since = generation;
    return (NvmlGpu)
        Proxy.newProxyInstance(
            NvmlGpu.class.getClassLoader(),
            new Class<?>[] {NvmlGpu.class},
            (proxy, method, arguments) -> answer(device, index, since, method, arguments));
  }

  private @Nullable Object answer(
      FakeGpu device, int index, int since, Method method, Object @Nullable [] arguments) {
    Object[] given = arguments == null ? new Object[0] : arguments;
    if (method.getDeclaringClass() == Object.class) {
      return ofObject(index, method, given);
    }
    device.called(method.getName());
    String failed = since == generation ? device.failure().orElse(null) : "uninitialized";
    return switch (method.getName()) {
      case "index" -> index;
      case "close" -> null;
      case "absences" -> device.absences();
      case "fields" -> device.values(keys(given[0]), failed);
      default ->
          failed == null
              ? device.answer(call(method, given))
              : new Reading.Failed<>(method.getName(), failed);
    };
  }

  private static Object ofObject(int index, Method method, Object[] given) {
    return switch (method.getName()) {
      case "hashCode" -> index;
      case "equals" -> given[0] instanceof NvmlGpu other && other.hashCode() == index;
      default -> "fake GPU " + index;
    };
  }

  private static List<FieldKey> keys(Object collection) {
    List<FieldKey> keys = new ArrayList<>();
    for (Object key : (Collection<?>) collection) {
      keys.add((FieldKey) key);
    }
    return keys;
  }

  private static String call(Method method, Object[] arguments) {
    return Arrays.stream(arguments)
        .filter(argument -> !(argument instanceof Collection))
        .map(argument -> argument instanceof NvmlGpu gpu ? gpu.index() : argument)
        .map(argument -> " " + argument)
        .collect(Collectors.joining("", method.getName(), ""));
  }

  @Override
  public synchronized Reading<NvmlEvents> xidEvents(List<NvmlGpu> listenedTo) {
    eventSets++;
    return eventSupport.map(yes -> new FakeEvents());
  }

  @Override
  public boolean simulated() {
    return true;
  }

  @Override
  public List<String> missingSymbols() {
    return List.of();
  }

  /** Answers what was put in, and else that the time is over. */
  private final class FakeEvents implements NvmlEvents {

    @Override
    public Reading<Optional<Xid>> await(Duration timeout) {
      try {
        Reading<Optional<Xid>> next = events.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
        return next == null ? Reading.of(Optional.empty()) : next;
      } catch (InterruptedException asked) {
        Thread.currentThread().interrupt();
        return new Reading.Failed<>("nvmlEventSetWait_v2", "timeout");
      }
    }

    @Override
    public void close() {}
  }
}
