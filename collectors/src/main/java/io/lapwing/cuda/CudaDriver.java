package io.lapwing.cuda;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import io.lapwing.collect.Reading;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;

/** The CUDA driver in this process. Any call may hang: only for a process that may be killed. */
public final class CudaDriver {

  /** As a driver installs it; a plain {@code libcuda.so} is a development file. */
  public static final String DEFAULT_LIBRARY = "libcuda.so.1";

  private static final int UUID_BYTES = 16;

  private final CudaLibrary library;

  private CudaDriver(CudaLibrary library) {
    this.library = library;
  }

  /** Loads the library by path or name; fails with {@code library_not_found}. */
  public static Reading<CudaDriver> load(String nameOrPath) {
    try {
      return Reading.of(new CudaDriver(Native.load(nameOrPath, CudaLibrary.class, Map.of())));
    } catch (UnsatisfiedLinkError notThere) {
      return new Reading.Failed<>(nameOrPath, "library_not_found");
    }
  }

  public boolean simulated() {
    try {
      return library.lapwing_simulated() == 1;
    } catch (UnsatisfiedLinkError real) {
      return false;
    }
  }

  /** {@code cuInit}. */
  public void init() throws CudaException {
    check("cuInit", () -> library.cuInit(0));
  }

  /**
   * A context on the GPU with NVML's UUID; empty if the driver does not show it to this process.
   */
  public Optional<CudaGpu> open(String uuid) throws CudaException {
    Memory number = new Memory(Long.BYTES);
    check("cuDeviceGetCount", () -> library.cuDeviceGetCount(number));
    int count = number.getInt(0);
    for (int i = 0; i < count; i++) {
      int index = i;
      check("cuDeviceGet", () -> library.cuDeviceGet(number, index));
      int device = number.getInt(0);
      if (uuid(device).equals(uuid)) {
        return Optional.of(CudaGpu.open(library, device));
      }
    }
    return Optional.empty();
  }

  /** As NVML writes it: {@code GPU-8f6d1b2c-51a7-4ed0-8000-5eed00000000}. */
  private String uuid(int device) throws CudaException {
    Memory bytes = new Memory(UUID_BYTES);
    check("cuDeviceGetUuid", () -> library.cuDeviceGetUuid(bytes, device));
    StringBuilder text = new StringBuilder("GPU");
    for (int i = 0; i < UUID_BYTES; i++) {
      boolean group = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
      text.append(group ? "-" : "")
          .append(String.format(Locale.ROOT, "%02x", bytes.getByte(i) & 0xff));
    }
    return text.toString();
  }

  static void check(String call, IntSupplier function) throws CudaException {
    int code;
    try {
      code = function.getAsInt();
    } catch (UnsatisfiedLinkError missing) {
      code = CudaException.NO_SYMBOL;
    }
    if (code != 0) {
      throw new CudaException(call, code);
    }
  }
}
