package io.lapwing.lustre;

import io.lapwing.collect.SampleSink;
import io.lapwing.linux.KernelNumber;
import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
final class TargetLimits {

  static final String NAME = "lustre_limits";

  private final LustreTargetSource source;
  private final boolean full;

  TargetLimits(LustreTargetSource source, LustreDetail detail) {
    this.source = source;
    this.full = detail == LustreDetail.FULL;
  }

  void collect(SampleSink sink) {
    source.putSum(LustreMetrics.IN_FLIGHT_LIMIT, "max_rpcs_in_flight", 1, sink);
    if (!source.metadata()) {
      source.putSum(LustreMetrics.DIRTY_LIMIT, "max_dirty_mb", TargetConnections.MEBIBYTE, sink);
    }
    if (full) {
      newest()
          .flatMap(one -> source.files().read(one.file("timeouts"), TimeoutsFile::parse, sink))
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

  /**
   * A {@code timeouts} file: the last reply, in seconds since 1970, and the current estimates of
   * the network and the slowest service, in seconds.
   *
   * <pre>
   * last reply : 1690000000, 3s ago
   * network    : cur   1  worst   1 (at 1689990000, 10000s ago)    1   1   1   1
   * portal 6   : cur   1  worst  12 (at 1689995000, 5000s ago)    1   1   1   1
   * </pre>
   */
  record TimeoutsFile(
      OptionalLong lastReply, OptionalDouble network, OptionalDouble slowestPortal) {

    private static final Pattern REPLY = Pattern.compile("last reply : (-?\\d{1,40}), .*");
    private static final Pattern ESTIMATE =
        Pattern.compile("(network|portal \\d{1,10}) *: cur +(\\d{1,40}) +worst +\\d{1,40} .*");

    static TimeoutsFile parse(KernelText text) throws ParseFailure {
      Matcher reply = REPLY.matcher(text.lines().isEmpty() ? "" : text.lines().get(0));
      if (!reply.matches()) {
        throw text.failure(0, "not a last reply");
      }
      OptionalDouble network = OptionalDouble.empty();
      OptionalDouble slowest = OptionalDouble.empty();
      for (int i = 1; i < text.lines().size(); i++) {
        Matcher form = ESTIMATE.matcher(text.lines().get(i));
        OptionalDouble now =
            form.matches() ? KernelNumber.unsigned(form.group(2)) : OptionalDouble.empty();
        if (now.isEmpty()) {
          throw text.failure(i, "not an estimate");
        }
        if (form.group(1).equals("network")) {
          network = now;
        } else {
          slowest = OptionalDouble.of(Math.max(now.getAsDouble(), slowest.orElse(0)));
        }
      }
      return new TimeoutsFile(lastReply(reply.group(1)), network, slowest);
    }

    /** The kernel writes 0 before the first reply. */
    private static OptionalLong lastReply(String second) {
      OptionalLong time = KernelNumber.signed(second);
      return time.isPresent() && time.getAsLong() > 0 ? time : OptionalLong.empty();
    }
  }
}
