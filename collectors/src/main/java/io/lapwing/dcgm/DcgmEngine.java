package io.lapwing.dcgm;

import io.lapwing.collect.Reading;
import java.time.Duration;
import java.util.List;

/** A host engine: a connection to one, or one in this process. Serves one thread. */
public interface DcgmEngine extends AutoCloseable {

  /** {@code dcgmHostengineVersionInfo}: {@code 4.4.2}; empty if unknown. */
  String version();

  /** {@code dcgmGetEntityGroupEntities}: those that DCGM supports. */
  Reading<List<DcgmEntity>> entities(DcgmEntity.Kind kind);

  /** {@code dcgmGetGpuInstanceHierarchy}: the GPU instances of MIG; empty without any. */
  Reading<List<DcgmInstance>> instances();

  /**
   * {@code dcgmGetNvLinkLinkStatus}: the links of NVSwitches that are up or down, without those
   * that are disabled, as where nothing is connected. NSCQ lists no links as entities.
   */
  Reading<List<DcgmEntity>> switchLinks();

  /** {@code dcgmGetDeviceAttributes}: DCGM's number of a GPU may differ from NVML's index. */
  Reading<String> uuid(DcgmEntity gpu);

  /**
   * {@code dcgmGroupCreate}, {@code dcgmFieldGroupCreate}, {@code dcgmWatchFields}. A rejected
   * field does not affect the others; of two that cannot be watched together the first is kept.
   * Fails if none is left.
   */
  Reading<DcgmWatch> watch(List<DcgmEntity> entities, List<DcgmFieldId> fields, Duration every);

  /**
   * {@code dcgmGroupCreate}, {@code dcgmHealthSet_v2}: all health systems of these entities. The
   * watches of other clients stay as they are, since each group has its own.
   */
  Reading<DcgmHealthWatch> watchHealth(List<DcgmEntity> entities);

  /** {@code dcgmGroupCreate}: the policies of these GPUs, which others set. */
  Reading<DcgmPolicies> policies(List<DcgmEntity> gpus);

  /**
   * {@code dcgmModuleGetStatuses}: whether a client has paused profiling for a tool such as Nsight,
   * so that no client receives values.
   */
  Reading<Boolean> profilingPaused();

  /** Ends its watches, then {@code dcgmDisconnect} or {@code dcgmStopEmbedded}. */
  @Override
  void close();
}
