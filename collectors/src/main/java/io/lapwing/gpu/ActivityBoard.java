package io.lapwing.gpu;

import io.lapwing.dcgm.DcgmFieldId;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * SM activity and the like of GPUs without GPM, by UUID, as DCGM sampled it last. So a GPU's own
 * source exposes it, whatever its origin, and a host engine that hangs delays no GPU. Thread-safe.
 */
public final class ActivityBoard {

  /** Reasons why there is no activity, besides DCGM's own. */
  public static final String OFF = "dcgm_off";

  public static final String NO_DATA = "no_data";
  public static final String STALE = "stale";

  private final Supplier<Duration> validity;
  private final Set<String> needed = ConcurrentHashMap.newKeySet();
  private final Map<String, Activity> latest = new ConcurrentHashMap<>();
  private final Map<String, Map<DcgmFieldId, Double>> totals = new ConcurrentHashMap<>();
  private final Map<String, Integer> profiles = new ConcurrentHashMap<>();
  private volatile Optional<String> absence = Optional.of(OFF);

  /**
   * One sample.
   *
   * @param values ratios of 0 to 1, and bytes per second
   * @param seconds the same integrated over time since the agent started
   * @param at when the agent first saw it
   */
  record Activity(Map<DcgmFieldId, Double> values, Map<DcgmFieldId, Double> seconds, Instant at) {

    Activity {
      values = Map.copyOf(values);
      seconds = Map.copyOf(seconds);
    }
  }

  /** A sample is dropped if no newer one came within this time. */
  public ActivityBoard(Supplier<Duration> validity) {
    this.validity = validity;
  }

  /** A GPU without GPM is there. */
  void need(String uuid) {
    needed.add(uuid);
  }

  /** It is not divided by MIG any more, or has GPM. */
  void spare(String uuid) {
    needed.remove(uuid);
  }

  /** A MIG instance, which has activity as a GPU has. */
  static String instance(String uuid, int id) {
    return uuid + "/" + id;
  }

  /** Drops the values of an earlier instance with the same id and another profile. */
  void settle(String instance, int profile) {
    Integer before = profiles.put(instance, profile);
    if (before != null && before != profile) {
      latest.remove(instance);
      totals.remove(instance);
    }
  }

  Set<String> needed() {
    return Set.copyOf(needed);
  }

  /** Removes the values, with the reason; integrals continue afterwards. */
  void unavailable(String reason) {
    absence = Optional.of(reason);
    latest.clear();
  }

  /** The GPUs are watched; those without a sample have none yet. */
  void available() {
    absence = Optional.empty();
  }

  /** A new sample; {@code seconds} since the one before, 0 for the first of a watch. */
  void publish(String uuid, Map<DcgmFieldId, Double> values, double seconds, Instant now) {
    Map<DcgmFieldId, Double> sums = new EnumMap<>(DcgmFieldId.class);
    sums.putAll(totals.getOrDefault(uuid, Map.of()));
    values.forEach((field, value) -> sums.merge(field, value * seconds, Double::sum));
    totals.put(uuid, sums);
    Map<DcgmFieldId, Double> answered = new EnumMap<>(sums);
    answered.keySet().retainAll(values.keySet());
    latest.put(uuid, new Activity(values, answered, now));
  }

  /** The GPU left no sample that may be used. */
  void withdraw(String uuid) {
    latest.remove(uuid);
  }

  Optional<Activity> activity(String uuid, Instant now) {
    return Optional.ofNullable(latest.get(uuid))
        .filter(one -> !now.isAfter(one.at().plus(validity.get())));
  }

  /** Why there is no activity of a GPU. */
  String why(String uuid) {
    return absence.orElseGet(() -> latest.containsKey(uuid) ? STALE : NO_DATA);
  }
}
