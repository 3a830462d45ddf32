package io.lapwing.gpu;

import io.lapwing.collect.Access;
import io.lapwing.collect.Reading;
import io.lapwing.dcgm.DcgmEngine;
import io.lapwing.dcgm.DcgmEntity;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A host engine that is open for one source, and its GPUs by UUID. */
record HostEngineSession(HostEngineAccess.Opened opened, Map<String, DcgmEntity> gpus) {

  /** An open session, or the reason why none could be opened. */
  sealed interface Found {}

  record Open(HostEngineSession session) implements Found {}

  record Refused(String reason, Access access) implements Found {}

  HostEngineSession {
    gpus = Map.copyOf(gpus);
  }

  /**
   * Opens an engine; an embedded one counts as a use of the GPUs by {@code user}. {@code seen}:
   * whether one was open before.
   */
  static Found open(HostEngineAccess access, boolean seen, GpuRelease release, Object user) {
    HostEngineAccess.Result found = access.open(seen);
    if (found instanceof HostEngineAccess.Refused refused) {
      return new Refused(refused.reason(), refused.access());
    }
    HostEngineAccess.Opened opened = (HostEngineAccess.Opened) found;
    if (opened.embedded() && !release.enter(user)) {
      opened.engine().close();
      return refused(GpuRelease.REASON, "the GPUs are released");
    }
    Reading<Map<String, DcgmEntity>> gpus = gpus(opened.engine());
    if (gpus instanceof Reading.Present<Map<String, DcgmEntity>> present) {
      return new Open(new HostEngineSession(opened, present.value()));
    }
    String reason = gpus.failure().orElse("not_supported");
    opened.engine().close();
    release.leave(user);
    return refused(reason, "the host engine lists no GPUs: " + reason);
  }

  /**
   * The GPUs that the driver has and the engine did not list. The engine does not report new ones,
   * so it is queried again.
   */
  Set<String> unlisted(GpuRoster roster) {
    return roster.all().stream()
        .map(known -> known.identity().uuid())
        .filter(uuid -> !gpus.containsKey(uuid))
        .collect(Collectors.toSet());
  }

  private static Refused refused(String reason, String why) {
    return new Refused(reason, new Access.Down(reason, why));
  }

  /** A GPU without a UUID has no values. */
  private static Reading<Map<String, DcgmEntity>> gpus(DcgmEngine engine) {
    return engine
        .entities(DcgmEntity.Kind.GPU)
        .map(
            gpus -> {
              Map<String, DcgmEntity> byUuid = new HashMap<>();
              gpus.forEach(
                  gpu -> engine.uuid(gpu).toOptional().ifPresent(uuid -> byUuid.put(uuid, gpu)));
              return byUuid;
            });
  }
}
