package io.lapwing.cuda;

import static io.lapwing.cuda.CudaDriver.check;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.IntSupplier;

/**
 * One GPU with a context of this process. Serves one thread; nothing is freed before {@link #close}
 * or the end of the process, whichever comes first.
 */
public final class CudaGpu implements AutoCloseable {

  private static final int MULTIPROCESSORS = 16;
  private static final int PORTABLE = 1;
  private static final int BLOCKS_EACH = 8;
  private static final double MILLIS = 1e3;

  private final CudaLibrary library;
  private final int device;
  private final Pointer context;
  private final Pointer start;
  private final Pointer end;

  /** A rate in bytes or operations a second, and whether every result was right. */
  public record Measured(double perSecond, boolean right) {}

  /** Work that is queued on the GPU, and measured. */
  private interface Work {
    void queue() throws CudaException;
  }

  private CudaGpu(CudaLibrary library, int device, Pointer context, Pointer start, Pointer end) {
    this.library = library;
    this.device = device;
    this.context = context;
    this.start = start;
    this.end = end;
  }

  static CudaGpu open(CudaLibrary library, int device) throws CudaException {
    PointerByReference handle = new PointerByReference();
    check("cuCtxCreate_v2", () -> library.cuCtxCreate_v2(handle, 0, device));
    Pointer context = handle.getValue();
    check("cuEventCreate", () -> library.cuEventCreate(handle, 0));
    Pointer start = handle.getValue();
    check("cuEventCreate", () -> library.cuEventCreate(handle, 0));
    return new CudaGpu(library, device, context, start, handle.getValue());
  }

  /** The buffers of the copy tests: two on the GPU, two pinned ones on the host. */
  public final class Buffers {
    private final long bytes;
    private final int repeats;
    private final long first;
    private final long second;
    private final Pointer sent;
    private final Pointer received;

    private Buffers(long bytes, int repeats) throws CudaException {
      this.bytes = bytes;
      this.repeats = repeats;
      this.first = device(bytes);
      this.second = device(bytes);
      this.sent = pinned(bytes);
      this.received = pinned(bytes);
      LongBuffer pattern = longs(sent);
      for (int i = 0; i < pattern.capacity(); i++) {
        pattern.put(i, mixed(i));
      }
    }

    /** {@code cuMemcpyHtoDAsync} from pinned memory. */
    public Measured hostToDevice() throws CudaException {
      Pointer none = Pointer.NULL;
      double rate =
          rate(
              "cuMemcpyHtoDAsync_v2", () -> library.cuMemcpyHtoDAsync_v2(first, sent, bytes, none));
      return new Measured(rate, holdsPattern(first));
    }

    /** {@code cuMemcpyDtoHAsync} to pinned memory. */
    public Measured deviceToHost() throws CudaException {
      fill();
      Pointer none = Pointer.NULL;
      double rate =
          rate(
              "cuMemcpyDtoHAsync_v2",
              () -> library.cuMemcpyDtoHAsync_v2(received, first, bytes, none));
      return new Measured(rate, isPattern());
    }

    /** {@code cuMemcpyDtoDAsync} within the GPU: each byte is read and written once. */
    public Measured deviceToDevice() throws CudaException {
      fill();
      Pointer none = Pointer.NULL;
      double rate =
          rate(
              "cuMemcpyDtoDAsync_v2",
              () -> library.cuMemcpyDtoDAsync_v2(second, first, bytes, none));
      return new Measured(rate, holdsPattern(second));
    }

    /** {@code cuMemcpyPeerAsync} from this GPU to another; the peer's copy is read back. */
    public Measured toPeer(CudaGpu peer) throws CudaException {
      peer.select();
      long there = peer.device(bytes);
      select();
      fill();
      Pointer none = Pointer.NULL;
      double rate =
          rate(
              "cuMemcpyPeerAsync",
              () -> library.cuMemcpyPeerAsync(there, peer.context, first, context, bytes, none));
      peer.select();
      received.clear(bytes);
      check(
          "cuMemcpyDtoHAsync_v2", () -> library.cuMemcpyDtoHAsync_v2(received, there, bytes, none));
      check("cuCtxSynchronize", library::cuCtxSynchronize);
      check("cuMemFree_v2", () -> library.cuMemFree_v2(there));
      select();
      return new Measured(rate, isPattern());
    }

    private double rate(String call, IntSupplier copy) throws CudaException {
      check(call, copy);
      double seconds =
          seconds(
              () -> {
                for (int i = 0; i < repeats; i++) {
                  check(call, copy);
                }
              });
      return (double) bytes * repeats / seconds;
    }

    private void fill() throws CudaException {
      check(
          "cuMemcpyHtoDAsync_v2",
          () -> library.cuMemcpyHtoDAsync_v2(first, sent, bytes, Pointer.NULL));
    }

    private boolean holdsPattern(long memory) throws CudaException {
      received.clear(bytes);
      check(
          "cuMemcpyDtoHAsync_v2",
          () -> library.cuMemcpyDtoHAsync_v2(received, memory, bytes, Pointer.NULL));
      check("cuCtxSynchronize", library::cuCtxSynchronize);
      return isPattern();
    }

    private boolean isPattern() {
      return longs(sent).mismatch(longs(received)) < 0;
    }

    private LongBuffer longs(Pointer memory) {
      return memory.getByteBuffer(0, bytes).order(ByteOrder.nativeOrder()).asLongBuffer();
    }
  }

  /** Both halves of every bit position change from word to word. */
  private static long mixed(long i) {
    long z = (i + 1) * 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    return z ^ (z >>> 27);
  }

  /** Buffers of that many bytes, a multiple of 8; each copy is repeated so often. */
  public Buffers buffers(long bytes, int repeats) throws CudaException {
    select();
    return new Buffers(bytes, repeats);
  }

  /** {@code cuDeviceCanAccessPeer}, and access from this GPU to the other. */
  public boolean canAccess(CudaGpu peer) throws CudaException {
    Memory can = new Memory(Integer.BYTES);
    check("cuDeviceCanAccessPeer", () -> library.cuDeviceCanAccessPeer(can, device, peer.device));
    if (can.getInt(0) == 0) {
      return false;
    }
    select();
    check("cuCtxEnablePeerAccess", () -> library.cuCtxEnablePeerAccess(peer.context, 0));
    return true;
  }

  /**
   * The arithmetic kernel, ready to run on every multiprocessor; it needs nothing but the driver,
   * which translates it.
   *
   * @param steps of each chain, a multiple of 4
   */
  public Arithmetic arithmetic(int steps) throws CudaException {
    select();
    return new Arithmetic(steps);
  }

  /** The arithmetic test, which is also a constant load. */
  public final class Arithmetic {
    private final int blocks;
    private final int threads;
    private final long operations;
    private final long out;
    private final Pointer function;
    private final Memory arguments = new Memory(3L * Native.POINTER_SIZE);
    private final Memory values = new Memory(3L * Long.BYTES);
    private final Memory results;
    private final int[] expected;

    private Arithmetic(int steps) throws CudaException {
      Memory number = new Memory(Long.BYTES);
      check(
          "cuDeviceGetAttribute",
          () -> library.cuDeviceGetAttribute(number, MULTIPROCESSORS, device));
      blocks = number.getInt(0) * BLOCKS_EACH;
      threads = blocks * FmaKernel.LANES;
      operations = (long) FmaKernel.OPERATIONS * FmaKernel.CHAINS * steps * threads;
      out = device((long) threads * Integer.BYTES);
      function = kernel();
      results = new Memory((long) threads * Integer.BYTES);
      expected = FmaKernel.expected(steps);
      values.setLong(0, out);
      values.setInt(8, steps);
      values.setFloat(16, FmaKernel.C);
      for (int i = 0; i < 3; i++) {
        arguments.setPointer((long) i * Native.POINTER_SIZE, values.share(i * 8L));
      }
      launch();
    }

    /** Runs it that often, and then compares every result with the host's. */
    public Measured run(int launches) throws CudaException {
      select();
      double seconds =
          seconds(
              () -> {
                for (int i = 0; i < launches; i++) {
                  launch();
                }
              });
      results.clear();
      check(
          "cuMemcpyDtoHAsync_v2",
          () -> library.cuMemcpyDtoHAsync_v2(results, out, results.size(), Pointer.NULL));
      check("cuCtxSynchronize", library::cuCtxSynchronize);
      boolean right = all(results.getIntArray(0, threads), expected);
      return new Measured((double) operations * launches / seconds, right);
    }

    /** Rounds of launches and comparison. */
    public Measured run(int launches, int rounds) throws CudaException {
      double seconds = 0;
      boolean right = true;
      for (int round = 0; round < rounds; round++) {
        Measured one = run(launches);
        seconds += (double) operations * launches / one.perSecond();
        right &= one.right();
      }
      return new Measured((double) operations * launches * rounds / seconds, right);
    }

    private void launch() throws CudaException {
      check(
          "cuLaunchKernel",
          () ->
              library.cuLaunchKernel(
                  function,
                  blocks,
                  1,
                  1,
                  FmaKernel.LANES,
                  1,
                  1,
                  0,
                  Pointer.NULL,
                  arguments,
                  Pointer.NULL));
    }
  }

  private static boolean all(int[] results, int[] expected) {
    boolean right = true;
    for (int i = 0; i < results.length; i++) {
      right &= results[i] == expected[i % FmaKernel.LANES];
    }
    return right;
  }

  private Pointer kernel() throws CudaException {
    byte[] text = FmaKernel.ptx().getBytes(StandardCharsets.US_ASCII);
    Memory image = new Memory(text.length + 1L);
    image.write(0, text, 0, text.length);
    image.setByte(text.length, (byte) 0);
    PointerByReference handle = new PointerByReference();
    check("cuModuleLoadData", () -> library.cuModuleLoadData(handle, image));
    Pointer module = handle.getValue();
    check("cuModuleGetFunction", () -> library.cuModuleGetFunction(handle, module, FmaKernel.NAME));
    return handle.getValue();
  }

  /** Seconds by the GPU's own clock. */
  private double seconds(Work work) throws CudaException {
    check("cuCtxSynchronize", library::cuCtxSynchronize);
    check("cuEventRecord", () -> library.cuEventRecord(start, Pointer.NULL));
    work.queue();
    check("cuEventRecord", () -> library.cuEventRecord(end, Pointer.NULL));
    check("cuEventSynchronize", () -> library.cuEventSynchronize(end));
    Memory millis = new Memory(Float.BYTES);
    check("cuEventElapsedTime", () -> library.cuEventElapsedTime(millis, start, end));
    return Math.max(millis.getFloat(0) / MILLIS, 1e-9);
  }

  private long device(long bytes) throws CudaException {
    Memory address = new Memory(Long.BYTES);
    check("cuMemAlloc_v2", () -> library.cuMemAlloc_v2(address, bytes));
    return address.getLong(0);
  }

  private Pointer pinned(long bytes) throws CudaException {
    PointerByReference memory = new PointerByReference();
    check("cuMemHostAlloc", () -> library.cuMemHostAlloc(memory, bytes, PORTABLE));
    return memory.getValue();
  }

  private void select() throws CudaException {
    check("cuCtxSetCurrent", () -> library.cuCtxSetCurrent(context));
  }

  @Override
  public void close() throws CudaException {
    check("cuCtxDestroy_v2", () -> library.cuCtxDestroy_v2(context));
  }
}
