package io.lapwing.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.dcgm.DcgmEngine;
import io.lapwing.dcgm.DcgmEntity;
import io.lapwing.dcgm.DcgmFieldId;
import io.lapwing.dcgm.DcgmValues.Sample;
import io.lapwing.metric.LabelText;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The IMEX domain, in which GPUs of several nodes share memory over NVLink, and the daemon of this
 * node. The engine runs {@code nvidia-imex-ctl} once a minute for the first watch of all clients;
 * the health watches have the same fields.
 *
 * <pre>
 * DCGM_FI_IMEX_DAEMON_STATUS{Hostname="node-1"} 5            field 1503
 * lapwing_imex_daemon_state{state="READY"} 1
 * lapwing_imex_domain_state{state="UP"} 1                    field 1502
 * </pre>
 */
final class DcgmImex {

  private static final List<DcgmFieldId> FIELDS =
      List.of(DcgmFieldId.IMEX_DOMAIN_STATUS, DcgmFieldId.IMEX_DAEMON_STATUS);

  private static final Map<Integer, String> DAEMON =
      Map.ofEntries(
          Map.entry(0, "INITIALIZING"),
          Map.entry(1, "STARTING_AUTH_SERVER"),
          Map.entry(2, "WAITING_FOR_PEERS"),
          Map.entry(3, "WAITING_FOR_RECOVERY"),
          Map.entry(4, "INIT_GPU"),
          Map.entry(5, "READY"),
          Map.entry(6, "SHUTTING_DOWN"),
          Map.entry(7, "UNAVAILABLE"),
          Map.entry(-1, "NOT_INSTALLED"),
          Map.entry(-2, "NOT_CONFIGURED"),
          Map.entry(-3, "COMMAND_ERROR"));

  /** The engine does not query it more often. */
  private static final Duration EVERY = Duration.ofMinutes(1);

  private final DcgmEntityWatch watch;
  private Reading<Boolean> latest = Reading.of(true);

  /** The node is no member of a group; the values of a GPU's fields that are global are its. */
  DcgmImex(DcgmEngine engine, Collection<DcgmEntity> gpus) {
    List<DcgmEntity> first =
        gpus.stream().min(Comparator.comparingInt(DcgmEntity::id)).stream().toList();
    this.watch = new DcgmEntityWatch(engine, () -> Reading.of(first), FIELDS, EVERY);
  }

  void read(Instant now) {
    latest = watch.read(now);
  }

  void collect(SampleSink sink, GpuView view) {
    watch.report(sink);
    if (sink.countFailure(latest)) {
      return;
    }
    for (DcgmEntity gpu : watch.entities()) {
      domain(value(gpu, DcgmFieldId.IMEX_DOMAIN_STATUS), sink);
      daemon(value(gpu, DcgmFieldId.IMEX_DAEMON_STATUS), sink, view);
    }
  }

  private Reading<Sample> value(DcgmEntity gpu, DcgmFieldId field) {
    Reading<Sample> sample = watch.fresh(gpu, field);
    return DcgmEntityWatch.isWithoutValue(sample)
        ? new Reading.Unsupported<>(field.question())
        : sample;
  }

  private static void domain(Reading<Sample> sample, SampleSink sink) {
    sink.put(
        HostEngineMetrics.IMEX_DOMAIN_STATE,
        state(sample.map(found -> LabelText.clean(found.text()))),
        sample.map(found -> 1));
  }

  private static void daemon(Reading<Sample> sample, SampleSink sink, GpuView view) {
    Metric shown = view.selection().shown(DcgmMetrics.IMEX_DAEMON_STATUS);
    if (shown != null) {
      sink.put(shown, DcgmEntityWatch.labels(Labels.NONE, view), sample.map(Sample::value));
    }
    sample
        .map(found -> (int) found.value())
        .toOptional()
        .ifPresent(
            number ->
                sink.add(
                    HostEngineMetrics.IMEX_DAEMON_STATE,
                    Labels.of("state", DAEMON.getOrDefault(number, String.valueOf(number))),
                    1));
  }

  private static Labels state(Reading<String> name) {
    return Labels.of("state", name.toOptional().orElse(""));
  }
}
