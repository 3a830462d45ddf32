package io.lapwing.dcgm;

import io.lapwing.collect.Reading;
import java.time.Duration;
import java.util.List;

/** Entities whose health the host engine watches, in a group that no other client has. */
public interface DcgmHealthWatch extends AutoCloseable {

  /** Until then the engine passes PCIe, heat and power for lack of samples. */
  Duration WARM_UP = Duration.ofMinutes(1);

  /** {@code dcgmHealthCheck}: the current incidents of the entities. */
  Reading<List<DcgmIncident>> check();

  /** {@code dcgmGroupDestroy}: the engine watches for other clients only. */
  @Override
  void close();
}
