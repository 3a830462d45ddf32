package io.lapwing.dcgm;

import com.sun.jna.Memory;
import io.lapwing.collect.Reading;
import io.lapwing.dcgm.DcgmStructs.PolicyV1;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Policies through JNA, in a group of Lapwing's own: a client that registers with the group of all
 * GPUs has DCGM 4.5 and later replace each GPU's policy when GPUs are attached again.
 */
final class JnaDcgmPolicies implements DcgmPolicies {

  /** Of a GPU that the engine left out of its answer. */
  private static final int NOT_ANSWERED = -1;

  private final DcgmLibrary library;
  private final long handle;
  private final JnaDcgmGroup group;
  private final Function<DcgmEntity, Reading<JnaDcgmGroup>> groups;
  private final DcgmPolicyCallbacks callbacks;
  private final DcgmViolations violations = new DcgmViolations();
  private final List<JnaDcgmGroup> ofSingleGpus = new ArrayList<>();
  private long key;
  private boolean closed;

  /** {@code groups}: makes a group of one GPU. */
  JnaDcgmPolicies(
      DcgmLibrary library,
      long handle,
      JnaDcgmGroup group,
      Function<DcgmEntity, Reading<JnaDcgmGroup>> groups,
      DcgmPolicyCallbacks callbacks) {
    this.library = library;
    this.handle = handle;
    this.group = group;
    this.groups = groups;
    this.callbacks = callbacks;
  }

  @Override
  public Reading<Map<DcgmEntity, Set<DcgmPolicyCondition>>> set() {
    List<DcgmEntity> gpus = group.entities();
    if (gpus.isEmpty()) {
      return Reading.of(Map.of());
    }
    Memory policies = new Memory((long) gpus.size() * PolicyV1.SIZE);
    policies.clear();
    for (int i = 0; i < gpus.size(); i++) {
      policies.setInt((long) i * PolicyV1.SIZE, DcgmStructs.versionWord(PolicyV1.SIZE, 1));
      policies.setInt((long) i * PolicyV1.SIZE + PolicyV1.CONDITION, NOT_ANSWERED);
    }
    return DcgmCalls.call(
            "dcgmPolicyGet",
            () -> library.dcgmPolicyGet(handle, group.group(), gpus.size(), policies, 0),
            () -> policies)
        .flatMap(this::conditions);
  }

  /** In the order of the group; the engine omits a GPU that it has lost, without an error. */
  private Reading<Map<DcgmEntity, Set<DcgmPolicyCondition>>> conditions(Memory policies) {
    Map<DcgmEntity, Set<DcgmPolicyCondition>> found = new HashMap<>();
    for (int i = 0; i < group.entities().size(); i++) {
      int mask = policies.getInt((long) i * PolicyV1.SIZE + PolicyV1.CONDITION);
      if (mask == NOT_ANSWERED) {
        return DcgmCalls.refused("dcgmPolicyGet", DcgmReturn.GPU_IS_LOST);
      }
      found.put(group.entities().get(i), DcgmPolicyCondition.of(mask));
    }
    return Reading.of(Map.copyOf(found));
  }

  @Override
  public Reading<Boolean> register() {
    key = callbacks.add(violations);
    DcgmReturn answer =
        DcgmCalls.answer(
            () ->
                library.dcgmPolicyRegister_v2(
                    handle, group.group(), DcgmPolicyCondition.ALL, callbacks.ofAll(), key));
    if (answer == DcgmReturn.FUNCTION_NOT_FOUND) {
      return registerEach();
    }
    return answer == DcgmReturn.OK
        ? Reading.of(true)
        : DcgmCalls.refused("dcgmPolicyRegister_v2", answer);
  }

  /** DCGM 3 does not pass the GPU, so each GPU has its own callback. */
  private Reading<Boolean> registerEach() {
    for (DcgmEntity gpu : group.entities()) {
      if (gpu.id() < 0 || gpu.id() >= DcgmViolations.GPUS) {
        continue;
      }
      Reading<Boolean> answer = groups.apply(gpu).flatMap(single -> register(gpu, single));
      if (!(answer instanceof Reading.Present)) {
        return answer;
      }
    }
    return Reading.of(true);
  }

  private Reading<Boolean> register(DcgmEntity gpu, JnaDcgmGroup single) {
    ofSingleGpus.add(single);
    callbacks.use(gpu.id(), violations);
    return DcgmCalls.call(
        "dcgmPolicyRegister",
        () ->
            library.dcgmPolicyRegister(
                handle, single.group(), DcgmPolicyCondition.ALL, callbacks.ofGpu(gpu.id()), null),
        () -> true);
  }

  @Override
  public long violations(DcgmEntity gpu, DcgmPolicyCondition condition) {
    return violations.count(gpu.id(), condition);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      DcgmCalls.answer(
          () -> library.dcgmPolicyUnregister(handle, group.group(), DcgmPolicyCondition.ALL));
      callbacks.remove(key);
      ofSingleGpus.forEach(JnaDcgmGroup::close);
      group.close();
    }
  }
}
