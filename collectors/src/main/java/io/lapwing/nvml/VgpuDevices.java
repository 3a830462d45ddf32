package io.lapwing.nvml;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlStructs.GridLicensableFeature;
import io.lapwing.nvml.NvmlStructs.GridLicensableFeatures;
import io.lapwing.nvml.NvmlStructs.VgpuInstanceUtilizationSample;
import io.lapwing.nvml.NvmlStructs.VgpuLicenseInfo;
import io.lapwing.nvml.Vgpu.License;
import io.lapwing.nvml.Vgpu.Utilization;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The vGPUs that are active on a GPU of a host. They come and go meanwhile: one that vanishes while
 * it is read is left out.
 */
final class VgpuDevices {

  /** A GPU has 32 at most; a larger number would be garbage. */
  private static final int MOST = 128;

  private static final int TEXT = 96;
  private static final int TYPE_TEXT = 64;
  private static final int MOST_PERCENT = 100;

  /** {@code NVML_GRID_LICENSE_FEATURE_MAX_COUNT}. */
  private static final int MOST_FEATURES = 3;

  /** {@code NVML_GRID_LICENSE_FEATURE_CODE_VGPU}. */
  private static final int FEATURE_VGPU = 1;

  /** {@code NVML_VALUE_TYPE_UNSIGNED_INT}. */
  private static final int UNSIGNED_INT = 1;

  private final NvmlLibrary library;
  private final Pointer gpu;
  private final NativeCalls calls = new NativeCalls();
  private final Out out = new Out(TEXT + Long.BYTES);

  /** By the id of the type, for which name and size do not change. */
  private final Map<Integer, String> names = new HashMap<>();

  private final Map<Integer, Long> sizes = new HashMap<>();

  /** The time of the newest sample of utilisation, in microseconds. */
  private long sampled;

  VgpuDevices(NvmlLibrary library, Pointer gpu) {
    this.library = library;
    this.gpu = gpu;
  }

  Reading<List<Vgpu>> read() {
    return active().map(this::read);
  }

  private List<Vgpu> read(List<Integer> active) {
    Reading<Map<Integer, Utilization>> busy =
        active.isEmpty() ? Reading.of(Map.of()) : utilization();
    List<Vgpu> found = new ArrayList<>();
    for (int id : active) {
      read(id, busy.map(all -> Optional.ofNullable(all.get(id)))).ifPresent(found::add);
    }
    return List.copyOf(found);
  }

  private Reading<List<Integer>> active() {
    Memory count = new Memory(Integer.BYTES);
    Memory ids = new Memory((long) MOST * Integer.BYTES);
    count.setInt(0, MOST);
    return calls.call(
        "nvmlDeviceGetActiveVgpus",
        () -> library.nvmlDeviceGetActiveVgpus(gpu, count, ids),
        () -> list(within(count.getInt(0)), i -> ids.getInt((long) i * Integer.BYTES)));
  }

  private static int within(int count) {
    return Math.max(0, Math.min(count, MOST));
  }

  private static List<Integer> list(int count, IntFunction<Integer> value) {
    List<Integer> list = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      list.add(value.apply(i));
    }
    return list;
  }

  /** Without a UUID it has ended, or has no label to identify it. */
  private Optional<Vgpu> read(int id, Reading<Optional<Utilization>> utilization) {
    Optional<String> uuid =
        text(
                "nvmlVgpuInstanceGetUUID",
                TEXT,
                () -> library.nvmlVgpuInstanceGetUUID(id, out.start(), TEXT))
            .toOptional();
    if (uuid.isEmpty() || uuid.get().isEmpty()) {
      return Optional.empty();
    }
    Reading<Long> used =
        call(
            "nvmlVgpuInstanceGetFbUsage",
            () -> library.nvmlVgpuInstanceGetFbUsage(id, out.start()),
            out::int64);
    if (is(used, NvmlReturn.NOT_FOUND)) {
      return Optional.empty();
    }
    Reading<Integer> type =
        call(
            "nvmlVgpuInstanceGetType",
            () -> library.nvmlVgpuInstanceGetType(id, out.start()),
            out::int32);
    return Optional.of(
        new Vgpu(
            uuid.get(),
            type.toOptional().map(this::name).orElse(""),
            vmId(id),
            type.flatMap(this::size),
            used,
            license(id),
            utilization));
  }

  private String vmId(int id) {
    Memory kind = new Memory(Integer.BYTES);
    return text(
            "nvmlVgpuInstanceGetVmID",
            TEXT,
            () -> library.nvmlVgpuInstanceGetVmID(id, out.start(), TEXT, kind))
        .toOptional()
        .orElse("");
  }

  private String name(int type) {
    String known = names.get(type);
    if (known != null) {
      return known;
    }
    Memory size = new Memory(Integer.BYTES);
    size.setInt(0, TYPE_TEXT);
    Optional<String> read =
        text(
                "nvmlVgpuTypeGetName",
                TYPE_TEXT,
                () -> library.nvmlVgpuTypeGetName(type, out.start(), size))
            .toOptional();
    read.ifPresent(name -> names.put(type, name));
    return read.orElse("");
  }

  private Reading<Long> size(int type) {
    Long known = sizes.get(type);
    if (known != null) {
      return Reading.of(known);
    }
    Reading<Long> read =
        call(
            "nvmlVgpuTypeGetFramebufferSize",
            () -> library.nvmlVgpuTypeGetFramebufferSize(type, out.start()),
            out::int64);
    read.toOptional().ifPresent(size -> sizes.put(type, size));
    return read;
  }

  /** A guest without its driver has no licence yet; that is no failure. */
  private Reading<Optional<License>> license(int id) {
    Reading<Optional<License>> read =
        call(
            "nvmlVgpuInstanceGetLicenseInfo_v2",
            () -> library.nvmlVgpuInstanceGetLicenseInfo_v2(id, out.start()),
            () ->
                Optional.of(
                    license(
                        out.int32(VgpuLicenseInfo.CURRENT_STATE),
                        out.byteAt(VgpuLicenseInfo.IS_LICENSED))));
    return is(read, NvmlReturn.DRIVER_NOT_LOADED) ? Reading.of(Optional.empty()) : read;
  }

  private static License license(int state, int licensed) {
    License[] known = License.values();
    return state > 0 && state < known.length
        ? known[state]
        : licensed == 0 ? License.UNKNOWN : License.LICENSED;
  }

  /** Of the time since the last call. Not found: no vGPU has a sample. */
  private Reading<Map<Integer, Utilization>> utilization() {
    Memory type = new Memory(Integer.BYTES);
    Memory count = new Memory(Integer.BYTES);
    Memory samples = new Memory((long) MOST * VgpuInstanceUtilizationSample.SIZE);
    type.clear();
    count.setInt(0, MOST);
    Reading<Map<Integer, Utilization>> read =
        call(
            "nvmlDeviceGetVgpuUtilization",
            () -> library.nvmlDeviceGetVgpuUtilization(gpu, sampled, type, count, samples),
            () ->
                type.getInt(0) == UNSIGNED_INT
                    ? samples(samples, within(count.getInt(0)))
                    : Map.of());
    return is(read, NvmlReturn.NOT_FOUND) ? Reading.of(Map.of()) : read;
  }

  private Map<Integer, Utilization> samples(Memory samples, int count) {
    Map<Integer, Utilization> found = new HashMap<>();
    for (int i = 0; i < count; i++) {
      int at = i * VgpuInstanceUtilizationSample.SIZE;
      sampled = Math.max(sampled, samples.getLong(at + VgpuInstanceUtilizationSample.TIME_STAMP));
      found.put(
          samples.getInt(at + VgpuInstanceUtilizationSample.VGPU_INSTANCE),
          new Utilization(
              percent(samples, at + VgpuInstanceUtilizationSample.SM_UTIL),
              percent(samples, at + VgpuInstanceUtilizationSample.MEM_UTIL),
              percent(samples, at + VgpuInstanceUtilizationSample.ENC_UTIL),
              percent(samples, at + VgpuInstanceUtilizationSample.DEC_UTIL)));
    }
    return found;
  }

  private static Optional<Integer> percent(Memory samples, int at) {
    int value = samples.getInt(at);
    return value >= 0 && value <= MOST_PERCENT ? Optional.of(value) : Optional.empty();
  }

  /** In a virtual machine, of its own vGPU. */
  Reading<Boolean> licensed() {
    Memory features = new Memory(GridLicensableFeatures.SIZE);
    features.clear();
    return call(
        "nvmlDeviceGetGridLicensableFeatures_v4",
        () -> library.nvmlDeviceGetGridLicensableFeatures_v4(gpu, features),
        () -> isLicensed(features));
  }

  /** As DCGM reads it: not where licences do not exist. */
  private static boolean isLicensed(Memory features) {
    int count = features.getInt(GridLicensableFeatures.LICENSABLE_FEATURES_COUNT);
    for (int i = 0; i < Math.min(count, MOST_FEATURES); i++) {
      int at = GridLicensableFeatures.GRID_LICENSABLE_FEATURES + i * GridLicensableFeature.SIZE;
      if (features.getInt(at + GridLicensableFeature.FEATURE_CODE) == FEATURE_VGPU) {
        return features.getInt(GridLicensableFeatures.IS_GRID_LICENSE_SUPPORTED) != 0
            && features.getInt(at + GridLicensableFeature.FEATURE_STATE) != 0;
      }
    }
    return false;
  }

  private Reading<String> text(String question, int length, IntSupplier function) {
    return call(question, function, () -> out.string(0, length));
  }

  private <T> Reading<T> call(String question, IntSupplier function, Supplier<T> value) {
    return calls.call(question, function, value);
  }

  private static boolean is(Reading<?> reading, NvmlReturn why) {
    return reading.failure().filter(why.reason()::equals).isPresent();
  }

  List<String> absences() {
    return calls.absences().stream().map(line -> "vGPU: " + line).toList();
  }
}
