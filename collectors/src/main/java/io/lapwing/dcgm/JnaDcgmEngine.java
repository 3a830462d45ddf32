package io.lapwing.dcgm;

import com.sun.jna.Memory;
import io.lapwing.collect.Reading;
import io.lapwing.dcgm.DcgmStructs.DeviceAttributesV3;
import io.lapwing.dcgm.DcgmStructs.DeviceIdentifiersV1;
import io.lapwing.dcgm.DcgmStructs.HealthSetParamsV2;
import io.lapwing.dcgm.DcgmStructs.ModuleGetStatusesV1;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/** A host engine through JNA. */
final class JnaDcgmEngine implements DcgmEngine {

  /** {@code DCGM_GROUP_MAX_ENTITIES} of DCGM 4. */
  private static final int MAX_ENTITIES = 1024;

  /** {@code DCGM_GROUP_MAX_ENTITIES} of DCGM 3, also of one call for the latest values. */
  private static final int MOST_OF_GROUP = 64;

  /** {@code DCGM_GEGE_FLAG_ONLY_SUPPORTED}. */
  private static final int ONLY_SUPPORTED = 1;

  private static final int PROFILING_MODULE = 8;
  private static final int PAUSED = 5;

  /** As {@code dcgmHealthSet} has them, which passes neither. */
  private static final Duration HEALTH_INTERVAL = Duration.ofSeconds(30);

  private static final double HEALTH_KEPT_SECONDS = 600;

  private final DcgmLibrary library;
  private final long handle;
  private final String version;
  private final IntSupplier end;
  private final List<JnaDcgmWatch> watches = new ArrayList<>();
  private final List<DcgmHealthWatch> healthWatches = new ArrayList<>();
  private final List<DcgmPolicies> policies = new ArrayList<>();
  private final DcgmPolicyCallbacks callbacks;

  /** The names of field groups are of the whole engine, and so of all connections to it. */
  private final String name;

  private int groups;

  JnaDcgmEngine(
      DcgmLibrary library,
      long handle,
      String version,
      DcgmPolicyCallbacks callbacks,
      IntSupplier end) {
    this.library = library;
    this.handle = handle;
    this.version = version;
    this.callbacks = callbacks;
    this.name = "lapwing-" + ProcessHandle.current().pid() + "-" + callbacks.nextEngine() + "-";
    this.end = end;
  }

  @Override
  public String version() {
    return version;
  }

  @Override
  public Reading<List<DcgmEntity>> entities(DcgmEntity.Kind kind) {
    Memory ids = new Memory(MAX_ENTITIES * (long) Integer.BYTES);
    Memory count = new Memory(Integer.BYTES);
    count.setInt(0, MAX_ENTITIES);
    return DcgmCalls.call(
        "dcgmGetEntityGroupEntities",
        () -> library.dcgmGetEntityGroupEntities(handle, kind.code(), ids, count, ONLY_SUPPORTED),
        () ->
            IntStream.range(0, Math.min(Math.max(count.getInt(0), 0), MAX_ENTITIES))
                .mapToObj(i -> new DcgmEntity(kind, ids.getInt((long) i * Integer.BYTES)))
                .toList());
  }

  @Override
  public Reading<String> uuid(DcgmEntity gpu) {
    Memory attributes = DcgmStructs.versioned(DeviceAttributesV3.SIZE, 3);
    return DcgmCalls.call(
        "dcgmGetDeviceAttributes",
        () -> library.dcgmGetDeviceAttributes(handle, gpu.id(), attributes),
        () ->
            DcgmStructs.text(
                attributes,
                DeviceAttributesV3.IDENTIFIERS + DeviceIdentifiersV1.UUID,
                DeviceIdentifiersV1.VBIOS - DeviceIdentifiersV1.UUID));
  }

  @Override
  public Reading<Boolean> profilingPaused() {
    Memory statuses = DcgmStructs.versioned(ModuleGetStatusesV1.SIZE, 1);
    return DcgmCalls.call(
        "dcgmModuleGetStatuses",
        () -> library.dcgmModuleGetStatuses(handle, statuses),
        () -> isPaused(statuses));
  }

  private static boolean isPaused(Memory statuses) {
    int count = statuses.getInt(ModuleGetStatusesV1.NUM_STATUSES);
    for (int i = 0; i < count; i++) {
      int at = ModuleGetStatusesV1.STATUSES + i * 2 * Integer.BYTES;
      if (at + 2 * Integer.BYTES <= ModuleGetStatusesV1.SIZE
          && statuses.getInt(at) == PROFILING_MODULE) {
        return statuses.getInt(at + Integer.BYTES) == PAUSED;
      }
    }
    return false;
  }

  @Override
  public Reading<List<DcgmInstance>> instances() {
    return JnaDcgmInstances.read(library, handle);
  }

  @Override
  public Reading<List<DcgmEntity>> switchLinks() {
    return JnaDcgmLinks.read(library, handle);
  }

  @Override
  public Reading<DcgmWatch> watch(
      List<DcgmEntity> entities, List<DcgmFieldId> fields, Duration every) {
    List<DcgmWatch> parts = new ArrayList<>();
    for (int from = 0; from < entities.size(); from += MOST_OF_GROUP) {
      int to = Math.min(from + MOST_OF_GROUP, entities.size());
      Reading<DcgmWatch> part = watchPart(entities.subList(from, to), fields, every);
      if (!(part instanceof Reading.Present<DcgmWatch> present)) {
        parts.forEach(DcgmWatch::close);
        return part;
      }
      parts.add(present.value());
    }
    return Reading.of(parts.size() == 1 ? parts.get(0) : new JnaDcgmWatches(parts));
  }

  private Reading<DcgmWatch> watchPart(
      List<DcgmEntity> entities, List<DcgmFieldId> fields, Duration every) {
    return JnaDcgmGroup.of(library, handle, name + ++groups, entities)
        .flatMap(group -> watch(group, fields, every));
  }

  private Reading<DcgmWatch> watch(JnaDcgmGroup group, List<DcgmFieldId> fields, Duration every) {
    Map<DcgmFieldId, String> rejected = new EnumMap<>(DcgmFieldId.class);
    List<DcgmFieldId> known = new ArrayList<>();
    for (DcgmFieldId field : fields) {
      if (library.DcgmFieldGetById(field.id()) == null) {
        rejected.put(field, DcgmReturn.UNKNOWN_FIELD.reason());
      } else {
        known.add(field);
      }
    }
    Attempt attempt = known.isEmpty() ? Attempt.UNKNOWN : attempt(group, known, every);
    if (attempt.answer().isOfOneField()) {
      known = acceptable(group, known, every, rejected);
      attempt = known.isEmpty() ? attempt : attempt(group, known, every);
    }
    if (attempt.answer() != DcgmReturn.OK) {
      group.close();
      return new Reading.Failed<>("dcgmWatchFields", attempt.answer().reason());
    }
    JnaDcgmWatch watch =
        new JnaDcgmWatch(library, handle, group, attempt.fieldGroup(), known, rejected);
    watches.removeIf(JnaDcgmWatch::isClosed);
    watches.add(watch);
    return Reading.of(watch);
  }

  /** Those that can be watched together, of a group in which at least one cannot. */
  private List<DcgmFieldId> acceptable(
      JnaDcgmGroup group,
      List<DcgmFieldId> fields,
      Duration every,
      Map<DcgmFieldId, String> rejected) {
    List<DcgmFieldId> kept = new ArrayList<>();
    for (DcgmFieldId field : fields) {
      kept.add(field);
      Attempt attempt = attempt(group, kept, every);
      if (attempt.answer() == DcgmReturn.OK) {
        group.unwatch(attempt.fieldGroup());
      } else {
        kept.remove(field);
        rejected.put(field, attempt.answer().reason());
      }
    }
    return kept;
  }

  /** A field group that is watched, if the answer is OK. */
  private record Attempt(DcgmReturn answer, long fieldGroup) {
    static final Attempt UNKNOWN = new Attempt(DcgmReturn.UNKNOWN_FIELD, 0);
  }

  private Attempt attempt(JnaDcgmGroup group, List<DcgmFieldId> fields, Duration every) {
    Memory ids = JnaDcgmWatch.ids(fields);
    Memory created = new Memory(Long.BYTES);
    String unique = name + ++groups;
    DcgmReturn answer =
        DcgmCalls.answer(
            () -> library.dcgmFieldGroupCreate(handle, fields.size(), ids, unique, created));
    if (answer != DcgmReturn.OK) {
      return new Attempt(answer, 0);
    }
    long fieldGroup = created.getLong(0);
    DcgmReturn watched = DcgmCalls.answer(() -> group.watch(fieldGroup, every));
    if (watched != DcgmReturn.OK) {
      DcgmCalls.answer(() -> library.dcgmFieldGroupDestroy(handle, fieldGroup));
    }
    return new Attempt(watched, fieldGroup);
  }

  @Override
  public Reading<DcgmHealthWatch> watchHealth(List<DcgmEntity> entities) {
    return JnaDcgmGroup.of(library, handle, name + ++groups, entities).flatMap(this::watchHealth);
  }

  private Reading<DcgmHealthWatch> watchHealth(JnaDcgmGroup group) {
    Memory params = DcgmStructs.versioned(HealthSetParamsV2.SIZE, 2);
    params.setLong(HealthSetParamsV2.GROUP_ID, group.group());
    params.setInt(HealthSetParamsV2.SYSTEMS, DcgmHealthSystem.ALL.bit());
    params.setLong(HealthSetParamsV2.UPDATE_INTERVAL, HEALTH_INTERVAL.toNanos() / 1000);
    params.setDouble(HealthSetParamsV2.MAX_KEEP_AGE, HEALTH_KEPT_SECONDS);
    DcgmReturn answer = DcgmCalls.answer(() -> library.dcgmHealthSet_v2(handle, params));
    if (answer != DcgmReturn.OK) {
      group.close();
      return DcgmCalls.refused("dcgmHealthSet_v2", answer);
    }
    DcgmHealthWatch watch = new JnaDcgmHealthWatch(library, handle, group, version);
    healthWatches.add(watch);
    return Reading.of(watch);
  }

  @Override
  public Reading<DcgmPolicies> policies(List<DcgmEntity> gpus) {
    return JnaDcgmGroup.of(library, handle, name + ++groups, gpus)
        .map(
            group -> {
              DcgmPolicies found =
                  new JnaDcgmPolicies(library, handle, group, this::single, callbacks);
              policies.add(found);
              return found;
            });
  }

  private Reading<JnaDcgmGroup> single(DcgmEntity entity) {
    return JnaDcgmGroup.of(library, handle, name + ++groups, List.of(entity));
  }

  @Override
  public void close() {
    policies.forEach(DcgmPolicies::close);
    policies.clear();
    watches.forEach(JnaDcgmWatch::close);
    watches.clear();
    healthWatches.forEach(DcgmHealthWatch::close);
    healthWatches.clear();
    DcgmCalls.answer(end);
  }
}
