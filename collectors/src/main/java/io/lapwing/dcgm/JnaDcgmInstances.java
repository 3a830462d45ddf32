package io.lapwing.dcgm;

import com.sun.jna.Memory;
import io.lapwing.collect.Reading;
import io.lapwing.dcgm.DcgmStructs.GroupEntityPair;
import io.lapwing.dcgm.DcgmStructs.MigEntityInfo;
import io.lapwing.dcgm.DcgmStructs.MigHierarchyInfoV2;
import io.lapwing.dcgm.DcgmStructs.MigHierarchyV2;
import java.util.List;
import java.util.stream.IntStream;

/** The GPU instances of MIG, by {@code dcgmGetGpuInstanceHierarchy}. */
final class JnaDcgmInstances {

  /** {@code DCGM_MAX_HIERARCHY_INFO}. */
  private static final int MOST =
      (MigHierarchyV2.SIZE - MigHierarchyV2.ENTITY_LIST) / MigHierarchyInfoV2.SIZE;

  private JnaDcgmInstances() {}

  static Reading<List<DcgmInstance>> read(DcgmLibrary library, long handle) {
    Memory hierarchy = DcgmStructs.versioned(MigHierarchyV2.SIZE, 2);
    return DcgmCalls.call(
        "dcgmGetGpuInstanceHierarchy",
        () -> library.dcgmGetGpuInstanceHierarchy(handle, hierarchy),
        () -> instances(hierarchy));
  }

  /** Without their compute instances, which are in the same list. */
  private static List<DcgmInstance> instances(Memory hierarchy) {
    int count = Math.min(Math.max(hierarchy.getInt(MigHierarchyV2.COUNT), 0), MOST);
    return IntStream.range(0, count)
        .map(i -> MigHierarchyV2.ENTITY_LIST + i * MigHierarchyInfoV2.SIZE)
        .filter(at -> is(DcgmEntity.Kind.GPU_INSTANCE, hierarchy, at + MigHierarchyInfoV2.ENTITY))
        .filter(at -> is(DcgmEntity.Kind.GPU, hierarchy, at + MigHierarchyInfoV2.PARENT))
        .mapToObj(at -> instance(hierarchy, at))
        .toList();
  }

  private static DcgmInstance instance(Memory hierarchy, int at) {
    int info = at + MigHierarchyInfoV2.INFO;
    return new DcgmInstance(
        entity(DcgmEntity.Kind.GPU_INSTANCE, hierarchy, at + MigHierarchyInfoV2.ENTITY),
        entity(DcgmEntity.Kind.GPU, hierarchy, at + MigHierarchyInfoV2.PARENT),
        hierarchy.getInt(info + MigEntityInfo.NVML_INSTANCE_ID),
        hierarchy.getInt(info + MigEntityInfo.NVML_MIG_PROFILE_ID));
  }

  private static boolean is(DcgmEntity.Kind kind, Memory hierarchy, int pair) {
    return hierarchy.getInt(pair + GroupEntityPair.ENTITY_GROUP_ID) == kind.code();
  }

  private static DcgmEntity entity(DcgmEntity.Kind kind, Memory hierarchy, int pair) {
    return new DcgmEntity(kind, hierarchy.getInt(pair + GroupEntityPair.ENTITY_ID));
  }
}
