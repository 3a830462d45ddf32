package io.lapwing.gpu;

import io.lapwing.dcgm.DcgmHealthSystem;
import io.lapwing.dcgm.DcgmIncident.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The last results of DCGM's health watches, by UUID. As with the {@link ActivityBoard}, a GPU's
 * own source exposes it, where rules find it, and a host engine that hangs delays no GPU.
 * Thread-safe.
 */
public final class DcgmHealthBoard {

  private static final String STARTING = "starting";

  private final Supplier<Duration> validity;
  private volatile Check last = new Check(Map.of(), Instant.MIN);
  private volatile Optional<String> absence = Optional.of(ActivityBoard.OFF);

  /** The worst incident of a health system, or none. */
  record Status(Result result, int code) {

    static final Status PASS = new Status(Result.PASS, DcgmErrors.OK);

    Status worse(Status other) {
      return other.result.compareTo(result) >= 0 ? other : this;
    }
  }

  private record Check(Map<String, Map<DcgmHealthSystem, Status>> gpus, Instant at) {

    Check {
      gpus = Map.copyOf(gpus);
    }
  }

  /** A check counts if no newer one came within this time. */
  public DcgmHealthBoard(Supplier<Duration> validity) {
    this.validity = validity;
  }

  /** DCGM is used, and was not queried yet. */
  void starting() {
    unavailable(STARTING);
  }

  /** Removes the results, with the reason. */
  void unavailable(String reason) {
    absence = Optional.of(reason);
    last = new Check(Map.of(), Instant.MIN);
  }

  void publish(Map<String, Map<DcgmHealthSystem, Status>> gpus, Instant now) {
    last = new Check(gpus, now);
    absence = Optional.empty();
  }

  /** Of a system that is absent the result is not known. */
  Optional<Map<DcgmHealthSystem, Status>> health(String uuid, Instant now) {
    Check check = last;
    boolean valid =
        !check.at().equals(Instant.MIN) && !now.isAfter(check.at().plus(validity.get()));
    return Optional.ofNullable(check.gpus().get(uuid)).filter(any -> valid);
  }

  /** Why there are no results of a GPU; {@link ActivityBoard#OFF} where DCGM is not used. */
  String why(String uuid) {
    return absence.orElseGet(
        () -> last.gpus().containsKey(uuid) ? ActivityBoard.STALE : ActivityBoard.NO_DATA);
  }
}
