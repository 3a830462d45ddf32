package io.lapwing.nvml;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlStructs.GpmMetricsGet;
import io.lapwing.nvml.NvmlStructs.GpmSupport;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Two alternating GPM samples of a GPU or of a GPU instance: each reading is the average since the
 * previous one.
 */
final class GpmSampler {

  /** The device updates its counters every 100 ms; an earlier sample would be equal. */
  private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(110);

  private static final int METRICS_GET_VERSION = 1;
  private static final int SUPPORT_VERSION = 1;

  private final NvmlLibrary library;
  private final Pointer device;
  private final String call;
  private final ToIntFunction<Pointer> take;
  private final LongSupplier nanoTime;
  private final NativeCalls calls = new NativeCalls();
  private final Out support = new Out(GpmSupport.SIZE);
  private @Nullable Samples samples;

  private GpmSampler(
      NvmlLibrary library,
      Pointer device,
      String call,
      ToIntFunction<Pointer> take,
      LongSupplier nanoTime) {
    this.library = library;
    this.device = device;
    this.call = call;
    this.take = take;
    this.nanoTime = nanoTime;
  }

  GpmSampler(NvmlLibrary library, Pointer device, LongSupplier nanoTime) {
    this(
        library,
        device,
        "nvmlGpmSampleGet",
        sample -> library.nvmlGpmSampleGet(device, sample),
        nanoTime);
  }

  /** Of a GPU instance of the device. */
  static GpmSampler ofInstance(
      NvmlLibrary library, Pointer device, int gpuInstance, LongSupplier nanoTime) {
    return new GpmSampler(
        library,
        device,
        "nvmlGpmMigSampleGet",
        sample -> library.nvmlGpmMigSampleGet(device, gpuInstance, sample),
        nanoTime);
  }

  Reading<GpmValues> read(Collection<GpmMetric> metrics) {
    Samples taken = samples;
    if (taken == null) {
      Reading<Samples> allocated = allocate();
      if (!(allocated instanceof Reading.Present<Samples> present)) {
        return allocated.map(unreachable -> GpmValues.NONE);
      }
      taken = present.value();
      samples = taken;
    }
    return sample(taken, metrics);
  }

  /** GPUs before Hopper return success with a 0 in the struct. */
  private Reading<Samples> allocate() {
    Reading<Boolean> supported =
        calls.call(
            "nvmlGpmQueryDeviceSupport",
            () -> {
              support.start().setInt(GpmSupport.VERSION, SUPPORT_VERSION);
              return library.nvmlGpmQueryDeviceSupport(device, support.start());
            },
            () -> support.int32(GpmSupport.IS_SUPPORTED_DEVICE) != 0);
    if (supported instanceof Reading.Present<Boolean> present && !present.value()) {
      return calls.remember(
          "nvmlGpmQueryDeviceSupport", new Reading.Unsupported<>("nvmlGpmQueryDeviceSupport"));
    }
    if (!(supported instanceof Reading.Present)) {
      return supported.map(unreachable -> new Samples(Pointer.NULL, Pointer.NULL));
    }
    return pair();
  }

  private Reading<Samples> pair() {
    PointerByReference first = new PointerByReference();
    PointerByReference second = new PointerByReference();
    Reading<Samples> allocated =
        calls.call(
            "nvmlGpmSampleAlloc",
            () -> {
              int answer = library.nvmlGpmSampleAlloc(first);
              return answer == 0 ? library.nvmlGpmSampleAlloc(second) : answer;
            },
            () -> new Samples(first.getValue(), second.getValue()));
    if (!(allocated instanceof Reading.Present) && first.getValue() != null) {
      free(first.getValue());
    }
    return allocated;
  }

  private Reading<GpmValues> sample(Samples taken, Collection<GpmMetric> metrics) {
    long now = nanoTime.getAsLong();
    if (taken.count > 0 && now - taken.nanos < SHORTEST_NANOS) {
      return Reading.of(taken.latest.repeated());
    }
    Reading<Boolean> got = calls.call(call, () -> take.applyAsInt(taken.next()), () -> true);
    if (!(got instanceof Reading.Present)) {
      taken.forget();
      return got.map(unreachable -> GpmValues.NONE);
    }
    double seconds = (now - taken.nanos) / 1e9;
    taken.advance(now);
    if (taken.count < 2) {
      return Reading.of(GpmValues.NONE);
    }
    Reading<GpmValues> averages = metrics(taken, metrics, seconds);
    taken.latest = averages.toOptional().orElse(GpmValues.NONE);
    return averages;
  }

  private Reading<GpmValues> metrics(Samples taken, Collection<GpmMetric> metrics, double seconds) {
    taken.metricsGet.clear();
    ByteBuffer get = taken.fields;
    get.putInt(GpmMetricsGet.VERSION, METRICS_GET_VERSION);
    get.putInt(GpmMetricsGet.NUM_METRICS, metrics.size());
    taken.metricsGet.setPointer(GpmMetricsGet.SAMPLE1, taken.older());
    taken.metricsGet.setPointer(GpmMetricsGet.SAMPLE2, taken.newer());
    int at = GpmMetricsGet.METRICS;
    for (GpmMetric metric : metrics) {
      get.putInt(at + NvmlStructs.GpmMetric.METRIC_ID, metric.id());
      at += NvmlStructs.GpmMetric.SIZE;
    }
    return calls.call(
        "nvmlGpmMetricsGet",
        () -> library.nvmlGpmMetricsGet(taken.metricsGet),
        () -> new GpmValues(seconds, values(get, metrics, taken.latest)));
  }

  private static Map<GpmMetric, Reading<Double>> values(
      ByteBuffer get, Collection<GpmMetric> metrics, GpmValues before) {
    Map<GpmMetric, Reading<Double>> values = new EnumMap<>(GpmMetric.class);
    int at = GpmMetricsGet.METRICS;
    for (GpmMetric metric : metrics) {
      values.put(metric, value(get, at, metric, before.values().get(metric)));
      at += NvmlStructs.GpmMetric.SIZE;
    }
    return values;
  }

  /** The library returns NaN for a counter without data. */
  private static Reading<Double> value(
      ByteBuffer get, int at, GpmMetric metric, @Nullable Reading<Double> before) {
    NvmlReturn answer = NvmlReturn.of(get.getInt(at + NvmlStructs.GpmMetric.NVML_RETURN));
    if (answer == NvmlReturn.SUCCESS) {
      double raw = get.getDouble(at + NvmlStructs.GpmMetric.VALUE);
      return Double.isNaN(raw)
          ? new Reading.Failed<>(question(metric), NvmlReturn.NO_DATA.reason())
          : Reading.of(metric.scaled(raw), before);
    }
    String question = question(metric);
    return answer.meansUnsupported() || answer == NvmlReturn.INVALID_ARGUMENT
        ? new Reading.Unsupported<>(question)
        : new Reading.Failed<>(question, answer.reason());
  }

  private static String question(GpmMetric metric) {
    return "GPM " + metric.id();
  }

  List<String> absences() {
    return calls.absences();
  }

  /** A sample that was refused, as during a reconfiguration of MIG, may be taken now. */
  void askAgain() {
    calls.forget(call);
  }

  /** The calls that the device supports have changed. */
  void forget() {
    close();
    calls.forget();
  }

  void close() {
    Samples taken = samples;
    if (taken != null) {
      free(taken.first);
      free(taken.second);
      samples = null;
    }
  }

  private void free(Pointer sample) {
    calls.call("nvmlGpmSampleFree", () -> library.nvmlGpmSampleFree(sample), () -> true);
  }

  /** The two buffers, the newer of them, and when it was filled. */
  private static final class Samples {
    final Pointer first;
    final Pointer second;
    final Memory metricsGet = new Memory(GpmMetricsGet.LARGEST_SIZE);

    /** Of {@code metricsGet}, without a native call for each of them. */
    final ByteBuffer fields =
        metricsGet.getByteBuffer(0, GpmMetricsGet.LARGEST_SIZE).order(ByteOrder.nativeOrder());

    private boolean firstIsNewer;
    private int count;
    private long nanos;

    /** Returned again by a read that comes too soon. */
    private GpmValues latest = GpmValues.NONE;

    Samples(Pointer first, Pointer second) {
      this.first = first;
      this.second = second;
    }

    Pointer newer() {
      return firstIsNewer ? first : second;
    }

    Pointer older() {
      return firstIsNewer ? second : first;
    }

    Pointer next() {
      return older();
    }

    void advance(long now) {
      firstIsNewer = !firstIsNewer;
      nanos = now;
      count = Math.min(count + 1, 2);
    }

    /** After a failure the next sample starts a new interval, so that none spans the gap. */
    void forget() {
      count = 0;
      latest = GpmValues.NONE;
    }
  }
}
