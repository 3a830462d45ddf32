package io.lapwing.nvml;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import io.lapwing.collect.Reading;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

public final class JnaNvml implements Nvml {

  /** As a driver installs it; a plain {@code libnvidia-ml.so} is a development file. */
  public static final String DEFAULT_LIBRARY = "libnvidia-ml.so.1";

  /**
   * Where installers put it below the root of a driver: rpm's, Debian's on both processors, COS'.
   */
  private static final List<String> FOLDERS =
      List.of(
          "usr/lib64", "usr/lib/x86_64-linux-gnu", "usr/lib/aarch64-linux-gnu", "lib64", "usr/lib");

  private static final String NOT_FOUND = "library_not_found";
  private static final String NOT_NVML = "not_nvml";
  private static final int VERSION_LENGTH = 80;

  private final NvmlLibrary library;
  private final LongSupplier nanoTime;
  private final ConcurrentSkipListSet<String> missing = new ConcurrentSkipListSet<>();

  JnaNvml(NvmlLibrary library, LongSupplier nanoTime) {
    this.library = library;
    this.nanoTime = nanoTime;
  }

  /**
   * Loads the library by path or name, or from below a folder, the root of a driver's container or
   * image; the driver is not touched yet. Fails with {@code library_not_found}, or {@code not_nvml}
   * where the file is no library or has no NVML in it.
   */
  public static Reading<Nvml> load(String nameOrPathOrRoot, LongSupplier nanoTime) {
    String asked = below(nameOrPathOrRoot);
    Reading<Nvml> notFound = new Reading.Failed<>(asked, NOT_FOUND);
    Optional<String> found = LibraryName.find(asked, FOLDERS);
    if (found.isEmpty()) {
      return notFound;
    }
    Reading<Nvml> loaded = loadFound(found.get(), nanoTime);
    // A file that the linker passes over, such as one for another processor, is no driver.
    return loaded instanceof Reading.Present || found.get().equals(asked) ? loaded : notFound;
  }

  private static Reading<Nvml> loadFound(String nameOrPath, LongSupplier nanoTime) {
    try {
      NvmlLibrary library = Native.load(nameOrPath, NvmlLibrary.class, Map.of());
      return hasNvml(nameOrPath)
          ? Reading.of(new JnaNvml(library, nanoTime))
          : new Reading.Failed<>(nameOrPath, NOT_NVML);
    } catch (UnsatisfiedLinkError notThere) {
      return new Reading.Failed<>(nameOrPath, isThere(nameOrPath) ? NOT_NVML : NOT_FOUND);
    }
  }

  private static String below(String root) {
    if (root.indexOf(File.separatorChar) < 0 || !new File(root).isDirectory()) {
      return root;
    }
    return Stream.concat(FOLDERS.stream(), Stream.of(""))
        .map(folder -> Path.of(root, folder, DEFAULT_LIBRARY))
        .filter(Files::exists)
        .findFirst()
        .orElse(Path.of(root, DEFAULT_LIBRARY))
        .toString();
  }

  /** Distinguishes a file that cannot be loaded from a missing one. */
  private static boolean isThere(String nameOrPath) {
    return nameOrPath.indexOf(File.separatorChar) >= 0 && new File(nameOrPath).exists();
  }

  private static boolean hasNvml(String nameOrPath) {
    NativeLibrary loaded = NativeLibrary.getInstance(nameOrPath, Map.of());
    return Stream.of("nvmlInit_v2", "nvmlInit").anyMatch(init -> has(loaded, init));
  }

  private static boolean has(NativeLibrary loaded, String function) {
    try {
      loaded.getFunction(function);
      return true;
    } catch (UnsatisfiedLinkError notThere) {
      return false;
    }
  }

  @Override
  public Reading<Boolean> init() {
    return new NativeCalls()
        .call("nvmlInit_v2", library::nvmlInit_v2, () -> true)
        .or(() -> new NativeCalls().call("nvmlInit", library::nvmlInit, () -> true));
  }

  @Override
  public void shutdown() {
    new NativeCalls().call("nvmlShutdown", library::nvmlShutdown, () -> true);
  }

  @Override
  public Reading<DriverVersions> versions() {
    Out out = new Out(VERSION_LENGTH);
    NativeCalls calls = new NativeCalls();
    Reading<String> driver =
        calls.call(
            "nvmlSystemGetDriverVersion",
            () -> library.nvmlSystemGetDriverVersion(out.start(), VERSION_LENGTH),
            out::string);
    if (!(driver instanceof Reading.Present<String> present)) {
      return driver.map(unreachable -> new DriverVersions("", "", ""));
    }
    return Reading.of(
        new DriverVersions(present.value(), nvmlVersion(calls, out), cudaVersion(calls, out)));
  }

  private String nvmlVersion(NativeCalls calls, Out out) {
    return calls
        .call(
            "nvmlSystemGetNVMLVersion",
            () -> library.nvmlSystemGetNVMLVersion(out.start(), VERSION_LENGTH),
            out::string)
        .toOptional()
        .orElse("");
  }

  /** NVML returns 1000 * major + 10 * minor. */
  private String cudaVersion(NativeCalls calls, Out out) {
    return calls
        .call(
            "nvmlSystemGetCudaDriverVersion_v2",
            () -> library.nvmlSystemGetCudaDriverVersion_v2(out.start()),
            out::int32)
        .map(number -> number / 1000 + "." + number % 1000 / 10)
        .toOptional()
        .orElse("");
  }

  @Override
  public Reading<Integer> gpuCount() {
    Out out = new Out(Integer.BYTES);
    return new NativeCalls()
        .call(
            "nvmlDeviceGetCount_v2", () -> library.nvmlDeviceGetCount_v2(out.start()), out::int32);
  }

  @Override
  public Reading<NvmlGpu> gpu(int index) {
    PointerByReference handle = new PointerByReference();
    return new NativeCalls()
        .call(
            "nvmlDeviceGetHandleByIndex_v2",
            () -> library.nvmlDeviceGetHandleByIndex_v2(index, handle),
            () -> new JnaGpu(library, handle.getValue(), index, missing, nanoTime));
  }

  @Override
  public Reading<NvmlEvents> xidEvents(List<NvmlGpu> gpus) {
    return JnaEvents.open(library, gpus);
  }

  @Override
  public boolean simulated() {
    try {
      return library.lapwing_simulated() == 1;
    } catch (UnsatisfiedLinkError real) {
      return false;
    }
  }

  @Override
  public List<String> missingSymbols() {
    return List.copyOf(missing);
  }

  static Pointer handleOf(NvmlGpu gpu) {
    if (gpu instanceof JnaGpu jna) {
      return jna.handle();
    }
    throw new IllegalArgumentException("a GPU of another binding: " + gpu);
  }
}
