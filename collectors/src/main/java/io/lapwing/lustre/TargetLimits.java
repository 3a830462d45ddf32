package io.lapwing.lustre;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.SampleSink;
import java.util.List;
import java.util.Optional;

/**
 * Slowly changing values of one target.
 *
 * <pre>
 * lapwing_lustre_rpcs_in_flight_limit{fs="scratch",target="OST0000"} 8               max_rpcs_in_flight
 * lapwing_lustre_dirty_limit_bytes{fs="scratch",target="OST0000"} 33554432           max_dirty_mb
 * lapwing_lustre_service_estimate_seconds{fs="scratch",target="OST0000"} 1           timeouts, in full detail
 * lapwing_lustre_network_estimate_seconds{fs="scratch",target="OST0000"} 1           timeouts, in full detail
 * lapwing_lustre_last_reply_timestamp_seconds{fs="scratch",target="OST0000"} 169...  timeouts, in full detail
 * </pre>
 */
final class TargetLimits implements Collector {

  static final String NAME = "lustre_limits";

  private final LustreTargetSource source;
  private final boolean full;

  TargetLimits(LustreTargetSource source, LustreDetail detail) {
    this.source = source;
    this.full = detail == LustreDetail.FULL;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Cadence cadence() {
    return Cadence.SLOW;
  }

  @Override
  public void collect(SampleSink sink) {
    source.putSum(LustreMetrics.IN_FLIGHT_LIMIT, "max_rpcs_in_flight", 1, sink);
    if (!source.metadata()) {
      source.putSum(LustreMetrics.DIRTY_LIMIT, "max_dirty_mb", TargetConnections.MEBIBYTE, sink);
    }
    if (full) {
      newest()
          .flatMap(one -> source.files().read(one.name.file("timeouts"), TimeoutsFile::parse, sink))
          .ifPresent(timeouts -> put(timeouts, sink));
    }
  }

  private Optional<TargetInstance> newest() {
    List<TargetInstance> all = source.instances();
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
  }

  private void put(TimeoutsFile timeouts, SampleSink sink) {
    timeouts
        .slowestPortal()
        .ifPresent(s -> sink.add(LustreMetrics.SERVICE_ESTIMATE, source.labels(), s));
    timeouts.network().ifPresent(s -> sink.add(LustreMetrics.NETWORK_ESTIMATE, source.labels(), s));
    timeouts
        .lastReply()
        .ifPresent(s -> sink.add(LustreMetrics.LAST_REPLY, source.labels(), (double) s));
  }
}
