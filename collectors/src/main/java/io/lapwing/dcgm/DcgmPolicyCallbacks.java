package io.lapwing.dcgm;

import com.sun.jna.Callback;
import com.sun.jna.CallbackThreadInitializer;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import io.lapwing.dcgm.DcgmStructs.PolicyCallbackResponseV2;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The library's callbacks for violations, on the thread that receives the answers of all its
 * connections: a callback counts, and does not wait, throw or call DCGM. They are never freed,
 * since the library may call one once more after it was unregistered.
 */
final class DcgmPolicyCallbacks {

  /** {@code fpRecvUpdates} of DCGM 4. */
  interface OfDcgm4 extends Callback {
    int invoke(@Nullable Pointer response, long userData);
  }

  /** {@code fpRecvUpdates} of DCGM 3, whose response does not name the GPU. */
  interface OfDcgm3 extends Callback {
    int invoke(@Nullable Pointer response);
  }

  private static final int CONDITION = PolicyCallbackResponseV2.CONDITION;

  private final Map<Long, DcgmViolations> registered = new ConcurrentHashMap<>();
  private final AtomicLong last = new AtomicLong();
  private final AtomicLong engines = new AtomicLong();
  private final AtomicReferenceArray<@Nullable DcgmViolations> byGpu =
      new AtomicReferenceArray<>(DcgmViolations.GPUS);
  private final OfDcgm4 ofAll = named(this::count);
  private final OfDcgm3[] ofGpus = new OfDcgm3[DcgmViolations.GPUS];

  DcgmPolicyCallbacks() {
    for (int gpu = 0; gpu < DcgmViolations.GPUS; gpu++) {
      int itself = gpu;
      ofGpus[gpu] = named((OfDcgm3) response -> count(response, itself));
    }
  }

  private static <C extends Callback> C named(C callback) {
    Native.setCallbackThreadInitializer(
        callback, new CallbackThreadInitializer(true, true, "dcgm-policy"));
    return callback;
  }

  OfDcgm4 ofAll() {
    return ofAll;
  }

  OfDcgm3 ofGpu(int gpu) {
    return ofGpus[gpu];
  }

  /** Numbers the connections of the library. */
  long nextEngine() {
    return engines.incrementAndGet();
  }

  /** The user data under which these violations are counted from now on. */
  long add(DcgmViolations violations) {
    long key = last.incrementAndGet();
    registered.put(key, violations);
    return key;
  }

  void remove(long key) {
    registered.remove(key);
  }

  /** Has the violations of this GPU, of DCGM 3, counted there from now on. */
  void use(int gpu, DcgmViolations violations) {
    byGpu.set(gpu, violations);
  }

  private int count(@Nullable Pointer response, long userData) {
    DcgmViolations violations = registered.get(userData);
    if (response != null && violations != null) {
      violations.add(response.getInt(PolicyCallbackResponseV2.GPU_ID), response.getInt(CONDITION));
    }
    return 0;
  }

  private int count(@Nullable Pointer response, int gpu) {
    DcgmViolations violations = byGpu.get(gpu);
    if (response != null && violations != null) {
      violations.add(gpu, response.getInt(CONDITION));
    }
    return 0;
  }
}
