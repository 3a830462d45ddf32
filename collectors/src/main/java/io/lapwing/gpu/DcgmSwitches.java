package io.lapwing.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.dcgm.DcgmEngine;
import io.lapwing.dcgm.DcgmEntity;
import io.lapwing.dcgm.DcgmFieldId;
import io.lapwing.dcgm.DcgmValues;
import io.lapwing.dcgm.DcgmValues.Sample;
import io.lapwing.dcgm.DcgmWatch;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The NVSwitches that the host engine sees; it needs NVIDIA's library NSCQ for that.
 *
 * <pre>
 * DCGM_FI_DEV_NVSWITCH_FATAL_ERRORS{nvswitch="nvswitch2",Hostname="node-1"} 20034     field 856
 * DCGM_FI_DEV_NVSWITCH_NON_FATAL_ERRORS{nvswitch="nvswitch2",...} 20009               field 857
 * </pre>
 */
final class DcgmSwitches {

  private static final Map<DcgmFieldId, Metric> METRICS =
      new EnumMap<>(
          Map.of(
              DcgmFieldId.DEV_NVSWITCH_FATAL_ERRORS, DcgmMetrics.NVSWITCH_FATAL_ERRORS,
              DcgmFieldId.DEV_NVSWITCH_NON_FATAL_ERRORS, DcgmMetrics.NVSWITCH_NON_FATAL_ERRORS));

  private final List<DcgmEntity> switches;
  private final Reading<DcgmWatch> watch;
  private @Nullable DcgmValues values;

  private DcgmSwitches(List<DcgmEntity> switches, Reading<DcgmWatch> watch) {
    this.switches = switches;
    this.watch = watch;
  }

  /** An engine that knows no switches is as good as a node without them. */
  static DcgmSwitches of(DcgmEngine engine, Duration every) {
    List<DcgmEntity> switches =
        engine.entities(DcgmEntity.Kind.NVSWITCH).toOptional().orElse(List.of());
    return new DcgmSwitches(
        switches,
        switches.isEmpty()
            ? new Reading.Unsupported<>("NVSwitch")
            : engine.watch(switches, List.copyOf(METRICS.keySet()), every));
  }

  /** A failure is one of the engine as a whole. */
  Reading<Boolean> read() {
    if (!(watch instanceof Reading.Present<DcgmWatch> present)) {
      return Reading.of(true);
    }
    return present
        .value()
        .latest()
        .map(
            found -> {
              values = found;
              return true;
            });
  }

  void collect(SampleSink sink, GpuView view) {
    sink.countFailure(watch);
    DcgmValues found = values;
    if (found != null) {
      for (DcgmEntity one : switches) {
        Labels labels = labels(one, view);
        METRICS.forEach(
            (field, family) ->
                put(sink, view.selection().shown(family), labels, found.get(one, field)));
      }
    }
  }

  /** A switch without an error has no sample. */
  private static void put(
      SampleSink sink, @Nullable Metric shown, Labels labels, Reading<Sample> sample) {
    if (shown != null && sample.failure().filter(DcgmValues.NO_DATA::equals).isEmpty()) {
      sink.put(shown, labels, sample.map(Sample::value));
    }
  }

  /** As dcgm-exporter has them. */
  private static Labels labels(DcgmEntity one, GpuView view) {
    Labels labels = Labels.of("nvswitch", "nvswitch" + one.id());
    for (GpuLabelling.HostnameLabel host : view.labelling().hostnames()) {
      labels = labels.with(host.name(), host.value());
    }
    return labels;
  }
}
